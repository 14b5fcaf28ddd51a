#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/csr.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// How features are written: all values, or only the positions of ones.
enum class GeomFeatures { values, positions };

/// The contents of `out1_node_feature_label.txt`, sorted by node.
struct GeomNodes {
  Csr features;
  std::vector<std::int32_t> label;
};

/// Reads that file. Each of the nodes 0..n−1 has one line, in any order. With positions, `width` is the
/// minimum number of columns.
GeomNodes read_geom_nodes(const Text& text, GeomFeatures kind, Index width, ThreadPool& pool);

/// Refuses a file without a header line, whose first data line would be skipped.
void expect_header(const Text& text);

}  // namespace gdkm
