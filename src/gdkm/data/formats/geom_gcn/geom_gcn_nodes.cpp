#include "gdkm/data/formats/geom_gcn/geom_gcn_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// The contents of some lines, in file order.
struct Chunk {
  std::vector<std::int32_t> node, label;
  std::vector<std::size_t> end;  // per line: the end of its entries in col and value
  std::vector<std::int32_t> col;
  std::vector<float> value;
  Index width = 0;
};

/// How many values the first data line has.
Index count_values(std::string_view text) {
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    text.remove_prefix(end + 1);
    const auto line = text.substr(0, text.find('\n'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    return 1 + std::count(line.begin(), line.end(), ',');
  }
  return 0;
}

void parse_values(Line& line, Index width, Chunk& chunk) {
  Index col = 0;
  do {
    const auto value = line.number<double>("a feature");
    if (!(std::fabs(value) <= std::numeric_limits<float>::max())) {
      line.fail(fmt::format("feature {} is {}; replace it by a finite number", col, value));
    }
    const auto kept = static_cast<float>(value);
    if (kept != 0) {
      chunk.col.push_back(static_cast<std::int32_t>(col));
      chunk.value.push_back(kept);
    }
    ++col;
  } while (line.accept(','));
  if (col != width) {
    line.fail(fmt::format("has {} features, but the first line has {}; give every node the same number", col,
                          width));
  }
}

void parse_positions(Line& line, Chunk& chunk) {
  const std::size_t begin = chunk.col.size();
  do {
    const auto position = line.number<std::int32_t>("the position of a feature");
    if (position < 0 || position == std::numeric_limits<std::int32_t>::max()) {
      line.fail(fmt::format("the position {} is out of range; count from 0", position));
    }
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

}  // namespace

void expect_header(const Text& text) {
  if (text.bytes.empty() || text.bytes[0] < '0' || text.bytes[0] > '9') return;
  refuse(text.where + ": line 1: expected a header line, got data; add a header line");
}

GeomNodes read_geom_nodes(const Text& text, GeomFeatures kind, Index width, ThreadPool& pool) {
  expect_header(text);
  if (kind == GeomFeatures::values) width = count_values(text.bytes);
  const auto chunks = parse_chunks<Chunk>(text, 1, pool, [&](Line& line, Chunk& chunk) {
    const auto node = line.number<std::int32_t>("a node number");
    if (node < 0) line.fail(fmt::format("node {} is out of range; number nodes from 0", node));
    kind == GeomFeatures::values ? parse_values(line, width, chunk) : parse_positions(line, chunk);
    const auto label = line.number<std::int32_t>("a class number");
    if (label < -1) line.fail(fmt::format("the class is {}; use 0..C-1, or -1 for no label", label));
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

}  // namespace gdkm
