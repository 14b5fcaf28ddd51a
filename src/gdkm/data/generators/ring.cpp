#include "gdkm/data/generators/ring.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/data/generators/labelled_points.hpp"
#include "gdkm/support/random.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

GeneratorOptions Ring::options() {
  GeneratorOptions out;
  out.add("n", nodes, 3, 1'000'000'000, "nodes");
  out.add("classes", classes, 1, 1000, "classes, in stretches of the ring");
  out.add("degree", degree, 0, 100'000, "mean degree");
  out.add("reach", reach, 1, 1'000'000, "steps to a neighbour, at most");
  out.add("features", features, 1, 1'000'000, "feature columns");
  out.add("signal", signal, 0, 1e6, "length of the class means; the noise has deviation 1 in each column");
  splits.add_to(out);
  return out;
}

Dataset Ring::generate() const {
  if (2 * reach >= nodes)
    refuse("generator 'ring': reach {} goes round {} nodes; use reach < n/2", reach, nodes);
  if (classes > nodes) refuse("generator 'ring': {} classes for {} nodes; use classes <= n", classes, nodes);
  const auto seed = static_cast<std::uint64_t>(splits.seed);
  Dataset out;
  out.classes = static_cast<int>(classes);
  out.graph.nodes = nodes;
  const std::int64_t stretch = std::max<std::int64_t>(1, std::min(10 * reach, nodes / classes));
  out.label.reserve(static_cast<std::size_t>(nodes));
  for (std::int64_t i = 0; i < nodes; ++i)
    out.label.push_back(static_cast<std::int32_t>(i / stretch % classes));
  Random random(Stream{seed, Purpose::generator, 0});
  std::vector<Edge>& edges = out.graph.edges.edit();
  edges.reserve(static_cast<std::size_t>(0.5 * degree * static_cast<double>(nodes)) + 1);
  double owed = 0;
  for (std::int64_t i = 0; i < nodes; ++i) {
    for (owed += 0.5 * degree; owed >= 1; --owed) {
      const auto step = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(reach)));
      edges.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>((i + step) % nodes)});
    }
  }
  out.features = gaussian_features(out.label, out.classes, features, signal, seed);
  splits.draw(out);
  return out;
}

}  // namespace gdkm
