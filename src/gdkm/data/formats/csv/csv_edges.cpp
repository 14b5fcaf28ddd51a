#include "gdkm/data/formats/csv/csv_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "gdkm/data/formats/shared/edge_types.hpp"
#include "gdkm/data/formats/shared/field_kind.hpp"
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

bool is_about_direction(std::string_view name) {
  const std::string word = lower_case(name);
  return word == "directed" || word == "undirected" || word == "mutual";
}

/// Gephi's column "Type" says whether an edge is directed.
bool are_about_direction(const EdgeTypes& types) {
  const auto names = types.names();
  return std::all_of(names.begin(), names.end(), is_about_direction);
}

/// The first column, other than the ends, for whose name `fits` holds.
template <class Fits>
std::optional<std::size_t> column_where(const CsvFile& file, const CsvEdgeColumns& ends, Fits fits) {
  for (std::size_t c = 0; c < file.header().size(); ++c) {
    if (c != ends.source && c != ends.target && fits(lower_case(file.header()[c]))) return c;
  }
  return std::nullopt;
}

void find_ends(const CsvFile& file, const CsvColumnNames& names, CsvEdgeColumns& out) {
  const auto& header = file.header();
  std::vector<std::size_t> plain;  // columns that are not pandas' index
  for (std::size_t c = 0; c < file.columns(); ++c)
    if (c >= header.size() || c > 0 || !is_index_name(header[c]) || file.columns() == 2) plain.push_back(c);
  if (plain.size() >= 2) {
    out.source = plain[0];
    out.target = plain[1];
  }
  const auto from = std::find_if(header.begin(), header.end(), names_source);
  const auto to = std::find_if(header.begin(), header.end(), names_target);
  if (from != header.end() && to != header.end() && from != to) {
    out.source = static_cast<std::size_t>(from - header.begin());
    out.target = static_cast<std::size_t>(to - header.begin());
  }
  if (!names.source.empty()) out.source = find_column(file, names.source);
  if (!names.target.empty()) out.target = find_column(file, names.target);
  if (out.source == out.target) {
    refuse("{}: {} would be both ends of an edge; name the columns with {} and {}", file.where(),
           file.column_text(out.source), option("source_column"), option("target_column"));
  }
}

/// A column that is named, and not one of the ends.
std::size_t find_named(const CsvFile& file, const CsvEdgeColumns& ends, const std::string& name,
                       const char* field) {
  const std::size_t found = find_column(file, name);
  if (found != ends.source && found != ends.target) return found;
  refuse("{}: {} has nodes; choose another column with {}", file.where(), file.column_text(found),
         option(field));
}

/// Whether the last of three columns without names has weights: numbers.
bool has_numbers(const CsvFile& file, std::size_t column) {
  return std::all_of(file.sample().begin(), file.sample().end(), [&](const auto& row) {
    return column < row.size() && to_number(row[column], file.decimal_comma()).has_value();
  });
}

void check_edge(const CsvFile& file, const CsvRow& row) {
  if (row.size() >= 2 && row.size() == file.columns()) return;
  if (row.size() < 2)
    refuse(
        "has one field, but an edge needs two nodes; name both (where each line has a node and its "
        "neighbours, let the name of the file end in .adjlist)");
  refuse(
      "has {} fields, but the first row has {}; complete the line (where each line has a node and its "
      "neighbours, let the name of the file end in .adjlist)",
      row.size(), file.columns());
}

float read_weight(const CsvFile& file, std::size_t column, std::string_view field) {
  const auto weight = to_feature(field, file.decimal_comma());
  if (weight && *weight > 0 && std::isfinite(*weight)) return *weight;
  refuse("{}: expected a positive, finite weight, got {}; correct it, or remove edges of weight 0",
         file.column_text(column), show_field(field));
}

}  // namespace

