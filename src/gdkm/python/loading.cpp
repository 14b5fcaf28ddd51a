#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gdkm/data/catalogue/fetch.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/python/dataset.hpp"

namespace gdkm::python {

namespace nb = nanobind;

namespace {

using Folder = std::optional<std::filesystem::path>;

PythonDataset load_data(const std::string& data, const Folder& folder, int threads) {
  const nb::gil_scoped_release released;
  return wrapped(load(data, folder, threads));
}

nb::list catalogue_entries() {
  nb::list out;
  for (const CatalogueEntry& entry : catalogue()) {
    nb::dict each;
    each["name"] = entry.name;
    each["title"] = entry.title;
    each["task"] = entry.task == Task::node ? "node" : "graph";
    each["source"] = entry.source;
    each["licence"] = entry.licence;
    nb::list files;
    for (const CatalogueFile& file : entry.files) {
      nb::dict one;
      one["name"] = file.name;
      one["url"] = file.url;
      one["sha256"] = file.sha256;
      one["unpack"] = file.unpack;
      files.append(one);
    }
    each["files"] = files;
    out.append(each);
  }
  return out;
}

nb::list generators() {
  nb::list out;
  for (const GeneratorHelp& help : list_generators()) {
    nb::dict each;
    each["name"] = help.name;
    each["summary"] = help.summary;
    nb::dict options;
    for (const GeneratorOption& option : help.options)
      options[option.key.c_str()] = nb::make_tuple(option.default_value, option.meaning);
    each["options"] = options;
    out.append(each);
  }
  return out;
}

}  // namespace

void add_loading(nb::module_& module) {
  add_importing(module);
  module.def("load", &load_data, nb::arg("data"), nb::arg("data_dir").none(), nb::arg("threads"));
  module.def("data_folders", [](const Folder& folder) {
    std::vector<std::string> out;
    for (const auto& each : data_folders(folder)) out.push_back(each.string());
    return out;
  });
  module.def("dataset_names", [](const Folder& folder) {
    std::vector<std::string> out;
    for (const auto& each : list_datasets(folder)) out.push_back(each.name);
    return out;
  });
  module.def("catalogue", &catalogue_entries);
  module.def("generators", &generators);
  module.def("save_npz", [](const PythonDataset& dataset, const std::filesystem::path& path) {
    const nb::gil_scoped_release released;
    write_graph_npz(*dataset, path);
  });
}

}  // namespace gdkm::python
