#include "gdkm/data/formats/shared/column_rules.hpp"

#include <algorithm>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Categories that somebody asks for may have more values than those that are found.
constexpr std::size_t most_asked_values = 5000;

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

const TableColumn* find(const std::vector<TableColumn>& list, const std::string& name) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.name == name; });
  return at == list.end() ? nullptr : &*at;
}

}  // namespace

bool ColumnRules::ignores(const std::string& name) const {
  return contains(ignored, name);
}

bool ColumnRules::is_category(const std::string& name) const {
  return contains(categories, name);
}

const TableColumn* ColumnRules::type_of(const std::string& name) const {
  const TableColumn* ordinal = find(ordinals, name);
  return ordinal != nullptr ? ordinal : find(given, name);
}

ColumnEvidence ColumnRules::evidence_for(const std::string& name, bool decimal_comma,
                                         bool may_be_class) const {
  if (is_category(name)) return ColumnEvidence({decimal_comma, true}, most_asked_values);
  const TableColumn* said = type_of(name);
  const bool has_values = said != nullptr && !said->values.empty();
  return ColumnEvidence(
      {decimal_comma, has_values || may_be_class},
      has_values ? std::max(said->values.size(), ColumnEvidence::most_values) : ColumnEvidence::most_values);
}

TableColumn parse_ordinal(const std::string& text) {
  const auto equals = text.find('=');
  TableColumn out{text.substr(0, equals), ColumnType::ordinal};
  std::string_view rest = equals == std::string::npos ? "" : std::string_view(text).substr(equals + 1);
  while (!rest.empty()) {
    const auto end = std::min(rest.find(','), rest.size());
    out.values.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  auto sorted = out.values;
  std::sort(sorted.begin(), sorted.end());
  const bool repeats = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (out.name.empty() || out.values.size() < 2 || contains(out.values, "") || repeats) {
    refuse("{}: expected a column and its different values in order, such as size=small,medium,large",
           option("ordinal", show_field(text)));
  }
  return out;
}

void check_rules(const ColumnRules& rules, const std::string& where, const std::vector<std::string>& known) {
  const auto check = [&](const std::string& name, const char* field) {
    if (contains(known, name)) return;
    std::string names;
    for (std::size_t k = 0; k < std::min<std::size_t>(known.size(), 8); ++k)
      names += (k == 0 ? "; it has " : ", ") + show_field(known[k]);
    refuse("{}: has no column {}, which {} names{}{}", where, show_field(name), option(field), names,
           known.size() > 8 ? ", ..." : "");
  };
  for (const std::string& name : rules.ignored) check(name, "ignore_columns");
  for (const std::string& name : rules.categories) check(name, "categories");
  for (const TableColumn& column : rules.ordinals) check(column.name, "ordinal");
  for (const TableColumn& column : rules.given) {
    if (!rules.from_model) check(column.name, "columns");
  }
}

}  // namespace gdkm
