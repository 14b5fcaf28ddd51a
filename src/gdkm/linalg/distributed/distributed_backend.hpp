#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/distributed/gpu_messages.hpp"
#include "gdkm/linalg/distributed/spaces.hpp"
#include "gdkm/ranks/communicator.hpp"

namespace gdkm {

/// A backend whose views may be shared out among ranks (see Space). It computes with another backend, on this
/// rank's rows, and does what else it takes:
///
/// - a product that contracts over nodes into a shared matrix is added up over ranks;
/// - the same into a sum's terms (Space::terms) is not: total() adds these up, many at once;
/// - a sparse product between nodes first exchanges rows of the halo, while it multiplies by its own columns;
/// - all else is either the same on every rank or belongs to one row, and needs no other rank.
///
/// An operation that has no meaning (adding nodes to a shared matrix, a factorisation of terms) is a bug, and
/// throws std::logic_error. So does one that needs all ranks within a sum over nodes: ranks have different
/// numbers of items there.
template <class T>
class DistributedBackend final : public Backend<T> {
 public:
  /// Where the device is a GPU, `gpus` says how messages get from one to another; by way of the host
  /// otherwise.
  DistributedBackend(std::unique_ptr<Backend<T>> local, std::shared_ptr<Communicator> ranks,
                     GpuMessages gpus = {});

  Communicator* ranks() const override { return ranks_.get(); }
  bool is_host() const override { return local_->is_host(); }
  void total(std::span<const View<T>> sums) override;

  std::string description() const override;
  std::size_t bytes_in_use() const override { return local_->bytes_in_use(); }
  bool can_spare(std::size_t bytes) const override { return local_->can_spare(bytes); }
  std::size_t bytes_free() const override { return local_->bytes_free(); }
  void* allocate(std::size_t bytes) override { return local_->allocate(bytes); }
  void release(void* memory, std::size_t bytes) noexcept override { local_->release(memory, bytes); }
  void upload(const void* host, void* device, std::size_t bytes) override {
    local_->upload(host, device, bytes);
  }
  void download(const void* device, void* host, std::size_t bytes) const override {
    local_->download(device, host, bytes);
  }
  /// Ranks may wait for each other on the host, so that a step is called again and not recorded.
  std::unique_ptr<Recording> record(std::function<void()> work) override;
  std::unique_ptr<Readback> make_readback(std::size_t bytes) override { return local_->make_readback(bytes); }
  void reserve(Index inducing, Index width, bool by_qr) override { local_->reserve(inducing, width, by_qr); }
  Index rows_at_a_time(Index rows) const override { return local_->rows_at_a_time(rows); }

  // ---- the same on every rank
  void gram(ConstView<T> f, View<T> g) override { shared("gram", &Backend<T>::gram, f, g); }
  void identity(View<T> a) override { shared("identity", &Backend<T>::identity, a); }
  void transpose(ConstView<T> a, View<T> b) override { shared("transpose", &Backend<T>::transpose, a, b); }
  void anti_transpose(ConstView<T> a, View<T> b) override {
    shared("anti_transpose", &Backend<T>::anti_transpose, a, b);
  }
  void keep_lower(View<T> a, T diagonal) override {
    shared("keep_lower", &Backend<T>::keep_lower, a, diagonal);
  }
  void symmetrise(View<T> a) override { shared("symmetrise", &Backend<T>::symmetrise, a); }
  void log_softmax(ConstView<T> raw, View<T> out) override {
    shared("log_softmax", &Backend<T>::log_softmax, raw, out);
  }
  void log_softmax_backward(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) override {
    shared("log_softmax_backward", &Backend<T>::log_softmax_backward, out, out_bar, raw_bar);
  }
  void adam(const AdamStep& step, ConstView<T> gradient, View<T> first, View<T> second,
            View<T> parameter) override {
    shared("adam", &Backend<T>::adam, step, gradient, first, second, parameter);
  }
  void cholesky(ConstView<T> k, T jitter, View<T> h, View<T> inverse, View<T> used) override {
    shared("cholesky", &Backend<T>::cholesky, k, jitter, h, inverse, used);
  }
  void cholesky_of_gram(ConstView<T> f, T jitter, View<T> h, View<T> inverse, View<T> used) override {
    shared("cholesky_of_gram", &Backend<T>::cholesky_of_gram, f, jitter, h, inverse, used);
  }
  void solve_lower(Op op, ConstView<T> l, View<T> b) override {
    shared("solve_lower", &Backend<T>::solve_lower, op, l, b);
  }
  void positive_lower(ConstView<T> raw, View<T> l) override {
    shared("positive_lower", &Backend<T>::positive_lower, raw, l);
  }
  void lower_parameter(ConstView<T> l, View<T> raw) override {
    shared("lower_parameter", &Backend<T>::lower_parameter, l, raw);
  }
  void positive_lower_backward(ConstView<T> l, ConstView<T> l_bar, View<T> raw_bar) override {
    shared("positive_lower_backward", &Backend<T>::positive_lower_backward, l, l_bar, raw_bar);
  }
  void normal_kl(ConstView<T> l, T weight, View<T> l_bar, View<T> value) override {
    shared("normal_kl", &Backend<T>::normal_kl, l, weight, l_bar, value);
  }
  void kernel_matrix(KernelKind kind, ConstView<T> g, ConstView<T> s, View<T> k) override {
    shared("kernel_matrix", &Backend<T>::kernel_matrix, kind, g, s, k);
  }
  void kernel_matrix_backward(KernelKind kind, ConstView<T> g, ConstView<T> s, ConstView<T> k_bar,
                              View<T> g_bar, View<T> s_bar) override {
    shared("kernel_matrix_backward", &Backend<T>::kernel_matrix_backward, kind, g, s, k_bar, g_bar, s_bar);
  }
  void normals(const Stream& stream, View<T> out) override {
    shared("normals", &Backend<T>::normals, stream, out);
  }
  // Networks of finite width know no ranks.
  void relu(double dropout, const Stream& stream, View<T> x) override {
    shared("relu", &Backend<T>::relu, dropout, stream, x);
  }
  void relu_backward(ConstView<T> out, double dropout, View<T> x_bar) override {
    shared("relu_backward", &Backend<T>::relu_backward, out, dropout, x_bar);
  }
  void column_moments(ConstView<T> x, View<T> mean, View<T> variance) override {
    shared("column_moments", &Backend<T>::column_moments, x, mean, variance);
  }
  void standardise(ConstView<T> mean, ConstView<T> variance, T epsilon, View<T> x) override {
    shared("standardise", &Backend<T>::standardise, mean, variance, epsilon, x);
  }
  void standardise_backward(ConstView<T> out, ConstView<T> variance, T epsilon, View<T> x_bar) override {
    shared("standardise_backward", &Backend<T>::standardise_backward, out, variance, epsilon, x_bar);
  }
  void normalise_rows(T epsilon, View<T> x, View<T> length) override {
    shared("normalise_rows", &Backend<T>::normalise_rows, epsilon, x, length);
  }
  void normalise_rows_backward(ConstView<T> out, ConstView<T> length, View<T> x_bar) override {
    shared("normalise_rows_backward", &Backend<T>::normalise_rows_backward, out, length, x_bar);
  }
  void count_correct(ConstView<T> scores, const std::int32_t* label, View<T> count) override {
    shared("count_correct", &Backend<T>::count_correct, scores, label, count);
  }

