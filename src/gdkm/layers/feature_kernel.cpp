#include "gdkm/layers/feature_kernel.hpp"

namespace gdkm {

template <class T>
FeatureKernel<T>::FeatureKernel(Workspace<T>& workspace, Index inducing, Index width, bool products)
    : backend_(workspace.backend()), inducing_(inducing), width_(width) {
  if (!products) return;
  b_ = Matrix<T>(backend_, width, inducing);
  if (!workspace.training()) return;
  ii_bar_ = Matrix<T>(backend_, inducing, inducing);
  b_bar_ = Matrix<T>(backend_, width, inducing);
}

template <class T>
void FeatureKernel<T>::times(ConstView<T> s, View<T> out) {
  const View<T> b = b_.view().reshaped(width_, s.cols);
  backend_.gemm(T(1), Op::transpose, f_i(), Op::none, s, T(0), b);
  b_is_of_ = s.data;
  project(b, out);
}

template <class T>
void FeatureKernel<T>::times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) {
  const View<T> b = b_.view().reshaped(width_, s.cols), b_bar = b_bar_.view().reshaped(width_, s.cols);
  // Another product may have overwritten b_ since then.
  if (b_is_of_ != s.data) backend_.gemm(T(1), Op::transpose, f_i(), Op::none, s, T(0), b);
  b_is_of_ = s.data;
  project_backward(b, out_bar, b_bar);
  backend_.gemm(T(1), Op::none, f_i(), Op::none, b_bar, T(0), s_bar);
  backend_.gemm(T(1), Op::none, s, Op::transpose, b_bar, T(1), f_i_bar());
}

template <class T>
void FeatureKernel<T>::add_kernel_gradient() {
  backend_.gemm(T(2), Op::none, ii_bar_, Op::none, f_i(), T(1), f_i_bar());
}

template <class T>
void FeatureKernel<T>::clear_kernel_gradient() {
  if (!ii_bar_.empty()) backend_.fill(ii_bar_, T(0));
}

template class FeatureKernel<float>;
template class FeatureKernel<double>;

}  // namespace gdkm
