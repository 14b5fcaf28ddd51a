#include "gdkm/data/formats/geom_gcn/geom_gcn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/data/formats/geom_gcn/geom_gcn_splits.hpp"
#include "gdkm/data/formats/shared/number_lines.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// How features are written: all values, or only the positions of ones.
enum class GeomFeatures { values, positions };

/// The contents of `out1_node_feature_label.txt`, sorted by node.
struct GeomNodes {
  Csr features;
  std::vector<std::int32_t> label;
};

/// The contents of some lines, in file order.
struct Chunk {
  std::vector<std::int32_t> node, label;
  std::vector<std::size_t> end;  // per line: the end of its entries in col and value
  std::vector<std::int32_t> col;
  std::vector<float> value;
  Index width = 0;
};

/// How many values the first line after the header has.
Index count_values(std::string_view text) {
  for (take_line(text); !text.empty();) {
    const auto line = take_line(text);
    if (line.find_first_not_of(" \t") != std::string_view::npos)
      return 1 + std::count(line.begin(), line.end(), ',');
  }
  return 0;
}

void parse_values(Line& line, Index width, Chunk& chunk) {
  Index col = 0;
  do {
    const auto value = line.number<double>("a feature");
    if (!(std::fabs(value) <= std::numeric_limits<float>::max()))
      refuse("feature {} is {}; replace it by a finite number", col, value);
    const auto kept = static_cast<float>(value);
    if (kept != 0) {
      chunk.col.push_back(static_cast<std::int32_t>(col));
      chunk.value.push_back(kept);
    }
    ++col;
  } while (line.accept(','));
  if (col != width)
    refuse("has {} features, but the first line has {}; give every node the same number", col, width);
}

void parse_positions(Line& line, Chunk& chunk) {
  const std::size_t begin = chunk.col.size();
  do {
    const auto position = line.number<std::int32_t>("the position of a feature");
    if (position < 0 || position == std::numeric_limits<std::int32_t>::max())
      refuse("the position {} is out of range; count from 0", position);
    chunk.col.push_back(position);
  } while (line.accept(','));
  const auto first = chunk.col.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, chunk.col.end());
  chunk.col.erase(std::unique(first, chunk.col.end()), chunk.col.end());
  chunk.width = std::max(chunk.width, Index{chunk.col.back()} + 1);
  chunk.value.resize(chunk.col.size(), 1.0f);
}

/// The line of a node.
struct Place {
  const Chunk* chunk = nullptr;
  std::size_t line = 0;
};

std::vector<Place> sort_nodes(const std::vector<Chunk>& chunks, const std::string& where) {
  std::size_t nodes = 0;
  for (const Chunk& chunk : chunks) nodes += chunk.node.size();
  if (nodes == 0) refuse(where + ": has no nodes; add one line per node after the header");
  if (nodes > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    refuse("{}: has {} nodes, the limit is 2^31; use a part of the graph", where, nodes);
  std::vector<Place> out(nodes);
  for (const Chunk& chunk : chunks) {
    for (std::size_t k = 0; k < chunk.node.size(); ++k) {
      const auto node = static_cast<std::size_t>(chunk.node[k]);
      if (node >= nodes) {
        refuse("{}: refers to node {}, but its {} lines mean nodes 0..{}; number the nodes 0, 1, 2, ...",
               where, node, nodes, nodes - 1);
      }
      if (out[node].chunk != nullptr) refuse("{}: node {} has two lines; keep one per node", where, node);
      out[node] = {&chunk, k};
    }
  }
  return out;
}

/// Refuses a file without a header line, whose first data line would be skipped.
void expect_header(const Text& text) {
  if (text.bytes.empty() || text.bytes[0] < '0' || text.bytes[0] > '9') return;
  refuse(text.where + ": line 1: expected a header line, got data; add a header line");
}

/// Reads that file. Each of the nodes 0..n−1 has one line, in any order. With positions, `width` is the
/// minimum number of columns.
GeomNodes read_geom_nodes(const Text& text, GeomFeatures kind, Index width, ThreadPool& pool) {
  expect_header(text);
  if (kind == GeomFeatures::values) width = count_values(text.bytes);
  const auto chunks = parse_chunks<Chunk>(text, 1, pool, [&](Line& line, Chunk& chunk) {
    const auto node = line.number<std::int32_t>("a node number");
    if (node < 0) refuse("node {} is out of range; number nodes from 0", node);
    kind == GeomFeatures::values ? parse_values(line, width, chunk) : parse_positions(line, chunk);
    const auto label = line.number<std::int32_t>("a class number");
    if (label < -1) refuse("the class is {}; use 0..C-1, or -1 for no label", label);
    line.expect_end();
    chunk.node.push_back(node);
    chunk.label.push_back(label);
    chunk.end.push_back(chunk.col.size());
  });
  const auto places = sort_nodes(chunks, text.where);
  GeomNodes out;
  out.features.rows = static_cast<Index>(places.size());
  for (const Chunk& chunk : chunks) width = std::max(width, chunk.width);
  out.features.cols = width;
  for (const auto& [chunk, line] : places) {
    const auto begin = static_cast<std::ptrdiff_t>(line == 0 ? 0 : chunk->end[line - 1]);
    const auto end = static_cast<std::ptrdiff_t>(chunk->end[line]);
    out.features.col.insert(out.features.col.end(), chunk->col.begin() + begin, chunk->col.begin() + end);
    out.features.value.insert(out.features.value.end(), chunk->value.begin() + begin,
                              chunk->value.begin() + end);
    out.features.row_start.push_back(out.features.nonzeros());
    const auto label = chunk->label[line];
    if (label >= out.features.rows) {
      refuse("{}: node {} has class {}, but {} nodes have at most {} classes; use 0..C-1", text.where,
             chunk->node[line], label, places.size(), places.size());
    }
    out.label.push_back(label);
  }
  return out;
}

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
  return parse_lines<Edge>(text, 1, pool, [&](Line& line) { return read_edge(line, 0, nodes); });
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