  // ---- by rows, or over all nodes
  void gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c) override;
  void gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c, Region wanted) override;
  void times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) override;
  void lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) override;
  void add(T alpha, ConstView<T> a, T beta, View<T> c) override;
  void add_exp_scaled(T factor, ConstView<T> exponent, ConstView<T> a, T beta, View<T> c) override;
  void fill(View<T> a, T value) override;
  void dot(T alpha, ConstView<T> a, ConstView<T> b, T beta, View<T> value) override;
  void set_clock(const Clock& now, Clock* clock) override { local_->set_clock(now, clock); }
  void row_norms(ConstView<T> f, View<T> s) override;
  void row_norms_backward(ConstView<T> f, ConstView<T> s, ConstView<T> s_bar, View<T> f_bar) override;
  void scale_rows(ConstView<T> s, ConstView<T> a, View<T> out) override;
  void add_row(T alpha, ConstView<T> row, View<T> a) override;
  void column_sums(T alpha, ConstView<T> a, T beta, View<T> sums) override;
  void gather_rows(ConstView<T> a, const std::int32_t* index, View<T> out) override;
  void scatter_rows(ConstView<T> a, const std::int32_t* index, View<T> out) override;
  void spmm(T alpha, Op op, const Sparse<T>& a, ConstView<T> b, T beta, View<T> c) override;
  void kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i, ConstView<T> s_i,
                    Fill fill, ConstView<T> s, View<T> out, View<T> kept) override;
  void kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                             ConstView<T> s_i, Fill fill, ConstView<T> s, ConstView<T> out_bar, View<T> s_bar,
                             T beta, View<T> f_t_bar, View<T> f_i_bar, View<T> s_i_bar, View<T> s_t_bar,
                             ConstView<T> kept) override;
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

 private:
  /// Calls a primitive of the local backend, all of whose matrices must be shared.
  template <class... Parameters>
  void shared(const char* name, void (Backend<T>::*primitive)(Parameters...),
              const std::type_identity_t<Parameters>&... arguments) {
    expect_space(name, Space::shared, arguments...);
    (local_.get()->*primitive)(arguments...);
  }
  /// C ← product + β C of two factors; compute(β, C) does it with the rows of this rank.
  template <class Compute>
  void multiply(const Factor<T>& a, const Factor<T>& b, T beta, View<T> c, const Compute& compute);
  /// The same, where the product contracts over nodes; `has_rows`: this rank has some.
  template <class Compute>
  void contract(const char* name, T beta, View<T> c, bool has_rows, const Compute& compute);
  /// Adds up contiguous numbers on the device over all ranks.
  void add_up(View<T> contiguous);
  /// Memory for sums on their way.
  View<T> room(Index rows, Index cols);
  /// Begins to send and to receive the rows of a halo; `back` sends what usually arrives.
  void exchange(const Halo& halo, View<T> outgoing, View<T> incoming, bool back);
  void finish_exchange(View<T> incoming);
  void needs_all_ranks(const char* name) const;

  std::unique_ptr<Backend<T>> local_;
  std::shared_ptr<Communicator> ranks_;
  GpuMessages gpus_;
  void* queue_ = nullptr;                                     // of the GPU
  Buffer<T> sums_, outgoing_, incoming_;                      // grow to the largest that was needed
  std::vector<T> host_sums_, host_outgoing_, host_incoming_;  // where the device is not the host
  bool in_sum_ = false;                                       // between the first fill of terms and total()
};

}  // namespace gdkm
