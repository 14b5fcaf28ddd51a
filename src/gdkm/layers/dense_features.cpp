#include "gdkm/layers/dense_features.hpp"

namespace gdkm {

template <class T>
DenseFeatures<T>::DenseFeatures(Workspace<T>& workspace, Index inducing, Index width,
                                const FeatureTraits& traits)
    : FeatureKernel<T>(workspace, inducing, width, traits.products),
      traits_(traits),
      nodes_(this),
      f_i_(workspace.backend(), inducing, width),
      f_t_(workspace.backend(), traits.rows < 0 ? workspace.nodes() : traits.rows, width, Space::nodes),
      s_i_(workspace.backend(), 1, inducing),
      s_t_(workspace.backend(), 1, f_t_.rows(), Space::nodes),
      f_i_bar_(workspace.backend(), workspace.training() ? inducing : 0, width),
      s_t_bar_(workspace.backend(), workspace.training() && traits.given_norms ? 1 : 0, f_t_.rows(),
               Space::nodes) {
  const View<T> gradient = traits.is_state ? workspace.state_gradient(width) : workspace.gradient(width);
  if (workspace.training()) f_t_bar_ = gradient.block_rows(0, f_t_.rows());
}

template <class T>
DenseFeatures<T>::DenseFeatures(Workspace<T>& workspace, DenseFeatures& nodes, Index inducing,
                                const FeatureTraits& traits)
    : FeatureKernel<T>(workspace, inducing, nodes.width(), traits.products),
      traits_(traits),
      nodes_(nodes.nodes_),
      f_i_(workspace.backend(), inducing, nodes.width()),
      s_i_(workspace.backend(), 1, inducing),
      f_i_bar_(workspace.backend(), workspace.training() ? inducing : 0, nodes.width()) {}

template <class T>
T DenseFeatures<T>::f_t_beta() {
  const T beta = nodes_->reached_ ? T(1) : T(0);
  nodes_->reached_ = true;
  return beta;
}

template <class T>
void DenseFeatures<T>::factor(T jitter, View<T> h, View<T> inverse, View<T> used) {
  kernel_reached_ = true;
  this->backend_.cholesky_of_gram(f_i_, jitter, h, inverse, used);
}

template <class T>
void DenseFeatures<T>::project(ConstView<T> b, View<T> out) {
  this->backend_.gemm(T(1), Op::none, f_t(), Op::none, b, T(0), out);
}

template <class T>
void DenseFeatures<T>::project_transposed(ConstView<T> out_bar, View<T> b_bar) {
  this->backend_.gemm(T(1), Op::transpose, f_t(), Op::none, out_bar, T(0), b_bar);
}

template <class T>
void DenseFeatures<T>::project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) {
  project_transposed(out_bar, b_bar);
  this->backend_.gemm(T(1), Op::none, out_bar, Op::transpose, b, f_t_beta(), f_t_bar());
}

template <class T>
void DenseFeatures<T>::refresh() {
  this->backend_.row_norms(f_i_, s_i_);
  const bool owns_nodes = nodes_ == this;
  if (owns_nodes && !traits_.given_norms) this->backend_.row_norms(f_t_, s_t_);
  if (!f_i_bar_.empty()) this->backend_.fill(f_i_bar_, T(0));
  this->clear_kernel_gradient();
  kernel_reached_ = false;
  if (owns_nodes) reached_ = false;
}

template <class T>
void DenseFeatures<T>::collect() {
  if (kernel_reached_) this->add_kernel_gradient();
}

template class DenseFeatures<float>;
template class DenseFeatures<double>;

}  // namespace gdkm
