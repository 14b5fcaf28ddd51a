#pragma once

#include <memory>

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/jitter.hpp"
#include "gdkm/linalg/matrix.hpp"
#include "gdkm/linalg/sparse.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {

enum class Op { none, transpose };

/// What is known of a matrix: a lower-triangular one costs half.
enum class Fill { full, lower };

/// Which entries of a factor are not zero, or which ones of a product are wanted: of a triangle, the diagonal
/// too.
enum class Region { all, lower, upper };

/// op(A), whose entries outside `part` are zeros.
template <class T>
struct Factor {
  Op op;
  ConstView<T> view;
  Region part = Region::all;

  Index rows() const { return op == Op::none ? view.rows : view.cols; }
  Index cols() const { return op == Op::none ? view.cols : view.rows; }
};

/// What differs from one step of training to the next. It lives on the device, so that a recorded step can be
/// replayed.
struct Clock {
  double rate = 0;
  std::int64_t count = 1;  // of Adam; 1 for the first step
  std::uint32_t turn = 0;  // of the random numbers
};

struct AdamStep {
  double rate = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  std::int64_t count = 1;
  const Clock* clock = nullptr;  // on the device: its rate and count stand for those here
};

/// The primitives that layers are written in. All but gemm_part are pure virtual: a backend that forgets one
/// does not compile.
///
/// Matrices are row-major and live on the backend's device; `_bar` is the gradient of the loss. A primitive
/// does not allocate once `reserve` has been called with the largest sizes, and its result is a function of
/// its arguments alone. Scalars that a step produces (losses, the jitter that was needed) are written to 1×1
/// views on the device, so that nothing here makes the host wait.
template <class T>
class Backend : public Device {
 public:
  /// Prepares workspaces for `inducing` points on inputs of `width` columns; `by_qr`: these are factorised by
  /// QR too.
  virtual void reserve(Index inducing, Index width, bool by_qr) = 0;
  /// How many rows of a matrix of `rows` rows and m columns are best handled at a time.
  virtual Index rows_at_a_time(Index rows) const = 0;

