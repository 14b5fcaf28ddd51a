#include "gdkm/data/formats/csv/csv_parts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Lets a string_view be looked up in a set of strings.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

/// The weight column, or 0 where there is none.
std::size_t weight_column(const CsvFile& file) {
  for (std::size_t c = 2; c < file.header().size(); ++c) {
    if (lower_case(file.header()[c]) == "weight") return c;
  }
  if (file.columns() <= 2) return 0;
  if (file.columns() == 3) return 2;
  refuse("{}: has {} columns, none of them named 'weight'; give two node columns and optionally a weight",
         file.where(), file.columns());
}

void check_edge(const CsvFile& file, const CsvRow& row) {
  if (row.size() >= 2 && row.size() == file.columns()) return;
  if (row.size() < 2) refuse("has one field, but an edge needs two nodes; name both");
  refuse("has {} fields, but the first row has {}; complete the line", row.size(), file.columns());
}

float read_weight(const CsvFile& file, std::size_t column, std::string_view field) {
  const auto weight = to_float(field);
  if (weight && *weight > 0 && std::isfinite(*weight)) return *weight;
  refuse("{}: expected a positive, finite weight, got {}; correct it, or remove edges of weight 0",
         file.column_text(column), show_field(field));
}

}  // namespace

NodeIndex collect_nodes(const CsvFile& file, std::size_t columns, ThreadPool& pool) {
  auto chunks = file.parse<TextSet>(pool, [&](const CsvRow& row, TextSet& seen) {
    for (std::size_t c = 0; c < std::min(columns, row.size()); ++c) {
      if (row[c].empty()) refuse(file.column_text(c) + " is empty; name the node");
      if (seen.find(row[c]) == seen.end()) seen.emplace(row[c]);
    }
  });
  for (std::size_t k = 1; k < chunks.size(); ++k) chunks[0].merge(chunks[k]);
  std::vector<std::string_view> ids(chunks[0].begin(), chunks[0].end());
  std::sort(ids.begin(), ids.end(), natural_less);
  NodeIndex out(file.where());
  for (const auto id : ids) out.add(id);
  return out;
}

Graph read_csv_edges(const CsvFile& file, const NodeIndex& nodes, ThreadPool& pool) {
  struct Chunk {
    std::vector<Edge> edges;
    std::vector<float> weight;
  };
  Graph out;
  out.nodes = nodes.size();
  const std::size_t weight = file.columns() == 0 ? 0 : weight_column(file);
  auto chunks = file.parse<Chunk>(pool, [&](const CsvRow& row, Chunk& chunk) {
    check_edge(file, row);
    chunk.edges.push_back({nodes.at(row[0]), nodes.at(row[1])});
    if (weight != 0) chunk.weight.push_back(read_weight(file, weight, row[weight]));
  });
  for (const Chunk& chunk : chunks) {
    out.edges.insert(out.edges.end(), chunk.edges.begin(), chunk.edges.end());
    out.weight.insert(out.weight.end(), chunk.weight.begin(), chunk.weight.end());
  }
  return out;
}

}  // namespace gdkm
