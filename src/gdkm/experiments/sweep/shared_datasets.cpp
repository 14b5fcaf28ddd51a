#include "gdkm/experiments/sweep/shared_datasets.hpp"

#include "gdkm/data/load.hpp"
#include "gdkm/fitting/fingerprint.hpp"

namespace gdkm {

std::shared_ptr<const LoadedDataset> SharedDatasets::get(const std::string& name) {
  const std::lock_guard lock(mutex_);
  auto& known = in_use_[name];
  auto out = known.lock();
  if (!out) {
    last_.reset();  // free an unused data set before reading another
    Dataset dataset = load(name, data_dir_, threads_);
    std::string print = fingerprint(dataset);
    out = std::make_shared<const LoadedDataset>(LoadedDataset{std::move(dataset), std::move(print)});
    known = out;
  }
  last_ = out;
  return out;
}

}  // namespace gdkm
