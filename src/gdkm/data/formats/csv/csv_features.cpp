#include "gdkm/data/formats/csv/csv_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/data/formats/shared/field_kind.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

[[noreturn]] void fail_value(const CsvFile& file, std::size_t column, std::string_view field) {
  if (field.empty()) refuse(file.column_text(column) + ": is empty; give a number, or remove the line");
  refuse("{}: expected a finite number, got {}; replace it", file.column_text(column), show_field(field));
}

void check_fields(const CsvFile& file, const CsvRow& row) {
  if (row.size() == file.columns()) return;
  refuse("has {} fields, but the first row has {}; {}", row.size(), file.columns(),
         row.size() < file.columns() ? "complete the line" : "remove the extra fields");
}

Index read_feature_number(std::string_view field) {
  const Index out = whole_number<Index>(field).value_or(-1);
  if (out >= 0 && out < std::numeric_limits<std::int32_t>::max()) return out;
  refuse("column 2: expected a feature number 0, 1, 2, ..., got {}; correct it", show_field(field));
}

}  // namespace

bool is_csv_triplets(const CsvFile& file) {
  const auto& header = file.header();
  return header.size() == 3 && lower_case(header[1]) == "feature" && lower_case(header[2]) == "value";
}

Features read_csv_triplets(const CsvFile& file, const NodeIndex& nodes, ThreadPool& pool) {
  struct Chunk {
    std::vector<Triplet> entries;
    Index cols = 0;
  };
  auto chunks = file.parse<Chunk>(pool, [&](const CsvRow& row, Chunk& chunk) {
    check_fields(file, row);
    const Index col = read_feature_number(row[1]);
    chunk.cols = std::max(chunk.cols, col + 1);
    const auto value = to_number(row[2], file.decimal_comma());
    if (!value || !(std::fabs(*value) <= std::numeric_limits<float>::max())) fail_value(file, 2, row[2]);
    const auto node = nodes.at(row[0]);
    if (*value != 0) chunk.entries.push_back({node, static_cast<std::int32_t>(col), *value});
  });
  Index cols = 0;
  std::vector<Triplet> entries;
  for (const Chunk& chunk : chunks) {
    cols = std::max(cols, chunk.cols);
    entries.insert(entries.end(), chunk.entries.begin(), chunk.entries.end());
  }
  const auto given = static_cast<Index>(entries.size());
  Csr out = csr_from_triplets(nodes.size(), cols, std::move(entries));
  if (out.nonzeros() != given)
    refuse(file.where() + ": a node has two values for the same feature; keep one of them");
  return sparse_features(std::move(out));
}

CsvNodeTable arranged(const CsvFile& file, CsvNodeTable table, const NodeIndex& nodes) {
  const auto size = static_cast<std::size_t>(nodes.size());
  constexpr auto none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> row_of(size, none);
  for (std::size_t k = 0; k < table.id.size(); ++k) {
    const auto node = nodes.find(table.id[k]);
    if (!node) {
      file.fail_at_row(
          k, fmt::format("node {} is not in {}; add it there, or remove the line{}", show_field(table.id[k]),
                         nodes.source(), id_hint(file, table.id_column)));
    }
    auto& row = row_of[static_cast<std::size_t>(*node)];
    if (row != none) {
      file.fail_at_row(k, fmt::format("node {} has more than one row; keep one{}", show_field(table.id[k]),
                                      id_hint(file, table.id_column)));
    }
    row = k;
  }
  const auto missing = std::find(row_of.begin(), row_of.end(), none);
  if (missing != row_of.end()) {
    const auto names = nodes.names();
    const auto node = static_cast<std::size_t>(missing - row_of.begin());
    refuse("{}: node {} of {} has no row; add one", file.where(),
           show_field(names.empty() ? std::to_string(node) : names[node]), nodes.source());
  }
  CsvNodeTable out;
  out.table = std::move(table.table);
  out.remarks = std::move(table.remarks);
  out.decimal_comma = table.decimal_comma;
  out.words = table.words;
  for (const auto row : row_of) {
    out.id.push_back(std::move(table.id[row]));
    if (!table.class_text.empty()) out.class_text.push_back(std::move(table.class_text[row]));
  }
  std::vector<std::int32_t> rows(row_of.begin(), row_of.end());
  out.features = select_rows(table.features, rows);
  return out;
}

}  // namespace gdkm
