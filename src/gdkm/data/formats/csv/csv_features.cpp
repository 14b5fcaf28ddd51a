#include "gdkm/data/formats/csv/csv_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

float read_value(const CsvFile& file, std::size_t column, std::string_view field) {
  const auto value = to_float(field);
  if (value && std::isfinite(*value)) return *value;
  if (field.empty())
    refuse(file.column_text(column) + ": is empty; fill it in (with 0, or the mean of the column)");
  if (value)
    refuse("{}: expected a finite number, got {}; replace it", file.column_text(column), show_field(field));
  if (field.find(',') != std::string_view::npos) {
    refuse("{}: expected a number, got {}; write decimals with a point", file.column_text(column),
           show_field(field));
  }
  refuse("{}: expected a number, got {}; encode words as one 0/1 column each (one-hot)",
         file.column_text(column), show_field(field));
}

void check_fields(const CsvFile& file, const CsvRow& row) {
  if (row.size() == file.columns()) return;
  refuse("has {} fields, but the first row has {}; {}", row.size(), file.columns(),
         row.size() < file.columns() ? "complete the line" : "remove the extra fields");
}

std::vector<std::size_t> feature_columns(const CsvFile& file, std::optional<std::size_t> label_column,
                                         const std::vector<std::string>& ignored) {
  static const std::set<std::string> classes{"class", "label", "labels", "target", "y"};
  for (const std::string& name : ignored) {
    if (!file.column(name)) refuse("{}: has no column {}; check its header", file.where(), show_field(name));
  }
  std::vector<std::size_t> out;
  for (std::size_t c = 1; c < file.columns(); ++c) {
    const std::string name = c < file.header().size() ? file.header()[c] : "";
    if (c == label_column || std::find(ignored.begin(), ignored.end(), name) != ignored.end()) continue;
    if (!label_column && classes.contains(lower_case(name))) {
      refuse("{}: {} would become a feature; if it is the class, use {} and {}, else rename it", file.where(),
             file.column_text(c), option("nodes"), option("label_column"));
    }
    out.push_back(c);
  }
  return out;
}

Index read_feature_number(std::string_view field) {
  const Index out = whole_number<Index>(field).value_or(-1);
  if (out >= 0 && out < std::numeric_limits<std::int32_t>::max()) return out;
  refuse("column 2: expected a feature number 0, 1, 2, ..., got {}; correct it", show_field(field));
}

}  // namespace

CsvNodeTable read_csv_node_table(const CsvFile& file, std::optional<std::size_t> label_column,
                                 const std::vector<std::string>& ignored, ThreadPool& pool) {
  struct Chunk {
    std::vector<std::string> id, class_text;
    std::vector<float> value;
  };
  const auto columns = feature_columns(file, label_column, ignored);
  auto chunks = file.parse<Chunk>(pool, [&](const CsvRow& row, Chunk& chunk) {
    check_fields(file, row);
    chunk.id.emplace_back(row[0]);
    for (const auto c : columns) chunk.value.push_back(read_value(file, c, row[c]));
    if (label_column) chunk.class_text.emplace_back(row[*label_column]);
  });
  CsvNodeTable out;
  for (Chunk& chunk : chunks) {
    std::move(chunk.id.begin(), chunk.id.end(), std::back_inserter(out.id));
    std::move(chunk.class_text.begin(), chunk.class_text.end(), std::back_inserter(out.class_text));
    out.features.dense.insert(out.features.dense.end(), chunk.value.begin(), chunk.value.end());
    std::vector<float>().swap(chunk.value);
  }
  out.features.rows = static_cast<Index>(out.id.size());
  out.features.cols = static_cast<Index>(columns.size());
  return out;
}

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
    const auto value = to_double(row[2]);
    if (!value || !(std::fabs(*value) <= std::numeric_limits<float>::max())) read_value(file, 2, row[2]);
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
      file.fail_at_row(k, fmt::format("node {} is not in {}; add it there, or remove the line",
                                      show_field(table.id[k]), nodes.source()));
    }
    auto& row = row_of[static_cast<std::size_t>(*node)];
    if (row != none) {
      file.fail_at_row(k, fmt::format("node {} has more than one row; keep one", show_field(table.id[k])));
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
  for (const auto row : row_of) {
    out.id.push_back(std::move(table.id[row]));
    if (!table.class_text.empty()) out.class_text.push_back(std::move(table.class_text[row]));
  }
  std::vector<std::int32_t> rows(row_of.begin(), row_of.end());
  out.features = select_rows(table.features, rows);
  return out;
}

}  // namespace gdkm
