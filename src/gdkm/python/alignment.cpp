#include <numeric>

#include "gdkm/python/arrays.hpp"
#include "gdkm/python/module.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/cka.hpp"

namespace gdkm::python {

namespace {

std::vector<std::int32_t> all_of(std::size_t count) {
  std::vector<std::int32_t> out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

double of_labels(const Rows<double>& features, const Column<std::int32_t>& labels, int classes) {
  if (labels.size() != features.shape(0))
    throw InputError("cka: expected one label for each row of features");
  const auto rows = all_of(features.shape(0));
  const nb::gil_scoped_release released;
  return cka_with_labels({features.data(), features.size()}, static_cast<Index>(features.shape(1)),
                         {labels.data(), labels.size()}, classes, rows);
}

}  // namespace

void add_alignment(nb::module_& module) {
  module.def("cka_with_labels", &of_labels, nb::arg("features"), nb::arg("labels"), nb::arg("classes"));
}

}  // namespace gdkm::python
