#include "gdkm/training/problem.hpp"

#include <algorithm>
#include <cassert>

namespace gdkm {

Problem prepare(const Dataset& dataset, Normalisation normalisation, double lambda) {
  Problem out;
  out.features = normalise(dataset.features, normalisation);
  out.adjacency = adjacency(dataset.graph);
  out.mixing = normalised_adjacency(out.adjacency, lambda);
  out.label = dataset.label;
  out.classes = dataset.classes;
  return out;
}

std::vector<std::int32_t> Part::numbers_of(const std::vector<std::int32_t>& whole) const {
  std::vector<std::int32_t> out;
  out.reserve(whole.size());
  for (const auto node : whole) {
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
    assert(at != nodes.end() && *at == node);
    out.push_back(static_cast<std::int32_t>(at - nodes.begin()));
  }
  return out;
}

Part within_reach(const Problem& problem, const std::vector<std::int32_t>& seeds, int hops) {
  Part out;
  out.nodes = neighbourhood(problem.adjacency, seeds, hops);
  if (static_cast<Index>(out.nodes.size()) == problem.adjacency.rows) {
    out.features = problem.features;
    out.mixing = problem.mixing;
  } else {
    out.features = select_rows(problem.features, out.nodes);
    out.mixing = submatrix(problem.mixing, out.nodes, out.nodes);
  }
  return out;
}

}  // namespace gdkm
