#include "gdkm/data/generators/csbm.hpp"

#include <algorithm>

#include "gdkm/data/generators/labelled_points.hpp"
#include "gdkm/data/generators/pair_sampling.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

double probability(double edges, double pairs, const char* kind) {
  if (edges == 0) return 0;
  if (edges <= pairs) return edges / pairs;
  refuse(
      "generator 'csbm': {} edges {} classes requested, but only {} pairs exist; lower degree, "
      "raise n, or change homophily or classes",
      edges, kind, pairs);
}

}  // namespace

GeneratorOptions Csbm::options() {
  GeneratorOptions out;
  out.add("n", nodes, 1, 100'000'000, "nodes");
  out.add("classes", classes, 1, 1000, "classes of equal size");
  out.add("homophily", homophily, 0, 1, "expected fraction of edges within a class");
  out.add("degree", degree, 0, 100'000, "expected mean degree");
  out.add("features", features, 1, 1'000'000, "feature columns");
  out.add("signal", signal, 0, 1e6, "length of the class means; the noise has deviation 1 in each column");
  splits.add_to(out);
  return out;
}

Dataset Csbm::generate() const {
  const auto seed = static_cast<std::uint64_t>(splits.seed);
  Dataset out = labelled_nodes(name, nodes, classes, seed);
  std::vector<std::vector<std::int32_t>> member(static_cast<std::size_t>(classes));
  for (std::int64_t i = 0; i < nodes; ++i) member[out.label[i]].push_back(static_cast<std::int32_t>(i));

  double within = 0;
  for (const auto& block : member)
    within += 0.5 * static_cast<double>(block.size()) * (static_cast<double>(block.size()) - 1);
  const double between = 0.5 * static_cast<double>(nodes) * static_cast<double>(nodes - 1) - within;
  const double edges = 0.5 * static_cast<double>(nodes) * degree;
  if (edges > 2e9) refuse("generator 'csbm': {:.3g} edges are too many; lower degree or n", edges);
  const double p_within = probability(homophily * edges, within, "within");
  const double p_between = probability((1 - homophily) * edges, between, "between");

  Random random(Stream{seed, Purpose::generator, 0});
  const auto join = [&](std::int32_t u, std::int32_t v) {
    out.graph.edges.push_back({std::min(u, v), std::max(u, v)});
  };
  for (std::size_t c = 0; c < member.size(); ++c) {
    const auto& block = member[c];
    visit_pairs_at_random(static_cast<std::int64_t>(block.size()), p_within, random,
                          [&](std::int64_t v, std::int64_t u) { join(block[v], block[u]); });
    for (std::size_t d = 0; d < c; ++d) {
      const auto& other = member[d];
      const auto width = static_cast<std::int64_t>(other.size());
      visit_at_random(static_cast<std::int64_t>(block.size()) * width, p_between, random,
                      [&](std::int64_t pair) { join(block[pair / width], other[pair % width]); });
    }
  }
  out.features = gaussian_features(out.label, out.classes, features, signal, seed);
  splits.draw(out);
  return out;
}

}  // namespace gdkm
