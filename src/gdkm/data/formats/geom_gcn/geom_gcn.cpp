#include "gdkm/data/formats/geom_gcn/geom_gcn.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/formats/geom_gcn/geom_gcn_nodes.hpp"
#include "gdkm/data/formats/geom_gcn/geom_gcn_splits.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

constexpr const char* edge_file = "out1_graph_edges.txt";
constexpr const char* node_file = "out1_node_feature_label.txt";
constexpr Index film_width = 932;  // of the published matrix, whose last columns may be empty

std::optional<std::string> find_plain_or_packed(const FileTree& files, const char* name) {
  const auto plain = files.find(name);
  return plain ? plain : files.find(std::string(name) + ".gz");
}

Text read_plain_or_packed(const FileTree& files, const char* name) {
  const auto found = find_plain_or_packed(files, name);
  return found ? files.read(*found) : files.read_required(name);
}

std::vector<Edge> read_edges(const Text& text, Index nodes, ThreadPool& pool) {
  expect_header(text);
  return parse_lines<Edge>(text, 1, pool, [&](Line& line) {
    const auto from = line.number<std::int32_t>("a node number"),
               to = line.number<std::int32_t>("a node number");
    line.expect_end();
    for (const auto node : {from, to}) {
      if (node >= 0 && node < nodes) continue;
      line.fail(fmt::format("refers to node {}, but nodes are numbered 0..{}; correct or remove the line",
                            node, nodes - 1));
    }
    return Edge{from, to};
  });
}

}  // namespace

bool is_geom_gcn(const FileTree& files, const std::string&) {
  return !files.is_archive() && find_plain_or_packed(files, edge_file) &&
         find_plain_or_packed(files, node_file);
}

Dataset read_geom_gcn(const FileTree& files, const std::string& name, ThreadPool& pool) {
  const auto kind = name == "film" ? GeomFeatures::positions : GeomFeatures::values;
  GeomNodes nodes = read_geom_nodes(read_plain_or_packed(files, node_file), kind, film_width, pool);
  Dataset out;
  out.name = name;
  out.graph.nodes = nodes.features.rows;
  out.graph.directed = true;
  out.graph.edges = read_edges(read_plain_or_packed(files, edge_file), out.graph.nodes, pool);
  out.features = dense_or_sparse(std::move(nodes.features));
  out.label = std::move(nodes.label);
  out.classes = 1 + *std::max_element(out.label.begin(), out.label.end());
  auto splits = read_geom_gcn_splits(files, name, out.label);
  if (!splits.empty()) out.splits["public"] = std::move(splits);
  return out;
}

}  // namespace gdkm
