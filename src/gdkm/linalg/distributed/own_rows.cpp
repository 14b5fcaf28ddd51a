// Primitives that need no other rank, because they belong to one row. Those that are the same on all ranks
// are in the header.
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/linalg/distributed/spaces.hpp"

namespace gdkm {

// ---- entry by entry

template <class T>
void DistributedBackend<T>::add(T alpha, ConstView<T> a, T beta, View<T> c) {
  expect_space("add", c.space, a);
  if (!c.empty()) local_->add(alpha, a, beta, c);
}
template <class T>
void DistributedBackend<T>::add_exp_scaled(T factor, ConstView<T> exponent, ConstView<T> a, T beta,
                                           View<T> c) {
  expect_space("add_exp_scaled", Space::shared, exponent);
  expect_space("add_exp_scaled", c.space, a);
  if (!c.empty()) local_->add_exp_scaled(factor, exponent, a, beta, c);
}
template <class T>
void DistributedBackend<T>::fill(View<T> a, T value) {
  if (a.space == Space::terms) {
    if (value != T(0)) wrong_spaces("fill");
    in_sum_ = true;
  }
  if (!a.empty()) local_->fill(a, value);
}

// ---- row by row

template <class T>
void DistributedBackend<T>::times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) {
  expect_same_space("times_lower", a, c);
  expect_space("times_lower", Space::shared, l);
  if (a.rows > 0) local_->times_lower(a, op, l, c);
}
template <class T>
void DistributedBackend<T>::row_norms(ConstView<T> f, View<T> s) {
  expect_same_space("row_norms", f, s);
  if (f.rows > 0) local_->row_norms(f, s);
}
template <class T>
void DistributedBackend<T>::row_norms_backward(ConstView<T> f, ConstView<T> s, ConstView<T> s_bar,
                                               View<T> f_bar) {
  expect_same_space("row_norms_backward", f, s, s_bar, f_bar);
  if (f.rows > 0) local_->row_norms_backward(f, s, s_bar, f_bar);
}
template <class T>
void DistributedBackend<T>::scale_rows(ConstView<T> s, ConstView<T> a, View<T> out) {
  expect_same_space("scale_rows", s, a, out);
  if (a.rows > 0) local_->scale_rows(s, a, out);
}
template <class T>
void DistributedBackend<T>::add_row(T alpha, ConstView<T> row, View<T> a) {
  expect_space("add_row", Space::shared, row);
  if (a.space == Space::terms) wrong_spaces("add_row");
  if (a.rows > 0) local_->add_row(alpha, row, a);
}
template <class T>
void DistributedBackend<T>::gather_rows(ConstView<T> a, const std::int32_t* index, View<T> out) {
  expect_same_space("gather_rows", a, out);
  if (out.rows > 0) local_->gather_rows(a, index, out);
}
template <class T>
void DistributedBackend<T>::scatter_rows(ConstView<T> a, const std::int32_t* index, View<T> out) {
  expect_same_space("scatter_rows", a, out);
  if (a.rows > 0) local_->scatter_rows(a, index, out);
}
template <class T>
void DistributedBackend<T>::kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t,
                                         ConstView<T> f_i, ConstView<T> s_i, Fill fill, ConstView<T> s,
                                         View<T> out, View<T> kept) {
  expect_space("kernel_times", Space::nodes, f_t, s_t, out, kept);
  expect_space("kernel_times", Space::shared, f_i, s_i, s);
  if (f_t.rows > 0) local_->kernel_times(kind, f_t, s_t, f_i, s_i, fill, s, out, kept);
}
template <class T>
void DistributedBackend<T>::node_log_likelihood(ConstView<T> mean, ConstView<T> deviation,
                                                const std::int32_t* label, RowNumbers number, Index samples,
                                                const Stream& stream, T scale, View<T> value,
                                                View<T> mean_bar, View<T> deviation_bar) {
  expect_space("node_log_likelihood", Space::nodes, mean, deviation, mean_bar, deviation_bar);
  expect_space("node_log_likelihood", Space::terms, value);
  if (mean.rows > 0)
    local_->node_log_likelihood(mean, deviation, label, number, samples, stream, scale, value, mean_bar,
                                deviation_bar);
}
template <class T>
void DistributedBackend<T>::softmax_moments(ConstView<T> mean, ConstView<T> deviation,
                                            const std::int32_t* label, RowNumbers number, Index pairs,
                                            const Stream& stream, View<T> value, View<T> residual,
                                            View<T> precision, View<T> curvature) {
  expect_space("softmax_moments", Space::nodes, mean, deviation, residual, precision, curvature);
  expect_space("softmax_moments", Space::terms, value);
  if (mean.rows > 0)
    local_->softmax_moments(mean, deviation, label, number, pairs, stream, value, residual, precision,
                            curvature);
}
template <class T>
void DistributedBackend<T>::softmax_expectations(ConstView<T> mean, ConstView<T> deviation,
                                                 const std::int32_t* label, View<T> value, View<T> residual,
                                                 View<T> precision, View<T> curvature) {
  expect_space("softmax_expectations", Space::nodes, mean, deviation, residual, precision, curvature);
  expect_space("softmax_expectations", Space::terms, value);
  if (mean.rows > 0)
    local_->softmax_expectations(mean, deviation, label, value, residual, precision, curvature);
}
template <class T>
void DistributedBackend<T>::softmax_log_likelihood(View<T> logits, const std::int32_t* label, Index samples,
                                                   T scale, View<T> value) {
  expect_space("softmax_log_likelihood", Space::nodes, logits);
  expect_space("softmax_log_likelihood", Space::terms, value);
  if (logits.rows > 0) local_->softmax_log_likelihood(logits, label, samples, scale, value);
}
template <class T>
void DistributedBackend<T>::gaussian_log_likelihood(ConstView<T> mean, ConstView<T> deviation,
                                                    ConstView<T> target, ConstView<T> log_noise, T scale,
                                                    View<T> value, View<T> mean_bar, View<T> deviation_bar,
                                                    View<T> log_noise_bar) {
  expect_space("gaussian_log_likelihood", Space::nodes, mean, deviation, target, mean_bar, deviation_bar);
  expect_space("gaussian_log_likelihood", Space::shared, log_noise);
  expect_space("gaussian_log_likelihood", Space::terms, value, log_noise_bar);
  if (mean.rows > 0)
    local_->gaussian_log_likelihood(mean, deviation, target, log_noise, scale, value, mean_bar, deviation_bar,
                                    log_noise_bar);
}
template <class T>
void DistributedBackend<T>::mean_softmax(ConstView<T> mean, ConstView<T> deviation, ConstView<T> noise,
                                         View<T> out) {
  expect_space("mean_softmax", Space::nodes, mean, deviation, out);
  expect_space("mean_softmax", Space::shared, noise);
  if (mean.rows > 0) local_->mean_softmax(mean, deviation, noise, out);
}

template class DistributedBackend<float>;
template class DistributedBackend<double>;

}  // namespace gdkm
