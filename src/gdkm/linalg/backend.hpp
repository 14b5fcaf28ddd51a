#pragma once

#include <memory>
#include <span>

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/gpu_queue.hpp"
#include "gdkm/linalg/jitter.hpp"
#include "gdkm/linalg/matrix.hpp"
#include "gdkm/linalg/sparse.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {

enum class Op { none, transpose };

/// Whether a matrix is known to be lower triangular. If it is, products with it cost half.
enum class Fill { full, lower };

/// Which entries of a factor may be nonzero, or which entries of a product are needed. A triangle includes
/// the diagonal.
enum class Region { all, lower, upper };

/// op(A), where entries outside `part` are zero.
template <class T>
struct Factor {
  Op op;
  ConstView<T> view;
  Region part = Region::all;

  Index rows() const { return op == Op::none ? view.rows : view.cols; }
  Index cols() const { return op == Op::none ? view.cols : view.rows; }
};

/// The values that change from one training step to the next. They are on the device, so that a recorded step
/// can be replayed.
struct Clock {
  double rate = 0;
  std::int64_t count = 1;  // Adam's step count; 1 for the first step
  std::uint32_t turn = 0;  // selects the random numbers of the step
};

struct AdamStep {
  double rate = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  std::int64_t count = 1;
  const Clock* clock = nullptr;  // on the device; if given, its rate and count replace those here
  double factor = 1;             // of the rate, with or without a clock
};

/// The numbers of rows among all labelled items, on which their random numbers depend: first, first + 1, …,
/// or as given. So these numbers depend neither on blocks nor on which rank has the item.
struct RowNumbers {
  Index first = 0;
  const std::int32_t* given = nullptr;  // on the device

  RowNumbers(Index first_, const std::int32_t* given_ = nullptr) : first(first_), given(given_) {}
  GDKM_HOST_DEVICE Index operator[](Index row) const {
    return given == nullptr ? first + row : Index{given[row]};
  }
};

class Communicator;

/// The primitives that layers are written in. All that compute but gemm_part are pure virtual, so a backend
/// that lacks one does not compile.
///
/// Views say who has what of them (Space). One process ignores that; where ranks share a graph, a backend
/// (linalg/distributed) adds up what products over nodes contribute, and refuses what makes no sense.
///
/// Matrices are row-major and stored on the backend's device; `x_bar` is the gradient of the loss with
/// respect to x. After `reserve` has been called with the largest sizes, a primitive allocates nothing. Its
/// result depends only on its arguments. Scalars that a step produces (losses, the jitter used) are written
/// to 1×1 views on the device, so that the host never has to wait.
template <class T>
class Backend : public Device {
 public:
  /// Prepares workspaces for `inducing` points and inputs of `width` columns. `by_qr`: cholesky_of_gram will
  /// be used as well.
  virtual void reserve(Index inducing, Index width, bool by_qr) = 0;
  /// The best number of rows to process at a time, for a matrix of `rows` rows and m columns.
  virtual Index rows_at_a_time(Index rows) const = 0;

  // ---- ranks
  // ----------------------------------------------------------------------------------------------------
  /// The processes that share the graph; null where there is one.
  virtual Communicator* ranks() const { return nullptr; }
  /// Whether the host can read and write the memory of this device.
  virtual bool is_host() const { return false; }
  /// The GPU, where it is one; null otherwise.
  virtual const GpuQueue* gpu() const { return nullptr; }
  /// Adds up the terms of all ranks (Space::terms), in place: every rank has the sums. See sum_over_nodes.
  virtual void total(std::span<const View<T>> /*sums*/) {}

