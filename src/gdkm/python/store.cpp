#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gdkm/python/module.hpp"
#include "gdkm/store/run_export.hpp"
#include "gdkm/store/store.hpp"

namespace gdkm::python {

namespace nb = nanobind;

namespace {

/// The runs that match, or their learning curves, as JSON: {"column": [values]}.
std::string store_table(const std::string& location, const std::string& dataset, const std::string& model,
                        const std::string& status, const std::vector<std::string>& where, bool curves) {
  const nb::gil_scoped_release released;
  RunFilter filter{dataset, model, {}, {}};
  if (!status.empty()) filter.status = run_status(status);
  for (const auto& each : where) filter.where.push_back(parse_where(each));
  const Store store = Store::open(location);
  const auto runs = store.runs(filter);
  const ExportTable table = curves ? export_curves(store, runs) : export_runs(runs);
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& column : table.columns) out[column.name] = column.values;
  return out.dump();
}

}  // namespace

void add_store(nb::module_& module) {
  module.def("store_table", &store_table);
  // The place of a store without a password, as it may be shown.
  module.def("store_shown", [](const std::string& location) { return StoreLocation(location).shown(); });
  module.def("store_password",
             [](const std::string& location) { return StoreLocation(location).password(); });
}

}  // namespace gdkm::python
