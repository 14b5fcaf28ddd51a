#include "gdkm/layers/center.hpp"

#include <algorithm>

namespace gdkm {

template <class T>
Center<T>::Center(Workspace<T>& workspace, FeatureKernel<T>& input, Parameters<T>& parameters,
                  const std::string& name, bool affine, RelationWeights<T>* weights)
    : FeatureKernel<T>(workspace, input.inducing(), input.width() + (affine ? 1 : 0),
                       input.width() + (affine ? 1 : 0) >= input.inducing()),
      workspace_(workspace),
      input_(input),
      parameters_(parameters),
      weights_(weights),
      mean_(parameters.declare(name + ".mean", 1, input.width())) {
  if (affine) {
    log_gamma_ = parameters.declare(name + ".log_gamma", 1, 1);
    log_beta_ = parameters.declare(name + ".log_beta", 1, 1);
  }
  Backend<T>& backend = workspace.backend();
  const Index m = input.inducing(), columns = std::max(m, this->width());
  f_i_ = Matrix<T>(backend, m, this->width());
  scaled_ = Matrix<T>(backend, inner(), columns);
  row_ = Matrix<T>(backend, 1, columns);
  inner_i_ = Matrix<T>(backend, m, inner());
  if (weights != nullptr) {
    for (Matrix<T>* matrix : {&means_, &shares_}) *matrix = Matrix<T>(backend, weights->count(), inner());
    constant_ = Matrix<T>(backend, m, 1);
  }
  if (!workspace.training()) return;
  ones_ = Matrix<T>(backend, workspace.nodes(), 1, Space::nodes);
  backend.fill(ones_, T(1) / static_cast<T>(std::max<Index>(1, workspace.all_nodes())));
  unused_ = Matrix<T>(backend, inner(), 1);
  f_i_bar_ = Matrix<T>(backend, m, this->width());
  scaled_bar_ = Matrix<T>(backend, inner(), columns);
  mean_bar_ = Matrix<T>(backend, 1, inner());
  mean_of_batch_ = Matrix<T>(backend, 1, inner());
}

template <class T>
void Center<T>::scale(int log_factor, ConstView<T> a, T beta, View<T> out) {
  if (log_factor < 0) return this->backend_.add(T(1), a, beta, out);
  this->backend_.add_exp_scaled(T(1), parameters_.value(log_factor), a, beta, out);
}

template <class T>
View<T> Center<T>::mean() const {
  return workspace_.training() ? mean_of_batch_.view() : parameters_.value(mean_);
}

template <class T>
View<T> Center<T>::scaled(ConstView<T> b) {
  const View<T> out = scaled_.view().reshaped(inner(), b.cols);
  scale(log_gamma_, b.block_rows(0, inner()), T(0), out);
  return out;
}

template <class T>
void Center<T>::forward() {
  Backend<T>& backend = this->backend_;
  kernel_reached_ = false;
  if (workspace_.training()) {
    input_.project_transposed(ones_, mean_of_batch_.view().reshaped(inner(), 1));
    const View<T> kept = parameters_.value(mean_);
    backend.add_exp_scaled(T(1), workspace_.log_weight_of_before(), kept, T(0), kept);
    backend.add_exp_scaled(T(1), workspace_.log_weight(), mean_of_batch_, T(1), kept);
    backend.fill(f_i_bar_, T(0));
    backend.fill(mean_bar_, T(0));
    this->clear_kernel_gradient();
  }
  subtract_mean();
  scale(log_gamma_, inner_i_, T(0), f_i_.view().block_cols(0, inner()));
  if (!affine()) return;
  const View<T> last = f_i_.view().block_cols(inner(), 1);
  backend.fill(last, T(1));
  scale(log_beta_, last, T(0), last);
  if (weights_ == nullptr) return;
  backend.add(T(1), last, T(0), constant_);
  weights_->scale(constant_, last);
}

template <class T>
void Center<T>::subtract_mean() {
  Backend<T>& backend = this->backend_;
  backend.add(T(1), input_.f_i(), T(0), inner_i_);
  if (weights_ == nullptr) return backend.add_row(T(-1), mean(), inner_i_);
  for (Index r = 0; r < weights_->count(); ++r)
    backend.add(T(1), mean(), T(0), means_.view().block_rows(r, 1));
  weights_->scale(means_, shares_);
  for (Index r = 0; r < weights_->count(); ++r)
    backend.add_row(T(-1), shares_.view().block_rows(r, 1), weights_->block(inner_i_.view(), r));
}

template <class T>
void Center<T>::subtract_mean_backward() {
  Backend<T>& backend = this->backend_;
  if (weights_ == nullptr) return backend.column_sums(T(-1), inner_i_, T(1), mean_bar_);
  for (Index r = 0; r < weights_->count(); ++r)
    backend.column_sums(T(-1), weights_->block(inner_i_.view(), r), T(0), shares_.view().block_rows(r, 1));
  weights_->scale_backward(means_, shares_);
  backend.column_sums(T(1), shares_, T(1), mean_bar_);
}

template <class T>
void Center<T>::backward(T /*scale*/) {
  Backend<T>& backend = this->backend_;
  if (kernel_reached_) this->add_kernel_gradient();
  const View<T> top_bar = f_i_bar_.view().block_cols(0, inner());
  if (affine()) {
    backend.dot(T(1), top_bar, f_i_.view().block_cols(0, inner()), T(1), parameters_.gradient(log_gamma_));
    const View<T> last_bar = f_i_bar_.view().block_cols(inner(), 1),
                  last = f_i_.view().block_cols(inner(), 1);
    backend.dot(T(1), last_bar, last, T(1), parameters_.gradient(log_beta_));
    if (weights_ != nullptr) weights_->scale_backward(constant_, last_bar);
  }
  scale(log_gamma_, top_bar, T(0), inner_i_);
  backend.add(T(1), inner_i_, T(1), input_.f_i_bar());
  subtract_mean_backward();
  // μ = F_tᵀ1/n, so F̄_t += (1/n) 1 μ̄ᵀ: the backward of a product of F_t.
  input_.project_backward(mean_bar_.view().reshaped(inner(), 1), ones_, unused_);
}

template <class T>
void Center<T>::factor(T jitter, View<T> h, View<T> inverse, View<T> used) {
  kernel_reached_ = true;
  this->backend_.cholesky_of_gram(f_i_, jitter, h, inverse, used);
}

/// F_t B = X (γB') − 1 μᵀ(γB') + β 1 b, B' and b the first rows and the last row of B, X the input's F_t.
template <class T>
void Center<T>::project(ConstView<T> b, View<T> out) {
  const View<T> inner_b = scaled(b), row = row_.view().reshaped(1, b.cols);
  input_.project(inner_b, out);
  this->backend_.gemm(T(-1), Op::none, mean(), Op::none, inner_b, T(0), row);
  if (affine()) scale(log_beta_, b.block_rows(inner(), 1), T(1), row);
  this->backend_.add_row(T(1), row, out);
}

template <class T>
void Center<T>::project_transposed(ConstView<T> out_bar, View<T> b_bar) {
  const View<T> sums = row_.view().reshaped(1, out_bar.cols);
  const View<T> inner_bar = scaled_bar_.view().reshaped(inner(), out_bar.cols);
  input_.project_transposed(out_bar, inner_bar);
  this->backend_.column_sums(T(1), out_bar, T(0), sums);
  this->backend_.gemm(T(-1), Op::transpose, mean(), Op::none, sums, T(1), inner_bar);
  scale(log_gamma_, inner_bar, T(0), b_bar.block_rows(0, inner()));
  if (affine()) scale(log_beta_, sums, T(0), b_bar.block_rows(inner(), 1));
}

template <class T>
void Center<T>::project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) {
  Backend<T>& backend = this->backend_;
  const View<T> inner_b = scaled(b), sums = row_.view().reshaped(1, b.cols);
  const View<T> inner_bar = scaled_bar_.view().reshaped(inner(), b.cols);
  input_.project_backward(inner_b, out_bar, inner_bar);
  backend.column_sums(T(1), out_bar, T(0), sums);
  backend.gemm(T(-1), Op::transpose, mean(), Op::none, sums, T(1), inner_bar);
  backend.gemm(T(-1), Op::none, sums, Op::transpose, inner_b, T(1), mean_bar_);
  scale(log_gamma_, inner_bar, T(0), b_bar.block_rows(0, inner()));
  if (!affine()) return;
  const View<T> last = b_bar.block_rows(inner(), 1);
  scale(log_beta_, sums, T(0), last);
  backend.dot(T(1), inner_bar, inner_b, T(1), parameters_.gradient(log_gamma_));
  backend.dot(T(1), last, b.block_rows(inner(), 1), T(1), parameters_.gradient(log_beta_));
}

template class Center<float>;
template class Center<double>;

}  // namespace gdkm
