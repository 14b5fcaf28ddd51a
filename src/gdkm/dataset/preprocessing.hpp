#pragma once

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The steps between a data set as read and a model. They are stored with the model.
struct Preprocessing {
  Normalisation normalise = Normalisation::l2;
  AdjacencyOptions adjacency;
  bool largest_component = false;   // drop nodes outside the largest connected component
  bool degree_features = false;     // see with_degrees()
  bool structure_features = false;  // see with_structure()

  bool operator==(const Preprocessing&) const = default;
};

/// Applies largest_component, degree_features and structure_features, which a data set of many graphs cannot
/// have (an OptionError). Normalisation and the adjacency matrix follow later (gdkm/training/problem.hpp).
Dataset preprocess(Dataset dataset, const Preprocessing& how);

/// The largest connected component (the first of equal ones): its nodes, edges, labels and splits. Nodes keep
/// their names, or get their old numbers as names. A data set of many graphs is an InputError.
Dataset largest_component(const Dataset& dataset);

}  // namespace gdkm
