#include "gdkm/data/generators/erdos_renyi.hpp"

#include "gdkm/data/generators/labelled_points.hpp"
#include "gdkm/data/generators/pair_sampling.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

GeneratorOptions ErdosRenyi::options() {
  GeneratorOptions out;
  out.add("n", nodes, 1, 100'000'000, "nodes");
  out.add("p", p, 0, 1, "probability of an edge");
  out.add("classes", classes, 1, 1000, "classes of equal size");
  out.add("features", features, 1, 1'000'000, "feature columns");
  out.add("signal", signal, 0, 1e6, "length of the class means; the noise has deviation 1 in each column");
  splits.add_to(out);
  return out;
}

Dataset ErdosRenyi::generate() const {
  const double edges = 0.5 * static_cast<double>(nodes) * static_cast<double>(nodes - 1) * p;
  if (edges > 2e9) refuse("generator 'er': {:.3g} edges are too many; lower p or n", edges);
  const auto seed = static_cast<std::uint64_t>(splits.seed);
  Dataset out = labelled_nodes(name, nodes, classes, seed);
  Random random(Stream{seed, Purpose::generator, 0});
  visit_pairs_at_random(nodes, p, random, [&](std::int64_t v, std::int64_t u) {
    out.graph.edges.push_back({static_cast<std::int32_t>(v), static_cast<std::int32_t>(u)});
  });
  out.features = gaussian_features(out.label, out.classes, features, signal, seed);
  splits.draw(out);
  return out;
}

}  // namespace gdkm
