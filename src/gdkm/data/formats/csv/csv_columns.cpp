#include <algorithm>
#include <set>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/csv/csv_parts.hpp"
#include "gdkm/data/formats/shared/field_kind.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

bool read_missing(std::string_view field) {
  const auto flag = flag_word(field);
  if (!flag && !field.empty()) refuse("expected yes or no for missing values, got {}", show_field(field));
  return flag && flag->value;
}

TableColumn read_column(const CsvRow& row) {
  TableColumn out{std::string(row[0])};
  const auto type = value_named<ColumnType>(row[1]);
  if (!type) {
    refuse("expected {}, got {}; correct the type", fmt::join(names_of<ColumnType>(), ", "),
           show_field(row[1]));
  }
  out.type = *type;
  if (row.size() > 2) out.has_missing = read_missing(row[2]);
  for (std::size_t c = 3; c < row.size(); ++c)
    if (!row[c].empty()) out.values.emplace_back(row[c]);
  const bool has_values = out.type == ColumnType::category || out.type == ColumnType::ordinal;
  if (has_values && out.values.empty())
    refuse("column {} has no values; list them after the third field", show_field(out.name));
  if (!has_values && !out.values.empty())
    refuse("column {} has type {} and needs no values; remove them", show_field(out.name), row[1]);
  auto sorted = out.values;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    refuse("column {} lists a value twice; list each once", show_field(out.name));
  return out;
}

/// What a row says about all columns.
std::optional<FeatureColumns::Kind> kind_of_all(std::string_view word) {
  if (word == "untyped") return FeatureColumns::Kind::unknown;
  if (word == "words") return FeatureColumns::Kind::words;
  if (word == "nodes") return FeatureColumns::Kind::nodes;
  return std::nullopt;
}

}  // namespace

void add_given_columns(const std::filesystem::path& path, ColumnRules& out) {
  Text text = read_text(path);
  // Values may hold any character, so what an export wrote must not be taken for something else.
  const bool is_ours = text.bytes.starts_with("name,type");
  const CsvFile file(std::move(text), true, is_ours ? std::optional(',') : std::nullopt);
  std::set<std::string> seen;
  file.for_each_row([&](const CsvRow& row) {
    if (row.size() < 2 || row[0].empty()) refuse("expected name and type of a column; complete the line");
    if (row[0] == "*" && out.given.empty()) {
      if (const auto kind = kind_of_all(row[1])) {
        out.kind = *kind;
        return;
      }
    }
    out.given.push_back(read_column(row));
    if (!seen.insert(out.given.back().name).second)
      refuse("column {} is listed twice; list it once", show_field(row[0]));
  });
  using Kind = FeatureColumns::Kind;
  if (out.kind == Kind::unknown && !out.given.empty())
    refuse(file.where() + ": says that columns are untyped, and types; keep one");
  const bool are_numbers = std::all_of(out.given.begin(), out.given.end(), [](const TableColumn& column) {
    return column.type == ColumnType::number && !column.has_missing;
  });
  if (out.kind != Kind::table && !are_numbers)
    refuse(file.where() + ": words and nodes are columns of numbers without missing values; correct types");
}

}  // namespace gdkm
