#include "gdkm/layers/feature_gram.hpp"

#include <cmath>

namespace gdkm {

template <class T>
FeatureGramLayer<T>::FeatureGramLayer(Workspace<T>& workspace, FeatureKernel<T>& input,
                                      Parameters<T>& parameters, const std::string& name, double nu,
                                      FeatureTraits traits)
    : backend_(workspace.backend()),
      input_(input),
      parameters_(parameters),
      nu_(nu),
      l_(backend_, input.width(), input.width()),
      l_bar_(workspace.small(0, input.width(), input.width())),
      kl_(workspace.scalar()),
      out_(workspace, input.inducing(), input.width(), traits) {
  if (std::isfinite(nu)) parameter_ = parameters.declare(name + ".L", input.width(), input.width());
}

template <class T>
void FeatureGramLayer<T>::forward() {
  if (learned()) {
    backend_.positive_lower(parameters_.value(parameter_), l_);
  } else {
    backend_.identity(l_);
  }
  backend_.times_lower(input_.f_i(), Op::none, l_, out_.f_i());
  input_.project(l_, out_.f_t());
  out_.refresh();
}

template <class T>
void FeatureGramLayer<T>::backward(T scale) {
  out_.collect();
  input_.project_backward(l_, out_.f_t_bar(), l_bar_);
  backend_.gemm(T(1), Op::none, out_.f_i_bar(), Op::transpose, l_, T(1), input_.f_i_bar());
  if (!learned()) return;
  backend_.gemm(T(1), Op::transpose, input_.f_i(), Op::none, out_.f_i_bar(), T(1), l_bar_);
  if (nu_ > 0) backend_.normal_kl(l_, -scale * static_cast<T>(nu_), l_bar_, kl_);
  backend_.positive_lower_backward(l_, l_bar_, parameters_.gradient(parameter_));
}

template class FeatureGramLayer<float>;
template class FeatureGramLayer<double>;

}  // namespace gdkm
