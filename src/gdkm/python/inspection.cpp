#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"

namespace gdkm::python {

namespace {

/// F_i of a layer: the learned Gram matrix is F_i F_iᵀ.
nb::object inducing_features(const FittedModel& model, const PythonDataset& dataset, int layer) {
  NodeFeatures out;
  {
    const nb::gil_scoped_release released;
    out = model.features(*dataset, layer, FeatureRows::inducing);
  }
  const auto width = static_cast<std::size_t>(out.width);
  const std::size_t rows = width == 0 ? 0 : out.values.size() / width;
  return to_numpy(std::move(out.values), {rows, width});
}

}  // namespace

void add_inspection(nb::module_& module) {
  module.def("inducing_features", &inducing_features);
}

}  // namespace gdkm::python
