#include "gdkm/training/natural_inference.hpp"

namespace gdkm {

template <class T>
int NaturalInference<T>::declare(Index items) {
  const Index w = posterior_.width(), outputs = posterior_.outputs();
  state_.declare(name_of(batches_, "linear"), items, outputs);
  state_.declare(name_of(batches_, "residual"), items, outputs);
  state_.declare(name_of(batches_, "precision"), 1, items);
  state_.declare(name_of(batches_, "curvature"), 1, items);
  state_.declare(name_of(batches_, "covariance_evidence"), w, w);
  state_.declare(name_of(batches_, "mean_evidence"), w, w);
  state_.declare(name_of(batches_, "linear_evidence"), w, outputs);
  state_.declare(name_of(batches_, "residual_evidence"), w, outputs);
  return batches_++;
}

template <class T>
Parameters<T>& NaturalInference<T>::state() {
  if (!state_.values().empty()) return state_;
  state_.allocate();
  for (int batch = 0; batch < batches_; ++batch) posterior_.add(sites(batch));
  return state_;
}

template <class T>
Sites<T> NaturalInference<T>::sites(int batch) {
  const auto part = [&](const char* name) { return state().value(state_.find(name_of(batch, name))); };
  return {part("linear"),
          part("residual"),
          part("precision"),
          part("curvature"),
          part("covariance_evidence"),
          part("mean_evidence"),
          part("linear_evidence"),
          part("residual_evidence")};
}

template class NaturalInference<float>;
template class NaturalInference<double>;

}  // namespace gdkm
