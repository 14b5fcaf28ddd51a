#include "gdkm/layers/half_sum.hpp"

#include "gdkm/layers/cholesky_backward.hpp"

namespace gdkm {

template <class T>
HalfSum<T>::HalfSum(Workspace<T>& workspace, DenseFeatures<T>& a, DenseFeatures<T>& b, T jitter)
    : backend_(workspace.backend()),
      workspace_(workspace),
      a_(a),
      b_(b),
      jitter_(jitter),
      used_jitter_(workspace.scalar()),
      out_(workspace, a.inducing(), a.inducing(), {.fill = Fill::lower, .products = true, .is_state = true}) {
  const Index m = a.inducing();
  for (Matrix<T>* matrix : {&k_, &h_, &inverse_, &t_, &work_}) *matrix = Matrix<T>(backend_, m, m);
  workspace.scratch(0, 0);
  h_bar_ = workspace.small(0, m, m);
  t_bar_ = workspace.small(1, m, m);
  k_bar_ = workspace.small(2, m, m);
}

template <class T>
void HalfSum<T>::forward() {
  backend_.gram(a_.f_i(), k_);
  backend_.gram(b_.f_i(), work_);
  backend_.add(T(0.5), work_, T(0.5), k_);
  backend_.cholesky(k_, jitter_, h_, inverse_, used_jitter_);
  backend_.add(T(1), h_, T(0), out_.f_i());
  backend_.transpose(inverse_, t_);
  backend_.add(T(0), t_, T(0.5), t_);  // ½H⁻ᵀ
  const View<T> part = workspace_.scratch(0, h_.cols());
  a_.times(t_, out_.f_t());
  b_.times(t_, part);
  backend_.add(T(1), part, T(1), out_.f_t());
  out_.refresh();
}

template <class T>
void HalfSum<T>::backward(T /*scale*/) {
  out_.collect();
  a_.times_backward(t_, out_.f_t_bar(), t_bar_);
  b_.times_backward(t_, out_.f_t_bar(), work_);
  backend_.add(T(1), work_, T(1), t_bar_);
  // t = ½H⁻ᵀ: with V = H⁻¹ t̄,  H̄ = −t Vᵀ; and F_i = H.
  backend_.gemm_part(T(1), {Op::none, inverse_.view(), Region::lower}, {Op::none, t_bar_.view()}, T(0),
                     work_);
  backend_.gemm_part(T(-1), {Op::none, t_.view(), Region::upper}, {Op::transpose, work_.view()}, T(0), h_bar_,
                     Region::lower);
  backend_.add(T(1), out_.f_i_bar(), T(1), h_bar_);
  backend_.fill(k_bar_, T(0));
  cholesky_backward<T>(backend_, h_, inverse_, h_bar_, work_, k_bar_);
  // K = ½(A_i A_iᵀ + B_i B_iᵀ).
  backend_.gemm(T(1), Op::none, k_bar_, Op::none, a_.f_i(), T(1), a_.f_i_bar());
  backend_.gemm(T(1), Op::none, k_bar_, Op::none, b_.f_i(), T(1), b_.f_i_bar());
}

template class HalfSum<float>;
template class HalfSum<double>;

}  // namespace gdkm