  // ---- dense
  // ----------------------------------------------------------------------------------------------------
  /// C ← α op(A) op(B) + β C.
  virtual void gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c) = 0;
  /// The same, and outside `wanted` C is anything. Saves what triangles save, where a backend knows how.
  virtual void gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                         Region /*wanted*/ = Region::all) {
    gemm(alpha, a.op, a.view, b.op, b.view, beta, c);
  }
  /// G ← F Fᵀ, symmetric.
  virtual void gram(ConstView<T> f, View<T> g) = 0;
  /// C ← A op(L), with L lower triangular.
  virtual void times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) = 0;
  /// C ← AᵀB + β C on and below the diagonal; what is above it is anything.
  virtual void lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) = 0;
  /// C ← α A + β C; with β = 0 the old C is not read.
  virtual void add(T alpha, ConstView<T> a, T beta, View<T> c) = 0;
  /// C ← exp(factor · exponent) A + β C, with the exponent in a 1×1 view on the device.
  virtual void add_exp_scaled(T factor, ConstView<T> exponent, ConstView<T> a, T beta, View<T> c) = 0;
  virtual void fill(View<T> a, T value) = 0;
  virtual void identity(View<T> a) = 0;
  /// B ← Aᵀ.
  virtual void transpose(ConstView<T> a, View<T> b) = 0;
  /// Zeroes what is above the diagonal and multiplies the diagonal by `diagonal`.
  virtual void keep_lower(View<T> a, T diagonal) = 0;
  /// A ← (A + Aᵀ)/2.
  virtual void symmetrise(View<T> a) = 0;
  /// value ← α Σ A∘B + β value.
  virtual void dot(T alpha, ConstView<T> a, ConstView<T> b, T beta, View<T> value) = 0;

  // ---- factorisations
  // -------------------------------------------------------------------------------------------
  /// H Hᵀ = K + εI, ε = jitter · mean diagonal, and H⁻¹, both lower triangular with zeros above. Jitter is
  /// raised tenfold until it succeeds; `used` receives what was needed, infinity where even `max_jitter` did
  /// not help, or NaN where K is not finite (H is then the identity).
  virtual void cholesky(ConstView<T> k, T jitter, View<T> h, View<T> inverse, View<T> used) = 0;
  /// H Hᵀ = F Fᵀ + εI without the loss of accuracy that forming F Fᵀ in this precision would bring: by a QR
  /// of Fᵀ, or in a higher precision.
  virtual void cholesky_of_gram(ConstView<T> f, T jitter, View<T> h, View<T> inverse, View<T> used) = 0;

  // ---- positive triangular parameters: L has the exponentials of its parameter's diagonal
  // ------------------------
  virtual void positive_lower(ConstView<T> raw, View<T> l) = 0;
  /// raw_bar += the gradient that reaches the parameter.
  virtual void positive_lower_backward(ConstView<T> l, ConstView<T> l_bar, View<T> raw_bar) = 0;
  /// value ← KL(N(0, LLᵀ) ‖ N(0, I)) = ½(‖L‖² − 2 Σ log L_jj − rows); l_bar += weight · its gradient.
  virtual void normal_kl(ConstView<T> l, T weight, View<T> l_bar, View<T> value) = 0;

  // ---- rows
  // -----------------------------------------------------------------------------------------------------
  /// s_j = ‖row j of F‖, s a 1×rows vector.
  virtual void row_norms(ConstView<T> f, View<T> s) = 0;
  /// f_bar += diag(s_bar / s) F: what a gradient of the row norms means for the rows. Zero rows get none.
  virtual void row_norms_backward(ConstView<T> f, ConstView<T> s, ConstView<T> s_bar, View<T> f_bar) = 0;
  /// Every row of A += α · row, a 1×cols vector.
  virtual void add_row(T alpha, ConstView<T> row, View<T> a) = 0;
  /// sums ← α 1ᵀA + β sums, a 1×cols vector.
  virtual void column_sums(T alpha, ConstView<T> a, T beta, View<T> sums) = 0;
  /// out_k = row index[k] of A.
  virtual void gather_rows(ConstView<T> a, const std::int32_t* index, View<T> out) = 0;
  /// Row index[k] of out += row k of A; indices do not repeat.
  virtual void scatter_rows(ConstView<T> a, const std::int32_t* index, View<T> out) = 0;

  // ---- sparse
  // ---------------------------------------------------------------------------------------------------
  /// C ← α op(A) B + β C.
  virtual void spmm(T alpha, Op op, const Sparse<T>& a, ConstView<T> b, T beta, View<T> c) = 0;

  // ---- kernels
  // --------------------------------------------------------------------------------------------------
  /// K = Φ(G) for a symmetric G with row norms s.
  virtual void kernel_matrix(KernelKind kind, ConstView<T> g, ConstView<T> s, View<T> k) = 0;
  /// g_bar ← gradient off the diagonal; s_bar += gradient of the norms (the diagonal is a function of them).
  virtual void kernel_matrix_backward(KernelKind kind, ConstView<T> g, ConstView<T> s, ConstView<T> k_bar,
                                      View<T> g_bar, View<T> s_bar) = 0;
  /// out ← Φ(F_t F_iᵀ) S: product, nonlinearity, product, row block by row block; the n×m kernel is never
  /// stored. `fill` is that of F_i.
  virtual void kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                            ConstView<T> s_i, Fill fill, ConstView<T> s, View<T> out) = 0;
  /// Backward of kernel_times; the kernel is recomputed, block by block. s_bar is assigned; f_t_bar is
  /// assigned when beta = 0 and added to when beta = 1; f_i_bar (within `fill`) and s_i_bar are added to.
  /// What reaches the norms of F_t is added to s_t_bar, or to f_t_bar where s_t_bar is empty: s_t is then
  /// ‖F_t‖.
  virtual void kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                                     ConstView<T> s_i, Fill fill, ConstView<T> s, ConstView<T> out_bar,
                                     View<T> s_bar, T beta, View<T> f_t_bar, View<T> f_i_bar, View<T> s_i_bar,
                                     View<T> s_t_bar) = 0;

  // ---- random numbers and the categorical likelihood
  // ------------------------------------------------------------
  virtual void normals(const Stream& stream, View<T> out) = 0;
  /// Logits of row r and sample s are mean_r + deviation_r · ε_rs. value += Σ_r mean_s log softmax(…)_label;
  /// mean_bar and deviation_bar ← scale · gradient. `first` is the position of row 0 among all labelled rows:
  /// the noise of a row does not depend on how rows are cut into blocks.
  virtual void node_log_likelihood(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                                   Index first, Index samples, const Stream& stream, T scale, View<T> value,
                                   View<T> mean_bar, View<T> deviation_bar) = 0;
  /// Logits of sample s are columns [sC, (s+1)C). value += Σ_r mean_s log softmax_label; logits ← scale ·
  /// gradient.
  virtual void softmax_log_likelihood(View<T> logits, const std::int32_t* label, Index samples, T scale,
                                      View<T> value) = 0;
  /// Outputs of row r are N(mean_r, deviation_r² I), and the targets they are seen as have noise σ² =
  /// exp(log_noise): value += Σ E log N(target; output, σ² I); mean_bar and deviation_bar ← scale · gradient,
  /// log_noise_bar += it.
  virtual void gaussian_log_likelihood(ConstView<T> mean, ConstView<T> deviation, ConstView<T> target,
                                       ConstView<T> log_noise, T scale, View<T> value, View<T> mean_bar,
                                       View<T> deviation_bar, View<T> log_noise_bar) = 0;
  /// out_r = mean over samples s of softmax(mean_r + deviation_r · noise_s).
  virtual void mean_softmax(ConstView<T> mean, ConstView<T> deviation, ConstView<T> noise, View<T> out) = 0;

  // ---- neural networks
  // ------------------------------------------------------------------------------------------
  /// X ← max(X, 0), then every entry is dropped (set to 0) with probability `dropout` and the others are
  /// divided by 1 − dropout. What becomes of entry k, row by row, depends on `stream` and k alone
  /// (dropout.hpp).
  virtual void relu(double dropout, const Stream& stream, View<T> x) = 0;
  /// x_bar ← gradient before `relu`, given what it put out: what is zero there passes nothing on.
  virtual void relu_backward(ConstView<T> out, double dropout, View<T> x_bar) = 0;
  /// Mean and variance (over rows, divided by their number) of every column; 1×cols vectors.
  virtual void column_moments(ConstView<T> x, View<T> mean, View<T> variance) = 0;
  /// X ← (X − mean) / √(variance + ε), column by column.
  virtual void standardise(ConstView<T> mean, ConstView<T> variance, T epsilon, View<T> x) = 0;
  /// x_bar ← gradient before `standardise`, given what it put out, when the moments were those of X itself.
  virtual void standardise_backward(ConstView<T> out, ConstView<T> variance, T epsilon, View<T> x_bar) = 0;
  /// length_r = √(mean of the squares of row r + ε); X ← rows divided by it.
  virtual void normalise_rows(T epsilon, View<T> x, View<T> length) = 0;
  /// x_bar ← gradient before `normalise_rows`, given what it put out.
  virtual void normalise_rows_backward(ConstView<T> out, ConstView<T> length, View<T> x_bar) = 0;
  /// count ← how many rows have their largest score (of equals the first) at their label.
  virtual void count_correct(ConstView<T> scores, const std::int32_t* label, View<T> count) = 0;

  // ---- training
  // -------------------------------------------------------------------------------------------------
  virtual void set_clock(const Clock& now, Clock* clock) = 0;
  virtual void adam(const AdamStep& step, ConstView<T> gradient, View<T> first, View<T> second,
                    View<T> parameter) = 0;
};

}  // namespace gdkm
