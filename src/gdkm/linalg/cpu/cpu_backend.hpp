#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/cpu/cache_aligned.hpp"
#include "gdkm/linalg/cpu/panels.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// The primitives on a CPU. A fixed team of threads splits the rows or columns; each thread runs our own
/// products (panels.hpp) and single-threaded LAPACK. For a given number of threads, all runs give
/// bit-identical results.
template <class T>
class CpuBackend final : public Backend<T> {
 public:
  explicit CpuBackend(int threads = 0);

  std::string description() const override;
  std::size_t bytes_in_use() const override;
  void* allocate(std::size_t bytes) override;
  void release(void* memory, std::size_t bytes) noexcept override;
  void upload(const void* host, void* device, std::size_t bytes) override;
  void download(const void* device, void* host, std::size_t bytes) const override;
  std::unique_ptr<Recording> record(std::function<void()> work) override;
  std::unique_ptr<Readback> make_readback(std::size_t bytes) override;
  void reserve(Index inducing, Index width, bool by_qr) override;
  bool can_spare(std::size_t bytes) const override;
  Index rows_at_a_time(Index rows) const override;
  bool is_host() const override { return true; }

  // gemm.hpp
  void gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c) override;
  void gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c, Region wanted) override;
  void gram(ConstView<T> f, View<T> g) override;
  void times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) override;
  void lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) override;
  // elementwise.hpp
  void add(T alpha, ConstView<T> a, T beta, View<T> c) override;
  void add_exp_scaled(T factor, ConstView<T> exponent, ConstView<T> a, T beta, View<T> c) override;
  void fill(View<T> a, T value) override;
  void identity(View<T> a) override;
  void transpose(ConstView<T> a, View<T> b) override;
  void anti_transpose(ConstView<T> a, View<T> b) override;
  void keep_lower(View<T> a, T diagonal) override;
  void symmetrise(View<T> a) override;
  void dot(T alpha, ConstView<T> a, ConstView<T> b, T beta, View<T> value) override;
  void log_softmax(ConstView<T> raw, View<T> out) override;
  void log_softmax_backward(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) override;
  void set_clock(const Clock& now, Clock* clock) override { *clock = now; }
  void adam(const AdamStep& step, ConstView<T> gradient, View<T> first, View<T> second,
            View<T> parameter) override;
  // cholesky.hpp
  void cholesky(ConstView<T> k, T jitter, View<T> h, View<T> inverse, View<T> used) override;
  void cholesky_of_gram(ConstView<T> f, T jitter, View<T> h, View<T> inverse, View<T> used) override;
  // solve_lower.hpp
  void solve_lower(Op op, ConstView<T> l, View<T> b) override;
  // positive_lower.hpp
  void positive_lower(ConstView<T> raw, View<T> l) override;
  void lower_parameter(ConstView<T> l, View<T> raw) override;
  void positive_lower_backward(ConstView<T> l, ConstView<T> l_bar, View<T> raw_bar) override;
  void normal_kl(ConstView<T> l, T weight, View<T> l_bar, View<T> value) override;
  // rows.hpp
  void row_norms(ConstView<T> f, View<T> s) override;
  void row_norms_backward(ConstView<T> f, ConstView<T> s, ConstView<T> s_bar, View<T> f_bar) override;
  void scale_rows(ConstView<T> s, ConstView<T> a, View<T> out) override;
  void add_row(T alpha, ConstView<T> row, View<T> a) override;
  void column_sums(T alpha, ConstView<T> a, T beta, View<T> sums) override;
  void gather_rows(ConstView<T> a, const std::int32_t* index, View<T> out) override;
  void scatter_rows(ConstView<T> a, const std::int32_t* index, View<T> out) override;
  // spmm.hpp
  void spmm(T alpha, Op op, const Sparse<T>& a, ConstView<T> b, T beta, View<T> c) override;
  // kernel_matrix.hpp
  void kernel_matrix(KernelKind kind, ConstView<T> g, ConstView<T> s, View<T> k) override;
  void kernel_matrix_backward(KernelKind kind, ConstView<T> g, ConstView<T> s, ConstView<T> k_bar,
                              View<T> g_bar, View<T> s_bar) override;
  // kernel_times.hpp
  void kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i, ConstView<T> s_i,
                    Fill fill, ConstView<T> s, View<T> out, View<T> kept = {}) override;
  void kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                             ConstView<T> s_i, Fill fill, ConstView<T> s, ConstView<T> out_bar, View<T> s_bar,
                             T beta, View<T> f_t_bar, View<T> f_i_bar, View<T> s_i_bar, View<T> s_t_bar,
                             ConstView<T> kept = {}) override;
  // likelihood.hpp
  void normals(const Stream& stream, View<T> out) override;
  void node_log_likelihood(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                           RowNumbers number, Index samples, const Stream& stream, T scale, View<T> value,
                           View<T> mean_bar, View<T> deviation_bar) override;
  void softmax_moments(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                       RowNumbers number, Index pairs, const Stream& stream, View<T> value, View<T> residual,
                       View<T> precision, View<T> curvature) override;
  void softmax_expectations(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                            View<T> value, View<T> residual, View<T> precision, View<T> curvature) override;
  void softmax_log_likelihood(View<T> logits, const std::int32_t* label, Index samples, T scale,
                              View<T> value) override;
  void gaussian_log_likelihood(ConstView<T> mean, ConstView<T> deviation, ConstView<T> target,
                               ConstView<T> log_noise, T scale, View<T> value, View<T> mean_bar,
                               View<T> deviation_bar, View<T> log_noise_bar) override;
  void mean_softmax(ConstView<T> mean, ConstView<T> deviation, ConstView<T> noise, View<T> out) override;
  // relu.hpp
  void relu(double dropout, const Stream& stream, View<T> x) override;
  void relu_backward(ConstView<T> out, double dropout, View<T> x_bar) override;
  // standardise.hpp
  void column_moments(ConstView<T> x, View<T> mean, View<T> variance) override;
  void standardise(ConstView<T> mean, ConstView<T> variance, T epsilon, View<T> x) override;
  void standardise_backward(ConstView<T> out, ConstView<T> variance, T epsilon, View<T> x_bar) override;
  // normalise_rows.hpp
  void normalise_rows(T epsilon, View<T> x, View<T> length) override;
  void normalise_rows_backward(ConstView<T> out, ConstView<T> length, View<T> x_bar) override;
  // count_correct.hpp
  void count_correct(ConstView<T> scores, const std::int32_t* label, View<T> count) override;

 private:
  /// Memory for `count` numbers, which belongs to `thread` until its next call.
  T* scratch(int thread, Index count);
  /// Adds up the scratch of all threads, from `offset` on, in the order of the threads.
  void sum_scratch(int threads, Index offset, T beta, View<T> out);

  /// Memory for `panels::chunk` numbers, in which `thread` keeps the right factor of a product.
  T* packing(int thread) { return packing_[static_cast<std::size_t>(thread)].data(); }
  /// Right factors in panels, shared by all threads. They are valid until the next call.
  template <std::size_t count>
  std::array<panels::Panels<T>, count> in_panels(const Factor<T> (&factors)[count]);
  /// C ← α A B + β C, split by columns so that all threads have equal work.
  void shared_product(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                      Region wanted = Region::all);
  /// The same, split by rows.
  void times_by_rows(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c);
  /// Overwrites the lower triangle of a symmetric matrix by its Cholesky factor. Above it are zeros, before
  /// and after. Returns false if a pivot is not positive.
  bool factor_lower(View<T> h);
  /// H⁻¹ of a lower-triangular H, with zeros above.
  void invert_lower(ConstView<T> h, View<T> inverse);
  /// Copies the lower triangle to the upper one.
  void mirror_lower(View<T> a);

  ThreadPool pool_;
  std::string blas_;
  std::vector<std::vector<T>> scratch_;
  std::vector<CacheAligned<T>> packing_;
  CacheAligned<T> shared_panels_;
  std::vector<Index> cursor_;  // of spmm
  std::atomic<std::size_t> bytes_{0};
};

/// A matrix with fewer entries than this is not worth a second thread.
inline constexpr Index small_work = 16384;

}  // namespace gdkm
