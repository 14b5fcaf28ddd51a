#include "gdkm/data/formats/csv/csv_parts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "gdkm/data/formats/shared/edge_types.hpp"
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

/// The column after the nodes that has one of these names, or 0 where there is none.
std::size_t column_called(const CsvFile& file, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    for (std::size_t c = 2; c < file.header().size(); ++c) {
      if (lower_case(file.header()[c]) == name) return c;
    }
  }
  return 0;
}

/// The type column, or 0 where there is none.
std::size_t type_column(const CsvFile& file, const std::string& name) {
  if (name == "none") return 0;
  if (name.empty()) return column_called(file, {"type", "edge_type"});
  const std::size_t found = find_column(file, name);
  if (found >= 2) return found;
  refuse("{}: {} has nodes, not types; choose another column with {}", file.where(), file.column_text(found),
         option("type_column"));
}

/// The weight column, or 0 where there is none.
std::size_t weight_column(const CsvFile& file, std::size_t type) {
  if (const auto named = column_called(file, {"weight"}); named != 0 && named != type) return named;
  if (file.columns() <= 2) return 0;
  if (file.columns() == 3) return type == 2 || column_called(file, {"type", "edge_type"}) == 2 ? 0 : 2;
  refuse(
      "{}: has {} columns, none of them named 'weight'; give two node columns, and optionally a weight "
      "and a type",
      file.where(), file.columns());
}

/// Gephi's column "Type" says whether an edge is directed.
bool is_about_direction(const EdgeTypes& types) {
  const auto names = types.names();
  return std::all_of(names.begin(), names.end(), [](std::string_view name) {
    const std::string word = lower_case(name);
    return word == "directed" || word == "undirected" || word == "mutual";
  });
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

Graph read_csv_edges(const CsvFile& file, const std::string& type_name, const NodeIndex& nodes,
                     ThreadPool& pool) {
  struct Chunk {
    std::vector<Edge> edges;
    std::vector<float> weight;
    EdgeTypes types;
  };
  Graph out;
  out.nodes = nodes.size();
  const std::size_t type = file.columns() == 0 ? 0 : type_column(file, type_name);
  const std::size_t weight = file.columns() == 0 ? 0 : weight_column(file, type);
  auto chunks = file.parse<Chunk>(pool, [&](const CsvRow& row, Chunk& chunk) {
    check_edge(file, row);
    chunk.edges.push_back({nodes.at(row[0]), nodes.at(row[1])});
    if (weight != 0) chunk.weight.push_back(read_weight(file, weight, row[weight]));
    if (type != 0) chunk.types.add(row[type]);
  });
  EdgeTypes types;
  for (const Chunk& chunk : chunks) {
    out.edges.insert(out.edges.end(), chunk.edges.begin(), chunk.edges.end());
    out.weight.insert(out.weight.end(), chunk.weight.begin(), chunk.weight.end());
    try {
      types.append(chunk.types);
    } catch (const InputError& error) {
      refuse("{}: {}: {}", file.where(), file.column_text(type), error.message());
    }
  }
  if (!types.empty() && !(type_name.empty() && is_about_direction(types))) types.give_to(out);
  return out;
}

}  // namespace gdkm
