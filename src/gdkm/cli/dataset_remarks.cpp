#include "gdkm/cli/dataset_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "gdkm/dataset/class_name.hpp"

namespace gdkm::cli {

namespace {

/// Duplicate edges: repeated with the same type, in the same direction or, if the graph is undirected, in
/// either.
Index count_repeated(const Graph& graph) {
  std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t>> pairs;
  pairs.reserve(graph.edges.size());
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto [u, v] = graph.edges[k];
    const bool turn = !graph.directed && u > v;
    pairs.emplace_back(turn ? v : u, turn ? u : v, graph.type.empty() ? 0 : graph.type[k]);
  }
  std::sort(pairs.begin(), pairs.end());
  const auto different = std::unique(pairs.begin(), pairs.end()) - pairs.begin();
  return static_cast<Index>(pairs.size()) - static_cast<Index>(different);
}

std::string counted(Index count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void add_class_remarks(const Dataset& dataset, const DatasetSummary& s, std::vector<std::string>& out) {
  const std::string label = dataset.is_regression() ? "number to predict" : "class";
  if (s.unlabelled == s.nodes) {
    out.push_back("no node has a " + label + ": the graph can be used for prediction, but not for training");
    return;
  }
  if (s.unlabelled > 0) out.push_back(counted(s.unlabelled, "node has", "nodes have") + " no " + label);
  constexpr Index few = 3;
  std::vector<std::string> small;
  for (std::size_t c = 0; c < s.class_count.size(); ++c)
    if (s.class_count[c] < few) small.push_back(class_text(dataset, static_cast<Index>(c)));
  if (small.empty()) return;
  out.push_back(fmt::format("{} fewer than {} nodes: {}",
                            counted(static_cast<Index>(small.size()), "class has", "classes have"), few,
                            first_few(small)));
}

}  // namespace

std::vector<std::string> dataset_remarks(const Dataset& dataset, const DatasetSummary& s) {
  std::vector<std::string> out;
  const Graph& graph = dataset.graph;
  if (graph.edges.empty()) out.emplace_back("the graph has no edges");
  if (const Index repeated = count_repeated(graph); repeated > 0) {
    out.push_back("dropped " + counted(repeated, "duplicate edge", "duplicate edges"));
  }
  if (s.self_loops > 0) out.push_back(counted(s.self_loops, "edge is a self-loop", "edges are self-loops"));
  if (s.isolated > 0 && !graph.edges.empty()) {
    out.push_back(counted(s.isolated, "node has", "nodes have") + " no neighbours");
  }
  if (s.zero_feature_rows > 0) {
    out.push_back(counted(s.zero_feature_rows, "node has", "nodes have") + " only zero features");
  }
  add_class_remarks(dataset, s, out);
  return out;
}

}  // namespace gdkm::cli
