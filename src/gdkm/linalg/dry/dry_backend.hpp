#pragma once

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// What calls of primitives cost.
struct Work {
  double flops = 0;  // of dense products
  double bytes = 0;  // that all other primitives read and write
  double calls = 0;
};

/// A backend that computes nothing and stores nothing. It counts the arithmetic, the memory traffic and the
/// memory of what it is asked to do. So a step on it says what the step costs, on data of any size.
template <class T>
class DryBackend final : public Backend<T> {
 public:
  const Work& work() const { return work_; }
  std::size_t most_bytes() const { return most_; }
  void forget_work() { work_ = {}; }

  std::string description() const override { return "nothing, to count what it would cost"; }
  std::size_t bytes_in_use() const override { return bytes_; }
  void* allocate(std::size_t bytes) override;
  void release(void* memory, std::size_t bytes) noexcept override;
  void upload(const void*, void*, std::size_t) override {}
  void download(const void* device, void* host, std::size_t bytes) const override;
  std::unique_ptr<Recording> record(std::function<void()> work) override;
  std::unique_ptr<Readback> make_readback(std::size_t bytes) override;
  void reserve(Index, Index, bool) override {}
  Index rows_at_a_time(Index) const override { return 512; }

  void gemm(T, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T, View<T>) override {
    const Index inner = op_a == Op::none ? a.cols : a.rows;
    product(op_a == Op::none ? a.rows : a.cols, inner, op_b == Op::none ? b.cols : b.rows);
  }
  void gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c, Region) override {
    gemm(alpha, a.op, a.view, b.op, b.view, beta, c);
  }
  void gram(ConstView<T> f, View<T>) override { product(f.rows, f.cols, f.rows); }
  void times_lower(ConstView<T> a, Op, ConstView<T>, View<T>) override {
    product(a.rows, a.cols, a.cols, 0.5);
  }
  void lower_product(ConstView<T> a, ConstView<T> b, T, View<T>) override {
    product(a.cols, a.rows, b.cols, 0.5);
  }
  void add(T, ConstView<T> a, T, View<T>) override { touch(a, 3); }
  void add_exp_scaled(T, ConstView<T>, ConstView<T> a, T, View<T>) override { touch(a, 3); }
  void fill(View<T> a, T) override { touch(a, 1); }
  void identity(View<T> a) override { touch(a, 1); }
  void transpose(ConstView<T> a, View<T>) override { touch(a, 2); }
  void anti_transpose(ConstView<T> a, View<T>) override { touch(a, 2); }
  void keep_lower(View<T> a, T) override { touch(a, 1); }
  void symmetrise(View<T> a) override { touch(a, 2); }
  void dot(T, ConstView<T> a, ConstView<T>, T, View<T>) override { touch(a, 2); }
  void log_softmax(ConstView<T> a, View<T>) override { touch(a, 2); }
  void log_softmax_backward(ConstView<T> a, ConstView<T>, View<T>) override { touch(a, 3); }
  /// The factor and its inverse; the rows of panels are short, so that they run at a fraction of the rate.
  void cholesky(ConstView<T> k, T, View<T>, View<T>, View<T>) override {
    product(k.rows, k.rows, k.rows, 4.0 / 3);
  }
  void cholesky_of_gram(ConstView<T> f, T, View<T>, View<T>, View<T>) override {
    product(f.rows, f.cols, f.rows, 2);
    product(f.rows, f.rows, f.rows, 4.0 / 3);
  }
  void solve_lower(Op, ConstView<T> l, View<T> b) override { product(l.rows, l.rows, b.cols, 0.5); }
  void positive_lower(ConstView<T> a, View<T>) override { touch(a, 2); }
  void lower_parameter(ConstView<T> a, View<T>) override { touch(a, 2); }
  void positive_lower_backward(ConstView<T> a, ConstView<T>, View<T>) override { touch(a, 4); }
  void normal_kl(ConstView<T> a, T, View<T>, View<T>) override { touch(a, 3); }
  void row_norms(ConstView<T> a, View<T>) override { touch(a, 1); }
  void row_norms_backward(ConstView<T> a, ConstView<T>, ConstView<T>, View<T>) override { touch(a, 3); }
  void scale_rows(ConstView<T>, ConstView<T> a, View<T>) override { touch(a, 2); }
  void add_row(T, ConstView<T>, View<T> a) override { touch(a, 2); }
  void column_sums(T, ConstView<T> a, T, View<T>) override { touch(a, 1); }
  void gather_rows(ConstView<T>, const std::int32_t*, View<T> out) override { touch(out, 2); }
  void scatter_rows(ConstView<T> a, const std::int32_t*, View<T>) override { touch(a, 3); }
  /// Rows of B are read once for each entry, from a cache if they are in one.
  void spmm(T, Op op, const Sparse<T>& a, ConstView<T> b, T, View<T> c) override;
  void kernel_matrix(KernelKind, ConstView<T> g, ConstView<T>, View<T>) override { touch(g, kernel_passes); }
  void kernel_matrix_backward(KernelKind, ConstView<T> g, ConstView<T>, ConstView<T>, View<T>,
                              View<T>) override {
    touch(g, 2 * kernel_passes);
  }
  void kernel_times(KernelKind, ConstView<T> f_t, ConstView<T>, ConstView<T> f_i, ConstView<T>, Fill,
                    ConstView<T> s, View<T>, View<T>) override;
  void kernel_times_backward(KernelKind, ConstView<T> f_t, ConstView<T>, ConstView<T> f_i, ConstView<T>, Fill,
                             ConstView<T> s, ConstView<T>, View<T>, T, View<T>, View<T>, View<T>, View<T>,
                             ConstView<T>) override;
  void normals(const Stream&, View<T> out) override { touch(out, kernel_passes); }
  void node_log_likelihood(ConstView<T> mean, ConstView<T>, const std::int32_t*, RowNumbers, Index samples,
                           const Stream&, T, View<T>, View<T>, View<T>) override {
    touch(mean, kernel_passes * static_cast<double>(samples));
  }
  void softmax_moments(ConstView<T> mean, ConstView<T>, const std::int32_t*, RowNumbers, Index pairs,
                       const Stream&, View<T>, View<T>, View<T>, View<T>) override {
    touch(mean, 2 * kernel_passes * static_cast<double>(pairs));
  }
  void softmax_expectations(ConstView<T> mean, ConstView<T>, const std::int32_t*, View<T>, View<T>, View<T>,
                            View<T>) override {
    touch(mean, 600 * kernel_passes);
  }
  void softmax_log_likelihood(View<T> logits, const std::int32_t*, Index, T, View<T>) override {
    touch(logits, kernel_passes);
  }
  void gaussian_log_likelihood(ConstView<T> mean, ConstView<T>, ConstView<T>, ConstView<T>, T, View<T>,
                               View<T>, View<T>, View<T>) override {
    touch(mean, 4);
  }
  void mean_softmax(ConstView<T> mean, ConstView<T>, ConstView<T> noise, View<T>) override {
    touch(mean, kernel_passes * static_cast<double>(noise.rows));
  }
  void relu(double, const Stream&, View<T> x) override { touch(x, 2); }
  void relu_backward(ConstView<T> x, double, View<T>) override { touch(x, 3); }
  void column_moments(ConstView<T> x, View<T>, View<T>) override { touch(x, 1); }
  void standardise(ConstView<T>, ConstView<T>, T, View<T> x) override { touch(x, 2); }
  void standardise_backward(ConstView<T> x, ConstView<T>, T, View<T>) override { touch(x, 3); }
  void normalise_rows(T, View<T> x, View<T>) override { touch(x, 2); }
  void normalise_rows_backward(ConstView<T> x, ConstView<T>, View<T>) override { touch(x, 3); }
  void count_correct(ConstView<T> x, const std::int32_t*, View<T>) override { touch(x, 1); }
  void set_clock(const Clock&, Clock*) override {}
  void adam(const AdamStep&, ConstView<T> a, View<T>, View<T>, View<T>) override { touch(a, 7); }

 private:
  /// An arc-cosine or a softmax takes about as long as this many passes over memory.
  static constexpr double kernel_passes = 8;

  void product(Index rows, Index inner, Index cols, double share = 1) {
    work_.flops +=
        2 * share * static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(cols);
    ++work_.calls;
  }
  void touch(ConstView<T> a, double passes) {
    work_.bytes += passes * static_cast<double>(a.size()) * sizeof(T);
    ++work_.calls;
  }

  Work work_;
  std::size_t bytes_ = 0, most_ = 0, next_ = 4096;
};

}  // namespace gdkm
