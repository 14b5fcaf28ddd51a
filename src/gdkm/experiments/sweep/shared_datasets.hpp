#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// A data set as read from disk, with the fingerprint of its contents.
struct LoadedDataset {
  Dataset dataset;
  std::string fingerprint;
};

/// Data sets for concurrent runs. A data set in use is not read again, and the last one is kept, because
/// successive runs tend to use the same data set.
class SharedDatasets {
 public:
  SharedDatasets(std::optional<std::filesystem::path> data_dir, int threads)
      : data_dir_(std::move(data_dir)), threads_(threads) {}

  /// Thread-safe; while one thread reads a data set, the others wait.
  std::shared_ptr<const LoadedDataset> get(const std::string& name);

 private:
  std::optional<std::filesystem::path> data_dir_;
  int threads_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const LoadedDataset>> in_use_;
  std::shared_ptr<const LoadedDataset> last_;
};

}  // namespace gdkm
