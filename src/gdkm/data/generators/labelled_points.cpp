#include "gdkm/data/generators/labelled_points.hpp"

#include <cmath>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/support/random.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {
// The edges of the generators use streams 0 and 1.
constexpr std::uint32_t label_stream = 2, direction_stream = 3, noise_stream = 4;
}  // namespace

Dataset labelled_nodes(const char* generator, Index nodes, Index classes, std::uint64_t seed) {
  if (classes > nodes)
    refuse("generator '{}': {} classes for {} nodes; use classes <= n", generator, classes, nodes);
  Random random(Stream{seed, Purpose::generator, label_stream});
  Dataset out;
  out.classes = static_cast<int>(classes);
  out.graph.nodes = nodes;
  for (Index i = 0; i < nodes; ++i) out.label.push_back(static_cast<std::int32_t>(i % classes));
  shuffle(out.label, random);
  return out;
}

Features gaussian_features(const std::vector<std::int32_t>& label, int classes, Index cols, double signal,
                           std::uint64_t seed) {
  Random directions(Stream{seed, Purpose::generator, direction_stream});
  std::vector<double> mean(static_cast<std::size_t>(classes * cols));
  for (int c = 0; c < classes; ++c) {
    double* row = mean.data() + c * cols;
    double length = 0;
    while (length == 0) {
      for (Index j = 0; j < cols; ++j) row[j] = directions.normal();
      for (Index j = 0; j < cols; ++j) length += row[j] * row[j];
    }
    for (Index j = 0; j < cols; ++j) row[j] *= signal / std::sqrt(length);
  }
  Random noise(Stream{seed, Purpose::generator, noise_stream});
  Features out;
  out.rows = static_cast<Index>(label.size());
  out.cols = cols;
  out.dense.reserve(label.size() * static_cast<std::size_t>(cols));
  for (const auto c : label) {
    for (Index j = 0; j < cols; ++j)
      out.dense.push_back(static_cast<float>(mean[c * cols + j] + noise.normal()));
  }
  return out;
}

}  // namespace gdkm
