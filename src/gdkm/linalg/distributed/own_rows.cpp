// Primitives that need no other rank: they are the same on all, or belong to one row.
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/linalg/distributed/spaces.hpp"

namespace gdkm {

// ---- of shared matrices

template <class T>
void DistributedBackend<T>::gram(ConstView<T> f, View<T> g) {
  expect_space("gram", Space::shared, f, g);
  local_->gram(f, g);
}
template <class T>
void DistributedBackend<T>::identity(View<T> a) {
  expect_space("identity", Space::shared, a);
  local_->identity(a);
}
template <class T>
void DistributedBackend<T>::transpose(ConstView<T> a, View<T> b) {
  expect_space("transpose", Space::shared, a, b);
  local_->transpose(a, b);
}
template <class T>
void DistributedBackend<T>::anti_transpose(ConstView<T> a, View<T> b) {
  expect_space("anti_transpose", Space::shared, a, b);
  local_->anti_transpose(a, b);
}
template <class T>
void DistributedBackend<T>::keep_lower(View<T> a, T diagonal) {
  expect_space("keep_lower", Space::shared, a);
  local_->keep_lower(a, diagonal);
}
template <class T>
void DistributedBackend<T>::symmetrise(View<T> a) {
  expect_space("symmetrise", Space::shared, a);
  local_->symmetrise(a);
}
template <class T>
void DistributedBackend<T>::log_softmax(ConstView<T> raw, View<T> out) {
  expect_space("log_softmax", Space::shared, raw, out);
  local_->log_softmax(raw, out);
}
template <class T>
void DistributedBackend<T>::log_softmax_backward(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) {
  expect_space("log_softmax_backward", Space::shared, out, out_bar, raw_bar);
  local_->log_softmax_backward(out, out_bar, raw_bar);
}
template <class T>
void DistributedBackend<T>::adam(const AdamStep& step, ConstView<T> gradient, View<T> first, View<T> second,
                                 View<T> parameter) {
  expect_space("adam", Space::shared, gradient, first, second, parameter);
  local_->adam(step, gradient, first, second, parameter);
}
template <class T>
void DistributedBackend<T>::cholesky(ConstView<T> k, T jitter, View<T> h, View<T> inverse, View<T> used) {
  expect_space("cholesky", Space::shared, k, h, inverse, used);
  local_->cholesky(k, jitter, h, inverse, used);
}
template <class T>
void DistributedBackend<T>::cholesky_of_gram(ConstView<T> f, T jitter, View<T> h, View<T> inverse,
                                             View<T> used) {
  expect_space("cholesky_of_gram", Space::shared, f, h, inverse, used);
  local_->cholesky_of_gram(f, jitter, h, inverse, used);
}
template <class T>
void DistributedBackend<T>::positive_lower(ConstView<T> raw, View<T> l) {
  expect_space("positive_lower", Space::shared, raw, l);
  local_->positive_lower(raw, l);
}
template <class T>
void DistributedBackend<T>::lower_parameter(ConstView<T> l, View<T> raw) {
  expect_space("lower_parameter", Space::shared, l, raw);
  local_->lower_parameter(l, raw);
}
template <class T>
void DistributedBackend<T>::positive_lower_backward(ConstView<T> l, ConstView<T> l_bar, View<T> raw_bar) {
  expect_space("positive_lower_backward", Space::shared, l, l_bar, raw_bar);
  local_->positive_lower_backward(l, l_bar, raw_bar);
}
template <class T>
void DistributedBackend<T>::normal_kl(ConstView<T> l, T weight, View<T> l_bar, View<T> value) {
  expect_space("normal_kl", Space::shared, l, l_bar, value);
  local_->normal_kl(l, weight, l_bar, value);
}
template <class T>
void DistributedBackend<T>::kernel_matrix(KernelKind kind, ConstView<T> g, ConstView<T> s, View<T> k) {
  expect_space("kernel_matrix", Space::shared, g, s, k);
  local_->kernel_matrix(kind, g, s, k);
}
template <class T>
void DistributedBackend<T>::kernel_matrix_backward(KernelKind kind, ConstView<T> g, ConstView<T> s,
                                                   ConstView<T> k_bar, View<T> g_bar, View<T> s_bar) {
  expect_space("kernel_matrix_backward", Space::shared, g, s, k_bar, g_bar, s_bar);
  local_->kernel_matrix_backward(kind, g, s, k_bar, g_bar, s_bar);
}
template <class T>
void DistributedBackend<T>::normals(const Stream& stream, View<T> out) {
  expect_space("normals", Space::shared, out);
  local_->normals(stream, out);
}

// Networks of finite width know no ranks.
template <class T>
void DistributedBackend<T>::relu(double dropout, const Stream& stream, View<T> x) {
  expect_space("relu", Space::shared, x);
  local_->relu(dropout, stream, x);
}
template <class T>
void DistributedBackend<T>::relu_backward(ConstView<T> out, double dropout, View<T> x_bar) {
  expect_space("relu_backward", Space::shared, out, x_bar);
  local_->relu_backward(out, dropout, x_bar);
}
template <class T>
void DistributedBackend<T>::column_moments(ConstView<T> x, View<T> mean, View<T> variance) {
  expect_space("column_moments", Space::shared, x, mean, variance);
  local_->column_moments(x, mean, variance);
}
template <class T>
void DistributedBackend<T>::standardise(ConstView<T> mean, ConstView<T> variance, T epsilon, View<T> x) {
  expect_space("standardise", Space::shared, mean, variance, x);
  local_->standardise(mean, variance, epsilon, x);
}
template <class T>
void DistributedBackend<T>::standardise_backward(ConstView<T> out, ConstView<T> variance, T epsilon,
                                                 View<T> x_bar) {
  expect_space("standardise_backward", Space::shared, out, variance, x_bar);
  local_->standardise_backward(out, variance, epsilon, x_bar);
}
template <class T>
void DistributedBackend<T>::normalise_rows(T epsilon, View<T> x, View<T> length) {
  expect_space("normalise_rows", Space::shared, x, length);
  local_->normalise_rows(epsilon, x, length);
}
template <class T>
void DistributedBackend<T>::normalise_rows_backward(ConstView<T> out, ConstView<T> length, View<T> x_bar) {
  expect_space("normalise_rows_backward", Space::shared, out, length, x_bar);
  local_->normalise_rows_backward(out, length, x_bar);
}
template <class T>
void DistributedBackend<T>::count_correct(ConstView<T> scores, const std::int32_t* label, View<T> count) {
  expect_space("count_correct", Space::shared, scores, count);
  local_->count_correct(scores, label, count);
}

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
