#include "gdkm/data/formats/parts/partition_source.hpp"

#include "gdkm/dataset/dense_or_sparse.hpp"

namespace gdkm {

PartitionSource source_of(const Dataset& dataset) {
  PartitionSource out;
  out.head = dataset;
  out.head.features = in_cheaper_form(dataset.features);  // ranks must not decide it each for itself
  out.head.graph.edges.clear();
  out.edge_count = static_cast<Index>(dataset.graph.edges.size());
  out.feature_cols = dataset.features.cols;
  out.edges = [&dataset](const auto& visit) {
    for (std::size_t k = 0; k < dataset.graph.edges.size(); ++k) visit(dataset.graph.edges[k], k);
  };
  if (out.head.features.is_sparse) return out;
  out.head.features = {};
  out.rows = [&dataset](const auto& visit) {
    const auto width = static_cast<std::size_t>(dataset.features.cols);
    for (Index node = 0; node < dataset.features.rows; ++node)
      visit(node, std::span<const float>(
                      dataset.features.dense.data() + static_cast<std::size_t>(node) * width, width));
  };
  return out;
}

}  // namespace gdkm
