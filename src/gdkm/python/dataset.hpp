#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/python/module.hpp"

namespace gdkm::python {

/// A data set as Python holds it: it does not change, and models, threads and copies share it.
struct PythonDataset {
  std::shared_ptr<const Dataset> data;

  const Dataset& operator*() const { return *data; }
  const Dataset* operator->() const { return data.get(); }
};

PythonDataset wrapped(Dataset dataset);

/// (train, val, test) or (train, val, test, conformal), arrays of item numbers.
Split split_from(nanobind::handle parts);
/// {"public": [(train, val, test), …], …}
std::map<std::string, std::vector<Split>> splits_from(const nanobind::dict& sets);

/// Dataset.from_arrays: somebody's own arrays, copied once and checked.
void add_from_arrays(nanobind::class_<PythonDataset>& dataset);
/// What is computed from a data set: its summary, its fingerprint, random splits.
void add_summary(nanobind::class_<PythonDataset>& dataset);

/// Tables and graphs with attributes, as `gdkm data import` reads them.
void add_importing(nanobind::module_& module);

}  // namespace gdkm::python
