#include "gdkm/layers/nonlinearity.hpp"

namespace gdkm {

template <class T>
Nonlinearity<T>::Nonlinearity(Workspace<T>& workspace, DenseFeatures<T>& input, KernelKind kind)
    : backend_(workspace.backend()), input_(input), kind_(kind), s_i_bar_(backend_, 1, input.inducing()) {
  const Index m = input.inducing();
  for (Matrix<T>* matrix : {&g_ii_, &k_ii_}) *matrix = Matrix<T>(backend_, m, m);
  g_ii_bar_ = workspace.small(0, m, m);
  if (!workspace.training()) return;
  k_ii_bar_ = Matrix<T>(backend_, m, m);
  // Rows start at multiples of 16 bytes, which is the fastest.
  const Index n = input.f_t().rows, stride = (m + 3) / 4 * 4;
  if (!backend_.can_spare(static_cast<std::size_t>(n * stride) * sizeof(T))) return;
  kept_ = Matrix<T>(backend_, n, stride, Space::nodes);
  kept_view_ = kept_.view().block_cols(0, m);
}

template <class T>
void Nonlinearity<T>::forward() {
  backend_.gram(input_.f_i(), g_ii_);
  backend_.kernel_matrix(kind_, g_ii_, input_.s_i(), k_ii_);
  if (!k_ii_bar_.empty()) backend_.fill(k_ii_bar_, T(0));
  backend_.fill(s_i_bar_, T(0));
}

template <class T>
void Nonlinearity<T>::backward(T /*scale*/) {
  backend_.kernel_matrix_backward(kind_, g_ii_, input_.s_i(), k_ii_bar_, g_ii_bar_, s_i_bar_);
  const Region part = input_.fill() == Fill::lower ? Region::lower : Region::all;
  backend_.gemm_part(T(2), {Op::none, g_ii_bar_.view()}, {Op::none, input_.f_i(), part}, T(1),
                     input_.f_i_bar(), part);
  backend_.row_norms_backward(input_.f_i(), input_.s_i(), s_i_bar_, input_.f_i_bar());
}

template <class T>
void Nonlinearity<T>::factor(T jitter, View<T> h, View<T> inverse, View<T> used) {
  backend_.cholesky(k_ii_, jitter, h, inverse, used);
}

template <class T>
void Nonlinearity<T>::times(ConstView<T> s, View<T> out) {
  backend_.kernel_times(kind_, input_.f_t(), input_.s_t(), input_.f_i(), input_.s_i(), input_.fill(), s, out,
                        kept_view_);
}

template <class T>
void Nonlinearity<T>::times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) {
  backend_.kernel_times_backward(kind_, input_.f_t(), input_.s_t(), input_.f_i(), input_.s_i(), input_.fill(),
                                 s, out_bar, s_bar, input_.f_t_beta(), input_.f_t_bar(), input_.f_i_bar(),
                                 s_i_bar_, input_.s_t_bar(), kept_view_);
}

template class Nonlinearity<float>;
template class Nonlinearity<double>;

}  // namespace gdkm
