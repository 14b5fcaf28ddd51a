#include "gdkm/graph/pooled_features.hpp"

#include <algorithm>
#include <cmath>

namespace gdkm {
namespace {

/// The matrix that adds up the nodes of each graph, or averages them.
Csr adds_up(const std::vector<std::int32_t>& graph_start, bool averages) {
  Csr out;
  out.rows = static_cast<Index>(graph_start.size()) - 1;
  out.cols = graph_start.back();
  for (std::size_t g = 0; g + 1 < graph_start.size(); ++g) {
    const double size = std::max(1, graph_start[g + 1] - graph_start[g]);
    for (auto node = graph_start[g]; node < graph_start[g + 1]; ++node) {
      out.col.push_back(node);
      out.value.push_back(averages ? 1 / size : 1.0);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

}  // namespace

Features pooled_features(const Features& x, const std::vector<std::int32_t>& graph_start,
                         FeaturePooling how) {
  Features out = mix(adds_up(graph_start, how == FeaturePooling::mean), x);
  if (how != FeaturePooling::root) return out;
  for (double& value : out.sparse.value) value = std::copysign(std::sqrt(std::fabs(value)), value);
  for (float& value : out.dense) value = std::copysign(std::sqrt(std::fabs(value)), value);
  return out;
}

}  // namespace gdkm
