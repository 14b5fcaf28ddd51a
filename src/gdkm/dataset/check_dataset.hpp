#pragma once

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Throws an InputError where somebody's own data set is not what dataset.hpp says: an edge to a node that is
/// not there, a label out of range, a number that is not finite, lists of different lengths. It says what,
/// where and what to do.
void check_dataset(const Dataset& dataset);

/// The same of a part of it: edges with their weights and types; splits.
void check_graph(const Graph& graph);
void check_splits(const Dataset& dataset);

}  // namespace gdkm
