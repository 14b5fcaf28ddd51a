#include <algorithm>
#include <unordered_set>

#include "gdkm/data/formats/csv/csv_parts.hpp"
#include "gdkm/data/formats/shared/class_column.hpp"
#include "gdkm/data/formats/shared/field_kind.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

bool is_id_name(std::string_view name) {
  return id_rank(name).has_value() || is_like_id(name);
}

/// Whether the names allow a table of nodes: no ends of edges, and no second column of ids.
bool may_be_node_table(const CsvFile& file, const CsvEdgeColumns& columns, const CsvColumnNames& names) {
  const auto& header = file.header();
  if (header.size() < 2 || !names.source.empty() || !names.target.empty()) return false;
  const std::string &source = header[columns.source], &target = header[columns.target];
  const std::string id = lower_case(source);
  // node1 and node2, person_a and person_b
  if (id.size() > 1 && id.size() == target.size() &&
      lower_case(target).starts_with(id.substr(0, id.size() - 1)))
    return false;
  return !names_source(source) && !names_target(target) && !is_id_name(target);
}

/// What the rows say about the column that would be the source and the one that would be the target.
struct Ends {
  std::size_t rows = 0, known = 0;             // rows, and those whose target is a source of some row
  bool differ = true;                          // all sources
  bool has_numbers = true, has_words = false;  // all targets are numbers; some sources are none
};

Ends ends_of(const CsvFile& file, const CsvEdgeColumns& columns) {
  Ends out;
  std::unordered_set<std::string> sources;
  std::vector<std::string> targets;
  file.for_each_row([&](const CsvRow& row) {
    if (row.size() <= std::max(columns.source, columns.target)) return;  // the reader says so
    ++out.rows;
    out.differ = sources.emplace(row[columns.source]).second && out.differ;
    targets.emplace_back(row[columns.target]);
    out.has_numbers = out.has_numbers && to_number(row[columns.target], file.decimal_comma()).has_value();
    out.has_words = out.has_words || !to_double(row[columns.source]);
  });
  for (const std::string& target : targets) out.known += sources.contains(target) ? 1 : 0;
  return out;
}

}  // namespace

void refuse_node_table(const CsvFile& file, const CsvEdgeColumns& columns, const CsvColumnNames& names) {
  if (!may_be_node_table(file, columns, names)) return;
  const Ends ends = ends_of(file, columns);
  if (ends.rows < 2 || !ends.differ) return;
  const auto& header = file.header();
  const bool has_id = is_id_name(header[columns.source]);
  const bool has_class = std::any_of(header.begin(), header.end(), is_named_like_class);
  // Ages may be the numbers of nodes by chance, so the name of a class decides where most are.
  const bool names_nodes = 2 * ends.known >= ends.rows;
  const bool is_measured = ends.has_numbers && ends.has_words && header.size() > 2;
  if (has_id ? names_nodes && !has_class : !is_measured || names_nodes) return;
  refuse(
      "{}: looks like a table of nodes: {} is different in each row, and {} does not name nodes; give it as "
      "{} "
      "beside a list of edges ({}), or call it nodes.csv in a folder with edges.csv; if it lists edges, name "
      "their ends with {} and {}",
      file.where(), file.column_text(columns.source), file.column_text(columns.target), option("nodes"),
      option("edges"), option("source_column"), option("target_column"));
}

}  // namespace gdkm
