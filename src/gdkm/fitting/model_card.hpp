#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/fitting/prepared_data.hpp"
#include "gdkm/fitting/run_result.hpp"
#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// What a fitted model says about itself, besides its numbers.
struct ModelCard {
  Settings settings;  // the seed is that of the run; precision is the numbers' own
  std::string data;   // what it was trained on, as it was loaded
  std::string version;
  std::optional<Task> task;  // what its data was; older files do not say it
  Index graphs = 0;          // of a graph task
  Index nodes = 0, features = 0, classes = 0;
  FeatureColumns columns;                // what its features are made of, before preprocessing
  std::vector<std::string> class_names;  // as the data has them; empty where classes are mere numbers
  std::vector<std::string> edge_types;   // of a model that tells them apart: see PreparedData
  std::string graph;                     // fingerprint of the graph it was trained on
  /// The items that it learned from, and those that anything was chosen or calibrated by. Older files do not
  /// say them.
  std::vector<std::int32_t> train_items, val_items;
  ConformalScores conformal;  // of items that were kept apart for this; empty where there were none
  RunResult run;
};

/// `conformal`: see conformal_scores.
ModelCard make_card(const PreparedData& data, const Split& split, const RunResult& run,
                    ConformalScores conformal);

}  // namespace gdkm
