#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gdkm/fitting/parameter_loss.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"
#include "gdkm/python/settings.hpp"

namespace gdkm::python {

namespace {

std::vector<std::size_t> shape_of(const ParameterLoss::Parameter& parameter) {
  return {static_cast<std::size_t>(parameter.rows), static_cast<std::size_t>(parameter.cols)};
}

nb::dict collect(const ParameterLoss& loss,
                 std::vector<double> (ParameterLoss::*what)(const std::string&) const) {
  nb::dict out;
  for (const auto& parameter : loss.parameters())
    out[parameter.name.c_str()] = to_numpy((loss.*what)(parameter.name), shape_of(parameter));
  return out;
}

}  // namespace

void add_loss(nb::module_& module) {
  nb::class_<ParameterLoss>(module, "ParameterLoss")
      .def(
          "__init__",
          [](ParameterLoss* self, const PythonDataset& dataset, nb::handle split, const std::string& model,
             const nb::dict& options) {
            const Settings settings = settings_from(model, options);
            new (self) ParameterLoss(*dataset, split_from(split), settings);
          },
          nb::arg("dataset"), nb::arg("split"), nb::arg("model"), nb::arg("options"))
      .def("parameters", [](const ParameterLoss& loss) { return collect(loss, &ParameterLoss::get); })
      .def("gradients", [](const ParameterLoss& loss) { return collect(loss, &ParameterLoss::gradient); })
      .def("set", [](ParameterLoss& loss, const std::string& name,
                     const Column<double>& values) { loss.set(name, to_vector(values)); })
      .def(
          "compute", [](ParameterLoss& loss, std::uint32_t turn) { return loss.compute(turn); },
          nb::call_guard<nb::gil_scoped_release>())
      .def("predict", [](const ParameterLoss& loss) { return to_numpy(loss.predict()); })
      .def_prop_ro("items", &ParameterLoss::items);
}

}  // namespace gdkm::python
