#include "gdkm/data/formats/csv/csv_parts.hpp"

#include <algorithm>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// A part of a split, or null for none.
using Part = std::vector<std::int32_t> Split::*;

Part read_part(const CsvFile& file, std::size_t column, std::string_view field) {
  const std::string word = lower_case(field);
  if (word.empty() || word == "-" || word == "none") return nullptr;
  if (word == "train" || word == "training") return &Split::train;
  if (word == "val" || word == "valid" || word == "validation") return &Split::val;
  if (word == "test") return &Split::test;
  refuse("{}: expected train, val, test or an empty field, got {}; correct it", file.column_text(column),
         show_field(field));
}

/// The split set of a column: "geom" for "geom:3".
std::string set_of(const CsvFile& file, std::size_t column) {
  if (column >= file.header().size()) return "public";
  const std::string& name = file.header()[column];
  const auto colon = name.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == name.size()) return "public";
  const bool counts = name.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return counts ? name.substr(0, colon) : "public";
}

}  // namespace

std::map<std::string, std::vector<Split>> read_csv_splits(const CsvFile& file, const NodeIndex& nodes,
                                                          const std::vector<std::int32_t>& label,
                                                          const std::string& id_column, ThreadPool& pool) {
  struct Row {
    std::int32_t node;
    std::vector<Part> part;
  };
  using Rows = std::vector<Row>;
  const std::size_t columns = file.columns();
  if (columns < 2) refuse(file.where() + ": has only the node column; add a column with train, val or test");
  const std::size_t id = find_id_column(file, id_column);
  std::vector<std::size_t> split_columns;
  for (std::size_t c = 0; c < columns; ++c) {
    const bool is_index = c == 0 && !file.header().empty() && is_index_name(file.header()[c]);
    if (c != id && !is_index) split_columns.push_back(c);
  }
  auto chunks = file.parse<Rows>(pool, [&](const CsvRow& row, Rows& rows) {
    if (row.size() != columns)
      refuse("has {} fields, but the first row has {}; complete the line", row.size(), columns);
    Row& out = rows.emplace_back(Row{nodes.at(row[id]), {}});
    for (const auto c : split_columns) {
      out.part.push_back(read_part(file, c, row[c]));
      if (out.part.back() != nullptr && label[static_cast<std::size_t>(out.node)] < 0) {
        refuse("node {} is in a split but has no class; label it, or leave the field empty",
               show_field(row[id]));
      }
    }
  });
  std::vector<Split> splits(split_columns.size());
  std::vector<bool> seen(label.size(), false);
  std::size_t count = 0;
  for (const Rows& rows : chunks) {
    for (const Row& row : rows) {
      const auto node = static_cast<std::size_t>(row.node);
      if (seen[node]) file.fail_at_row(count, "the node has more than one row; keep one" + id_hint(file, id));
      seen[node] = true;
      ++count;
      for (std::size_t s = 0; s < splits.size(); ++s) {
        if (row.part[s] != nullptr) (splits[s].*row.part[s]).push_back(row.node);
      }
    }
  }
  std::map<std::string, std::vector<Split>> out;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    Split& split = splits[s];
    if (split.train.empty())
      refuse("{}: {} has no training node; mark some with train", file.where(),
             file.column_text(split_columns[s]));
    for (auto* part : {&split.train, &split.val, &split.test}) std::sort(part->begin(), part->end());
    out[set_of(file, split_columns[s])].push_back(std::move(split));
  }
  return out;
}

}  // namespace gdkm
