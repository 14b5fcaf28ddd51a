#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/csr.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// How the features of a node are written: every value, or the positions of ones among zeros.
enum class GeomFeatures { values, positions };

/// The lines of `out1_node_feature_label.txt`, sorted by node.
struct GeomNodes {
  Csr features;
  std::vector<std::int32_t> label;
};

/// Reads that file. Each of the nodes 0..n−1 must have one line, in whatever order; `width` is the least
/// number of columns where positions are given.
GeomNodes read_geom_nodes(const Text& text, GeomFeatures kind, Index width, ThreadPool& pool);

/// Refuses a file whose first line is data, which would be lost as a header.
void expect_header(const Text& text);

}  // namespace gdkm
