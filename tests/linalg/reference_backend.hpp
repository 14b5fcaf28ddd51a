#pragma once

#include "gdkm/linalg/backend.hpp"

namespace gdkm::testing {

/// Every primitive as its definition reads: plain loops in double precision, on one thread, as slow as they
/// are. What other backends are compared with.
class ReferenceBackend final : public Backend<double> {
 public:
  using In = ConstView<double>;
  using Out = View<double>;

  std::string description() const override { return "reference"; }
  std::size_t bytes_in_use() const override { return 0; }
  void* allocate(std::size_t bytes) override { return ::operator new(bytes); }
  void release(void* memory, std::size_t) noexcept override { ::operator delete(memory); }
  void upload(const void* host, void* device, std::size_t bytes) override;
  void download(const void* device, void* host, std::size_t bytes) const override;
  std::unique_ptr<Recording> record(std::function<void()>) override { return nullptr; }
  std::unique_ptr<Readback> make_readback(std::size_t) override { return nullptr; }
  void reserve(Index, Index, bool) override {}
  Index rows_at_a_time(Index rows) const override { return rows; }

  void gemm(double alpha, Op op_a, In a, Op op_b, In b, double beta, Out c) override;
  void gram(In f, Out g) override { gemm(1, Op::none, f, Op::transpose, f, 0, g); }
  void times_lower(In a, Op op, In l, Out c) override { gemm(1, Op::none, a, op, l, 0, c); }
  void lower_product(In a, In b, double beta, Out c) override {
    gemm(1, Op::transpose, a, Op::none, b, beta, c);
  }
  void add(double alpha, In a, double beta, Out c) override;
  void log_softmax(In raw, Out out) override;
  void log_softmax_backward(In out, In out_bar, Out raw_bar) override;
  void add_exp_scaled(double factor, In exponent, In a, double beta, Out c) override;
  void fill(Out a, double value) override;
  void identity(Out a) override;
  void transpose(In a, Out b) override;
  void anti_transpose(In a, Out b) override;
  void keep_lower(Out a, double diagonal) override;
  void symmetrise(Out a) override;
  void dot(double alpha, In a, In b, double beta, Out value) override;
  void cholesky(In k, double jitter, Out h, Out inverse, Out used) override;
  void cholesky_of_gram(In f, double jitter, Out h, Out inverse, Out used) override;
  void solve_lower(Op op, In l, Out b) override;
  void positive_lower(In raw, Out l) override;
  void lower_parameter(In l, Out raw) override;
  void positive_lower_backward(In l, In l_bar, Out raw_bar) override;
  void normal_kl(In l, double weight, Out l_bar, Out value) override;
  void row_norms(In f, Out s) override;
  void row_norms_backward(In f, In s, In s_bar, Out f_bar) override;
  void scale_rows(In s, In a, Out out) override;
  void add_row(double alpha, In row, Out a) override;
  void column_sums(double alpha, In a, double beta, Out sums) override;
  void gather_rows(In a, const std::int32_t* index, Out out) override;
  void scatter_rows(In a, const std::int32_t* index, Out out) override;
  void spmm(double alpha, Op op, const Sparse<double>& a, In b, double beta, Out c) override;
  void kernel_matrix(KernelKind kind, In g, In s, Out k) override;
  void kernel_matrix_backward(KernelKind kind, In g, In s, In k_bar, Out g_bar, Out s_bar) override;
  void kernel_times(KernelKind kind, In f_t, In s_t, In f_i, In s_i, Fill fill, In s, Out out,
                    Out kept = {}) override;
  void kernel_times_backward(KernelKind kind, In f_t, In s_t, In f_i, In s_i, Fill fill, In s, In out_bar,
                             Out s_bar, double beta, Out f_t_bar, Out f_i_bar, Out s_i_bar, Out s_t_bar,
                             In kept = {}) override;
  void normals(const Stream& stream, Out out) override;
  void node_log_likelihood(In mean, In deviation, const std::int32_t* label, RowNumbers number, Index samples,
                           const Stream& stream, double scale, Out value, Out mean_bar,
                           Out deviation_bar) override;
  void softmax_moments(In mean, In deviation, const std::int32_t* label, RowNumbers number, Index pairs,
                       const Stream& stream, Out value, Out residual, Out precision, Out curvature) override;
  void softmax_expectations(In mean, In deviation, const std::int32_t* label, Out value, Out residual,
                            Out precision, Out curvature) override;
  void softmax_log_likelihood(Out logits, const std::int32_t* label, Index samples, double scale,
                              Out value) override;
  void gaussian_log_likelihood(In mean, In deviation, In target, In log_noise, double scale, Out value,
                               Out mean_bar, Out deviation_bar, Out log_noise_bar) override;
  void mean_softmax(In mean, In deviation, In noise, Out out) override;
  void relu(double dropout, const Stream& stream, Out x) override;
  void relu_backward(In out, double dropout, Out x_bar) override;
  void column_moments(In x, Out mean, Out variance) override;
  void standardise(In mean, In variance, double epsilon, Out x) override;
  void standardise_backward(In out, In variance, double epsilon, Out x_bar) override;
  void normalise_rows(double epsilon, Out x, Out length) override;
  void normalise_rows_backward(In out, In length, Out x_bar) override;
  void count_correct(In scores, const std::int32_t* label, Out count) override;
  void set_clock(const Clock& now, Clock* clock) override { *clock = now; }
  void adam(const AdamStep& step, In gradient, Out first, Out second, Out parameter) override;
};

}  // namespace gdkm::testing
