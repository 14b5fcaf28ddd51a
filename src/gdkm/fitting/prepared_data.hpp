#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/settings/settings.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm {

/// A data set as models with some settings take it. Seeds and splits share it.
struct PreparedData {
  /// What the data decides is filled in: regression, normalisation, at most one inducing point a node.
  Settings settings;
  Dataset dataset;    // after preprocessing; without rows where it is one rank's share
  Problem problem;    // features normalised, the adjacency made a matrix
  std::string graph;  // fingerprint of that matrix, or of A with structure features
  /// Of the data as it was given, without splits; for exact models, which belong to it.
  std::string fingerprint;
  /// Names of the types of edges, where the model or its features tell them apart.
  std::vector<std::string> edge_types;
  /// The same data as each member of a committee takes it; all have the same items. Empty for one model.
  std::vector<PreparedData> members;
};

/// The one way from a data set to what a model trains on. An OptionError where settings do not go with each
/// other or with the data; `warn` is told of what was changed or looks odd.
PreparedData prepare(Dataset dataset, Settings settings,
                     const std::function<void(const std::string&)>& warn = {});

/// An OptionError for what a rank cannot do that has read its own nodes alone (Dataset::owner).
void check_share(const Dataset& dataset, const Settings& settings);

/// Whether the features depend on the split: those of many graphs are standardised by the training graphs.
bool depends_on_split(const PreparedData& data);
/// The same data as models of that split take it.
PreparedData for_split(PreparedData data, const Split& split);

}  // namespace gdkm