  // ---- dense
  // ----------------------------------------------------------------------------------------------------
  /// C ← α op(A) op(B) + β C.
  virtual void gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c) = 0;
  /// The same, but C is undefined outside `wanted`. A backend may use the triangles to save work.
  virtual void gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                         Region /*wanted*/ = Region::all) {
    gemm(alpha, a.op, a.view, b.op, b.view, beta, c);
  }
  /// G ← F Fᵀ, symmetric.
  virtual void gram(ConstView<T> f, View<T> g) = 0;
  /// C ← A op(L), with L lower triangular.
  virtual void times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) = 0;
  /// C ← AᵀB + β C on and below the diagonal; C is undefined above it.
  virtual void lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) = 0;
  /// C ← α A + β C; with β = 0 the old C is not read.
  virtual void add(T alpha, ConstView<T> a, T beta, View<T> c) = 0;
  /// C ← exp(factor · exponent) A + β C, with the exponent in a 1×1 view on the device.
  virtual void add_exp_scaled(T factor, ConstView<T> exponent, ConstView<T> a, T beta, View<T> c) = 0;
  virtual void fill(View<T> a, T value) = 0;
  virtual void identity(View<T> a) = 0;
  /// B ← Aᵀ.
  virtual void transpose(ConstView<T> a, View<T> b) = 0;
  /// B ← A mirrored in its other diagonal: B_ij = A_(m−1−j)(m−1−i), for square matrices. A lower triangle
  /// stays one, and B is not A.
  virtual void anti_transpose(ConstView<T> a, View<T> b) = 0;
  /// Sets the entries above the diagonal to 0 and multiplies the diagonal by `diagonal`.
  virtual void keep_lower(View<T> a, T diagonal) = 0;
  /// A ← (A + Aᵀ)/2.
  virtual void symmetrise(View<T> a) = 0;
  /// value ← α Σ A∘B + β value.
  virtual void dot(T alpha, ConstView<T> a, ConstView<T> b, T beta, View<T> value) = 0;
  /// out ← raw − log Σ exp(raw), for a 1×k vector of a few numbers.
  virtual void log_softmax(ConstView<T> raw, View<T> out) = 0;
  /// raw_bar += the gradient of raw, given the result of log_softmax and its gradient.
  virtual void log_softmax_backward(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) = 0;

  // ---- factorisations
  // -------------------------------------------------------------------------------------------
  /// H with H Hᵀ = K + εI, ε = jitter · mean diagonal, and H⁻¹; both are lower triangular with zeros above.
  /// The jitter grows tenfold until the factorisation succeeds. `used` receives the jitter used, infinity if
  /// even `max_jitter` failed, or NaN if K is not finite; in the last two cases H is the identity.
  virtual void cholesky(ConstView<T> k, T jitter, View<T> h, View<T> inverse, View<T> used) = 0;
  /// The same for K = F Fᵀ, without the loss of accuracy of forming F Fᵀ in this precision: by a QR of Fᵀ, or
  /// in a higher precision.
  virtual void cholesky_of_gram(ConstView<T> f, T jitter, View<T> h, View<T> inverse, View<T> used) = 0;
  /// B ← op(L)⁻¹ B, with L lower triangular; what is above its diagonal is not read.
  virtual void solve_lower(Op op, ConstView<T> l, View<T> b) = 0;

  // ---- triangular parameters with a positive diagonal: L_jj = exp(raw_jj)
  // ------------------------
  virtual void positive_lower(ConstView<T> raw, View<T> l) = 0;
  /// The inverse: raw with positive_lower(raw) = L.
  virtual void lower_parameter(ConstView<T> l, View<T> raw) = 0;
  /// raw_bar += the gradient with respect to the parameter.
  virtual void positive_lower_backward(ConstView<T> l, ConstView<T> l_bar, View<T> raw_bar) = 0;
  /// value ← KL(N(0, LLᵀ) ‖ N(0, I)) = ½(‖L‖² − 2 Σ log L_jj − rows); l_bar += weight · its gradient.
  virtual void normal_kl(ConstView<T> l, T weight, View<T> l_bar, View<T> value) = 0;

  // ---- rows
  // -----------------------------------------------------------------------------------------------------
  /// s_j = ‖row j of F‖, s a 1×rows vector.
  virtual void row_norms(ConstView<T> f, View<T> s) = 0;
  /// f_bar += diag(s_bar / s) F, the backward of row_norms. Zero rows get no gradient.
  virtual void row_norms_backward(ConstView<T> f, ConstView<T> s, ConstView<T> s_bar, View<T> f_bar) = 0;
  /// out_r = s_r · row r of A, s a 1×rows vector.
  virtual void scale_rows(ConstView<T> s, ConstView<T> a, View<T> out) = 0;
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
  /// g_bar ← the gradient off the diagonal; s_bar += the gradient of the norms, which define the diagonal.
  virtual void kernel_matrix_backward(KernelKind kind, ConstView<T> g, ConstView<T> s, ConstView<T> k_bar,
                                      View<T> g_bar, View<T> s_bar) = 0;
  /// out ← Φ(F_t F_iᵀ) S, in blocks of rows, so that the n×m kernel is never stored. `fill` describes F_i.
  /// `kept` (n×m), if given, receives F_t F_iᵀ.
  virtual void kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                            ConstView<T> s_i, Fill fill, ConstView<T> s, View<T> out, View<T> kept = {}) = 0;
  /// Backward of kernel_times, which computes the kernel again block by block, from `kept` if given. Assigns
  /// s_bar; assigns f_t_bar if beta = 0 and adds to it if beta = 1; adds to f_i_bar (within `fill`) and
  /// s_i_bar. Adds the gradient of s_t to s_t_bar, or, if s_t_bar is empty, to f_t_bar: s_t is then ‖F_t‖.
  virtual void kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                                     ConstView<T> s_i, Fill fill, ConstView<T> s, ConstView<T> out_bar,
                                     View<T> s_bar, T beta, View<T> f_t_bar, View<T> f_i_bar, View<T> s_i_bar,
                                     View<T> s_t_bar, ConstView<T> kept = {}) = 0;

  // ---- random numbers and the categorical likelihood
  // ------------------------------------------------------------
  virtual void normals(const Stream& stream, View<T> out) = 0;
  /// Logits of row r and sample s are mean_r + deviation_r · ε_rs. value += Σ_r mean_s log softmax(…)_label;
  /// mean_bar and deviation_bar ← scale · gradient. `number` says which noise a row gets.
  virtual void node_log_likelihood(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                                   RowNumbers number, Index samples, const Stream& stream, T scale,
                                   View<T> value, View<T> mean_bar, View<T> deviation_bar) = 0;
  /// What natural-gradient updates need to know of logits mean_r + deviation_r · ε, ε ~ N(0, I), of row r,
  /// with expectations over `pairs` draws and their mirror images: value += Σ_r E log softmax_label;
  /// residual_r = onehot − E p with p = softmax(…); precision_r = mean over classes of E p(1 − p), so that
  /// −deviation · C · precision is the derivative by the deviation; curvature_r = softmax_curvature of the
  /// largest p̄(1 − p̄), p̄ = E p, and of the residual at the label. `number`: see node_log_likelihood.
  virtual void softmax_moments(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                               RowNumbers number, Index pairs, const Stream& stream, View<T> value,
                               View<T> residual, View<T> precision, View<T> curvature) = 0;
  /// The same without draws, by quadrature (see SmoothedGumbel); takes as long as some 300 pairs. The
  /// curvature is that of the largest E p(1 − p), whose double bounds E (diag(p) − ppᵀ); it may vanish.
  virtual void softmax_expectations(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                                    View<T> value, View<T> residual, View<T> precision,
                                    View<T> curvature) = 0;
  /// Logits of sample s are columns [sC, (s+1)C). value += Σ_r mean_s log softmax_label; logits ← scale ·
  /// gradient.
  virtual void softmax_log_likelihood(View<T> logits, const std::int32_t* label, Index samples, T scale,
                                      View<T> value) = 0;
  /// Outputs of row r are N(mean_r, deviation_r² I); targets are outputs with noise of variance σ² =
  /// exp(log_noise). value += Σ E log N(target; output, σ² I); mean_bar and deviation_bar ← scale · gradient;
  /// log_noise_bar += scale · gradient.
  virtual void gaussian_log_likelihood(ConstView<T> mean, ConstView<T> deviation, ConstView<T> target,
                                       ConstView<T> log_noise, T scale, View<T> value, View<T> mean_bar,
                                       View<T> deviation_bar, View<T> log_noise_bar) = 0;
  /// out_r = mean over samples s of softmax(mean_r + deviation_r · noise_s).
  virtual void mean_softmax(ConstView<T> mean, ConstView<T> deviation, ConstView<T> noise, View<T> out) = 0;

  // ---- neural networks
  // ------------------------------------------------------------------------------------------
  /// X ← max(X, 0). Then every entry is dropped (set to 0) with probability `dropout`, and the others are
  /// divided by 1 − dropout. Whether entry k (counted row by row) is dropped depends only on `stream` and k:
  /// see dropout.hpp.
  virtual void relu(double dropout, const Stream& stream, View<T> x) = 0;
  /// Backward of `relu`, given its output: x_bar ← 0 where the output is 0.
  virtual void relu_backward(ConstView<T> out, double dropout, View<T> x_bar) = 0;
  /// The mean and the (biased) variance of every column; 1×cols vectors.
  virtual void column_moments(ConstView<T> x, View<T> mean, View<T> variance) = 0;
  /// X ← (X − mean) / √(variance + ε), column by column.
  virtual void standardise(ConstView<T> mean, ConstView<T> variance, T epsilon, View<T> x) = 0;
  /// Backward of `standardise`, given its output, if the moments were those of X.
  virtual void standardise_backward(ConstView<T> out, ConstView<T> variance, T epsilon, View<T> x_bar) = 0;
  /// length_r = √(mean square of row r + ε); divides row r of X by length_r.
  virtual void normalise_rows(T epsilon, View<T> x, View<T> length) = 0;
  /// Backward of `normalise_rows`, given its output.
  virtual void normalise_rows_backward(ConstView<T> out, ConstView<T> length, View<T> x_bar) = 0;
  /// count ← the number of rows whose largest score (the first among equals) is that of their label.
  virtual void count_correct(ConstView<T> scores, const std::int32_t* label, View<T> count) = 0;

  // ---- training
  // -------------------------------------------------------------------------------------------------
  virtual void set_clock(const Clock& now, Clock* clock) = 0;
  virtual void adam(const AdamStep& step, ConstView<T> gradient, View<T> first, View<T> second,
                    View<T> parameter) = 0;
};

}  // namespace gdkm
