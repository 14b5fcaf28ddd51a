#pragma once

#include <optional>

#include "gdkm/dataset/column_scales.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/graph/pooled_features.hpp"

namespace gdkm {

/// The steps between a data set as read and a model. They are stored with the model.
struct Preprocessing {
  Normalisation normalise = Normalisation::automatic;
  std::optional<ColumnScales> scales = std::nullopt;  // of `standard`; measured on the data where not given
  AdjacencyOptions adjacency;
  bool largest_component = false;   // drop nodes outside the largest connected component
  bool degree_features = false;     // see with_degrees()
  int wl_features = 0;              // rounds; see with_colours()
  bool structure_features = false;  // see with_structure()
  int diffuse = 0;                  // steps; see diffused()
  /// Of graphs: a model then sees one row for each, and no edges.
  FeaturePooling pool_features = FeaturePooling::none;

  /// Whether a model sees one row of features for each graph.
  bool makes_rows() const { return pool_features != FeaturePooling::none; }
  bool operator==(const Preprocessing&) const = default;
};

/// What `normalise` comes to where it is `automatic`.
Normalisation resolved(const Preprocessing& how, const FeatureColumns& columns);

/// `how` with what the data decides: `automatic` becomes standard or l2, and scales are measured.
Preprocessing settled(Preprocessing how, const Dataset& dataset);

/// Applies largest_component, degree_features, wl_features, structure_features and pool_features. A data set
/// of many graphs cannot have structure_features, and one graph no pool_features (an OptionError). A graph
/// whose features are pooled has one node. Normalisation, diffusion and the adjacency matrix follow
/// later (gdkm/training/problem.hpp).
Dataset preprocess(Dataset dataset, const Preprocessing& how);

/// The features of a data set that was preprocessed, normalised and diffused. Rows are scaled before and
/// after the diffusion.
Features normalised(const Dataset& dataset, const Preprocessing& how);

/// The largest connected component (the first of equal ones): its nodes, edges, labels and splits. Nodes keep
/// their names, or get their old numbers as names. A data set of many graphs is an InputError.
Dataset largest_component(const Dataset& dataset);

}  // namespace gdkm
