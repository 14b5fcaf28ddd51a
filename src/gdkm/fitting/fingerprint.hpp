#pragma once

#include <string>

#include "gdkm/dataset/preprocessing.hpp"
#include "gdkm/graph/relation.hpp"

namespace gdkm {

/// A number that changes when any entry of Â_λ, or of the matrices of other relations, does: an intra-domain
/// model belongs to the graph of its inducing points.
std::string fingerprint(const Relations& relations);
/// The same of A with its directions: a model with structure features belongs to the graph of these.
std::string fingerprint(const Graph& graph, AdjacencyOptions options);
/// Of features: those of pooled graphs are all that a model sees of them.
std::string fingerprint(const Features& features);
/// The one of these three that goes with the preprocessing. Of a data set that is read in parts, which may
/// have some rows alone: that of the whole, with the names of relations.
std::string fingerprint(const Dataset& dataset, const Relations& relations, const Preprocessing& how);
/// Of a data set that is read in parts: the same on all ranks that have shares of one and the same partition.
std::string fingerprint_of_share(const Dataset& dataset);
/// The same of a whole data set: edges, features, labels and, unless told otherwise, splits.
std::string fingerprint(const Dataset& dataset, bool with_splits = true);

}  // namespace gdkm
