#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gdkm/fitting/nearest_items.hpp"
#include "gdkm/fitting/prediction_sets.hpp"

namespace gdkm::cli {

/// All that gdkm predict says of every item.
struct PredictionTable {
  Predictions predictions;
  std::vector<std::string> class_names;  // empty where classes are mere numbers
  std::optional<PredictionSets> sets;
  std::optional<NearestItems> nearest;

  std::string csv() const;
  void write_npz(const std::filesystem::path& path) const;
};

}  // namespace gdkm::cli
