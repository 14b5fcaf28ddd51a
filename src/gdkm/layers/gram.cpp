#include "gdkm/layers/gram.hpp"

#include <cmath>

#include "gdkm/layers/cholesky_backward.hpp"

namespace gdkm {

namespace {
FeatureTraits as_lower(FeatureTraits traits) {
  traits.fill = Fill::lower;
  return traits;
}
}  // namespace

template <class T>
GramLayer<T>::GramLayer(Workspace<T>& workspace, Kernel<T>& input, Parameters<T>& parameters,
                        const std::string& name, double nu, T jitter, FeatureTraits traits)
    : backend_(workspace.backend()),
      input_(input),
      parameters_(parameters),
      nu_(nu),
      jitter_(jitter),
      kl_(workspace.scalar()),
      used_jitter_(workspace.scalar()),
      out_(workspace, input.inducing(), input.inducing(), as_lower(traits)) {
  const Index m = input.inducing();
  if (std::isfinite(nu)) parameter_ = parameters.declare(name + ".L", m, m);
  for (Matrix<T>* matrix : {&h_, &inverse_, &l_, &t_}) *matrix = Matrix<T>(backend_, m, m);
  h_bar_ = workspace.small(0, m, m);
  l_bar_ = workspace.small(1, m, m);
  t_bar_ = workspace.small(2, m, m);
}

template <class T>
void GramLayer<T>::forward() {
  input_.factor(jitter_, h_, inverse_, used_jitter_);
  if (learned()) {
    backend_.positive_lower(parameters_.value(parameter_), l_);
    const Factor<T> l{Op::none, l_.view(), Region::lower};
    backend_.gemm_part(T(1), {Op::none, h_.view(), Region::lower}, l, T(0), out_.f_i());
    backend_.gemm_part(T(1), {Op::transpose, inverse_.view(), Region::upper}, l, T(0), t_);
  } else {
    backend_.add(T(1), h_, T(0), out_.f_i());
    backend_.transpose(inverse_, t_);
  }
  input_.times(t_, out_.f_t());
  if (!norms_.empty()) backend_.add(T(1), norms_, T(0), out_.s_t());
  out_.refresh();
}

template <class T>
void GramLayer<T>::backward(T scale) {
  out_.collect();
  // F_t = K_ti T and T = H⁻ᵀ L: with V = H⁻¹ T̄,  L̄ = V  and  H̄ = −T Vᵀ.
  input_.times_backward(t_, out_.f_t_bar(), t_bar_);
  backend_.gemm_part(T(1), {Op::none, inverse_.view(), Region::lower}, {Op::none, t_bar_.view()}, T(0),
                     l_bar_);
  backend_.gemm_part(T(-1), {Op::none, t_.view()}, {Op::transpose, l_bar_.view()}, T(0), h_bar_,
                     Region::lower);
  // F_i = H L:  H̄ += F̄_i Lᵀ  and  L̄ += Hᵀ F̄_i. Entries above the diagonals do not matter.
  if (learned()) {
    const Factor<T> f_i_bar{Op::none, out_.f_i_bar()};
    backend_.gemm_part(T(1), f_i_bar, {Op::transpose, l_.view(), Region::upper}, T(1), h_bar_, Region::lower);
    backend_.gemm_part(T(1), {Op::transpose, h_.view(), Region::upper}, f_i_bar, T(1), l_bar_, Region::lower);
    if (nu_ > 0) backend_.normal_kl(l_, -scale * static_cast<T>(nu_), l_bar_, kl_);
    backend_.positive_lower_backward(l_, l_bar_, parameters_.gradient(parameter_));
  } else {
    backend_.add(T(1), out_.f_i_bar(), T(1), h_bar_);
  }
  cholesky_backward<T>(backend_, h_, inverse_, h_bar_, t_bar_, input_.ii_bar());
}

template class GramLayer<float>;
template class GramLayer<double>;

}  // namespace gdkm
