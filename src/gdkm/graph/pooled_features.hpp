#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// How the features of a graph's nodes become one row: not at all, their mean, their sum, or the root of the
/// sum.
enum class FeaturePooling { none, mean, sum, root };

template <>
struct EnumNames<FeaturePooling> {
  static constexpr std::string_view names[] = {"none", "mean", "sum", "root"};
};

/// One row per graph: with s the sum of the rows of its nodes, s divided by their number (mean), s (sum), or
/// sign(s)·√|s| of each number (root). Graph g has the nodes graph_start[g] … graph_start[g+1] − 1. Sparse
/// features stay sparse. With one-hot features a sum is a histogram, and its root makes large counts matter
/// less.
Features pooled_features(const Features& x, const std::vector<std::int32_t>& graph_start, FeaturePooling how);

}  // namespace gdkm
