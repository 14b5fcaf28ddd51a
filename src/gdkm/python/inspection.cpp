#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"

namespace gdkm::python {

namespace {

/// F_i of every Gram layer: the learned Gram matrix is F_i F_iᵀ.
nb::list inducing_features(const FittedModel& model, const PythonDataset& dataset) {
  std::vector<NodeFeatures> layers;
  {
    const nb::gil_scoped_release released;
    layers = model.inducing_features(*dataset);
  }
  nb::list out;
  for (NodeFeatures& each : layers) {
    const auto width = static_cast<std::size_t>(each.width);
    const std::size_t rows = width == 0 ? 0 : each.values.size() / width;
    out.append(to_numpy(std::move(each.values), {rows, width}));
  }
  return out;
}

}  // namespace

void add_inspection(nb::module_& module) {
  module.def("inducing_features", &inducing_features);
}

}  // namespace gdkm::python
