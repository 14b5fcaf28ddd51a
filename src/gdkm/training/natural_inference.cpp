#include "gdkm/training/natural_inference.hpp"

#include <numeric>

namespace gdkm {

template <class T>
int NaturalInference<T>::declare(std::vector<std::int32_t> place, Index all) {
  const Index w = posterior_.width(), outputs = posterior_.outputs(),
              items = static_cast<Index>(place.size());
  const auto rows = std::make_shared<const RowPlaces>(RowPlaces{place, all, outputs});
  const auto numbers = std::make_shared<const RowPlaces>(RowPlaces{std::move(place), all, 1});
  for (const char* name : {"linear", "residual"})
    state_.declare(name_of(batches_, name), items, outputs, Space::nodes, rows);
  for (const char* name : {"precision", "curvature"})
    state_.declare(name_of(batches_, name), 1, items, Space::nodes, numbers);
  state_.declare(name_of(batches_, "covariance_evidence"), w, w);
  state_.declare(name_of(batches_, "mean_evidence"), w, w);
  state_.declare(name_of(batches_, "linear_evidence"), w, outputs);
  state_.declare(name_of(batches_, "residual_evidence"), w, outputs);
  return batches_++;
}

template <class T>
int NaturalInference<T>::declare(Index items) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(items));
  std::iota(all.begin(), all.end(), 0);
  return declare(std::move(all), items);
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
