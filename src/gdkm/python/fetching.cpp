#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gdkm/data/catalogue/fetch.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/python/http_get_by.hpp"
#include "gdkm/python/module.hpp"

namespace gdkm::python {

namespace nb = nanobind;
namespace fs = std::filesystem;

namespace {

const CatalogueEntry& entry_of(const std::string& name) {
  if (const CatalogueEntry* entry = find_entry(name)) return *entry;
  std::vector<std::string> known;
  for (const CatalogueEntry& entry : catalogue()) known.push_back(entry.name);
  throw InputError(
      fmt::format("'{}' is not in the catalogue{}; see gdkm.catalogue()", name, suggestion(name, known)));
}

/// Downloads a data set and returns its folder. `progress` is called with (file, number, files, done, total).
fs::path fetch_data(const std::string& name, const std::optional<fs::path>& data_dir, bool force,
                    const std::string& base_url, const nb::object& open_url, const nb::object& progress) {
  const CatalogueEntry& entry = entry_of(name);
  const auto folders = data_folders(data_dir);
  if (folders.empty()) throw InputError("no folder to download to; set one with " + option("data_dir"));
  FetchOptions options;
  options.base_url = base_url;
  options.download.force = force;
  options.download.get = http_get_by(open_url);
  options.download.interrupted = [] {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return false;
  };
  options.progress = [&](const FetchProgress& now) {
    const nb::gil_scoped_acquire held;
    if (!progress.is_none()) progress(now.file, now.number, now.files, now.done, now.total);
  };
  {
    const nb::gil_scoped_release released;
    fetch(entry, folders.front(), options);
  }
  return folders.front() / entry.name;
}

}  // namespace

void add_fetching(nb::module_& module) {
  module.def("fetch", &fetch_data, nb::arg("name"), nb::arg("data_dir").none(), nb::arg("force"),
             nb::arg("base_url"), nb::arg("open_url"), nb::arg("progress").none());
}

}  // namespace gdkm::python
