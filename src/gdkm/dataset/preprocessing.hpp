#pragma once

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// What is done to a data set between its file and a model. It is part of a model and stored with it.
struct Preprocessing {
  Normalisation normalise = Normalisation::l2;
  AdjacencyOptions adjacency;
  bool largest_component = false;  // nodes outside the largest connected component are left out
  bool degree_features = false;    // see with_degrees()

  bool operator==(const Preprocessing&) const = default;
};

/// Leaves out what `how` leaves out, and adds what it adds. Normalisation and the adjacency matrix come
/// later, since they make other things of the data (gdkm/training/problem.hpp).
Dataset preprocess(Dataset dataset, const Preprocessing& how);

/// The nodes of the largest connected component (of equal ones the first), with their edges, labels and
/// places in the splits. Nodes keep their names, or bear their old numbers as names. Of many graphs nothing
/// is left out, since each is a component of its own: an InputError.
Dataset largest_component(const Dataset& dataset);

}  // namespace gdkm
