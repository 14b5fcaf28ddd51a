#pragma once

#include <optional>

#include "gdkm/dataset/column_scales.hpp"
#include "gdkm/dataset/dataset.hpp"

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

  bool operator==(const Preprocessing&) const = default;
};

/// What `automatic` comes to.
Normalisation resolved(Normalisation how, const FeatureColumns& columns);

/// `how` with what the data decides: `automatic` becomes standard or l2, and scales are measured.
Preprocessing settled(Preprocessing how, const Dataset& dataset);

/// Applies largest_component, degree_features, wl_features and structure_features, the last of which a data
/// set of many graphs cannot have (an OptionError). Normalisation, diffusion and the adjacency matrix follow
/// later (gdkm/training/problem.hpp).
Dataset preprocess(Dataset dataset, const Preprocessing& how);

/// The features of a data set that was preprocessed, normalised and diffused. Rows are scaled before and
/// after the diffusion.
Features normalised(const Dataset& dataset, const Preprocessing& how);

/// The largest connected component (the first of equal ones): its nodes, edges, labels and splits. Nodes keep
/// their names, or get their old numbers as names. A data set of many graphs is an InputError.
Dataset largest_component(const Dataset& dataset);

}  // namespace gdkm
