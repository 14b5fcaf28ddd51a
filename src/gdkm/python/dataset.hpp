#pragma once

#include <memory>

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

}  // namespace gdkm::python