NodeIndex collect_nodes(const CsvFile& file, const std::vector<std::size_t>& columns, ThreadPool& pool) {
  auto chunks = file.parse<TextSet>(pool, [&](const CsvRow& row, TextSet& seen) {
    for (const auto c : columns) {
      if (c >= row.size()) continue;
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

CsvEdgeColumns find_edge_columns(const CsvFile& file, const CsvColumnNames& names) {
  CsvEdgeColumns out;
  if (file.columns() == 0) return out;
  find_ends(file, names, out);
  const bool has_header = !file.header().empty();
  if (!names.type.empty() && names.type != "none") {
    out.type = find_named(file, out, names.type, "type_column");
  } else if (names.type.empty()) {
    out.type =
        column_where(file, out, [](const auto& name) { return name == "type" || name == "edge_type"; });
  }
  if (!names.weight.empty() && names.weight != "none") {
    out.weight = find_named(file, out, names.weight, "weight_column");
  } else if (names.weight.empty()) {
    out.weight =
        column_where(file, out, [](const auto& name) { return name == "weight" || name == "weights"; });
    if (out.weight == out.type) out.weight.reset();
    if (!has_header && file.columns() >= 3 && has_numbers(file, 2)) out.weight = 2;
  }
  for (std::size_t c = 0; c < file.columns(); ++c) {
    const bool is_index = c == 0 && has_header && is_index_name(file.header()[0]);
    const bool is_used = c == out.source || c == out.target || c == out.weight || c == out.type;
    if (!is_used && !is_index) out.ignored.push_back(c);
  }
  return out;
}

std::vector<std::string> edge_remarks(const CsvFile& file, const CsvEdgeColumns& columns) {
  std::vector<std::string> out;
  const auto& header = file.header();
  if (!header.empty() && (columns.source != 0 || columns.target != 1)) {
    out.push_back(fmt::format("{}: edges go from {} to {}", file.where(),
                              show_field(file.column_name(columns.source)),
                              show_field(file.column_name(columns.target))));
  }
  std::string names;
  for (std::size_t k = 0; k < std::min<std::size_t>(columns.ignored.size(), 8); ++k)
    names += (k == 0 ? "" : ", ") + show_field(file.column_name(columns.ignored[k]));
  if (!names.empty()) {
    out.push_back(fmt::format("{}: ignored columns of edges: {}{}; choose with {} and {}", file.where(),
                              names, columns.ignored.size() > 8 ? ", ..." : "", option("weight_column"),
                              option("type_column")));
  }
  return out;
}

Graph read_csv_edges(const CsvFile& file, const CsvEdgeColumns& columns, const CsvColumnNames& names,
                     const NodeIndex& nodes, ThreadPool& pool) {
  struct Chunk {
    std::vector<Edge> edges;
    std::vector<float> weight;
    EdgeTypes types;
  };
  Graph out;
  out.nodes = nodes.size();
  auto chunks = file.parse<Chunk>(pool, [&](const CsvRow& row, Chunk& chunk) {
    check_edge(file, row);
    chunk.edges.push_back({nodes.at(row[columns.source]), nodes.at(row[columns.target])});
    if (columns.weight) chunk.weight.push_back(read_weight(file, *columns.weight, row[*columns.weight]));
    if (columns.type) chunk.types.add(row[*columns.type]);
  });
  EdgeTypes types;
  for (const Chunk& chunk : chunks) {
    out.edges.insert(out.edges.end(), chunk.edges.begin(), chunk.edges.end());
    out.weight.insert(out.weight.end(), chunk.weight.begin(), chunk.weight.end());
    try {
      types.append(chunk.types);
    } catch (const InputError& error) {
      refuse("{}: {}: {}", file.where(), file.column_text(*columns.type), error.message());
    }
  }
  if (types.empty()) return out;
  if (names.type.empty() && are_about_direction(types)) {
    out.directed = types.names().size() == 1 && lower_case(types.names()[0]) == "directed";
  } else {
    types.give_to(out);
  }
  return out;
}

}  // namespace gdkm
