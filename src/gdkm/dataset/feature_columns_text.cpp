#include "gdkm/dataset/feature_columns_text.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace gdkm {
namespace {

using Json = nlohmann::ordered_json;
using Kind = FeatureColumns::Kind;

constexpr std::pair<Kind, std::string_view> kinds[] = {{Kind::table, "table"},
                                                       {Kind::words, "words"},
                                                       {Kind::nodes, "nodes"},
                                                       {Kind::labels, "labels"},
                                                       {Kind::degrees, "degrees"}};

std::string name_of_kind(Kind kind) {
  const auto at =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& each) { return each.first == kind; });
  return std::string(at->second);
}

void check_kind(const FeatureColumns& columns) {
  const auto& table = columns.table;
  const bool fits =
      columns.kind == Kind::nodes
          ? table.size() == 1 && table[0].type == ColumnType::category && !table[0].has_missing
          : !table.empty() && (columns.kind == Kind::table ||
                               std::all_of(table.begin(), table.end(), [](const TableColumn& column) {
                                 return column.type == ColumnType::number;
                               }));
  if (!fits) throw std::invalid_argument("its columns do not fit their kind");
}

Json to_json(const TableColumn& column) {
  Json out{{"name", column.name}, {"type", name_of(column.type)}};
  if (!column.values.empty()) out["values"] = column.values;
  if (column.has_missing) out["missing"] = true;
  return out;
}

TableColumn column_from_json(const Json& json) {
  TableColumn out;
  json.at("name").get_to(out.name);
  const auto type = value_named<ColumnType>(json.at("type").get<std::string>());
  if (!type) throw std::invalid_argument("there is no type of columns " + json.at("type").dump());
  out.type = *type;
  if (json.contains("values")) json.at("values").get_to(out.values);
  out.has_missing = json.value("missing", false);
  const bool has_values = out.type == ColumnType::category || out.type == ColumnType::ordinal;
  const std::set<std::string> different(out.values.begin(), out.values.end());
  if (has_values == out.values.empty() || different.size() != out.values.size())
    throw std::invalid_argument("the values of the column '" + out.name + "' do not fit its type");
  return out;
}

void read_table(const Json& json, FeatureColumns& out) {
  std::set<std::string> names;
  for (const Json& each : json) {
    out.table.push_back(column_from_json(each));
    if (!names.insert(out.table.back().name).second)
      throw std::invalid_argument("two columns are called '" + out.table.back().name + "'");
  }
}

void read_one_hots(const Json& json, FeatureColumns& out) {
  json.at("values").get_to(out.values);
  json.at("attributes").get_to(out.attributes);
  const bool ascends = std::all_of(out.values.begin(), out.values.end(), [](const auto& list) {
    return std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
  });
  const bool fits = out.kind == Kind::labels || out.values.size() == 1;
  if (!fits || !ascends || out.attributes < 0)
    throw std::invalid_argument("its columns do not fit its features");
}

}  // namespace

std::string to_text(const FeatureColumns& columns) {
  if (columns.has_names()) {
    Json list = Json::array();
    for (const TableColumn& column : columns.table) list.push_back(to_json(column));
    return Json{{"kind", name_of_kind(columns.kind)}, {"columns", list}}.dump();
  }
  return Json{
      {"kind", name_of_kind(columns.kind)}, {"values", columns.values}, {"attributes", columns.attributes}}
      .dump();
}

FeatureColumns columns_from_text(const std::string& text) {
  FeatureColumns out;
  try {
    const Json json = Json::parse(text);
    const std::string kind = json.at("kind");
    const auto known = std::find_if(std::begin(kinds), std::end(kinds),
                                    [&](const auto& each) { return kind == each.second; });
    if (known == std::end(kinds))
      throw std::invalid_argument("there are no columns of the kind '" + kind + "'");
    out.kind = known->first;
    if (out.kind != Kind::labels && out.kind != Kind::degrees) {
      read_table(json.at("columns"), out);
      check_kind(out);
    } else {
      read_one_hots(json, out);
    }
  } catch (const Json::exception& error) {
    throw std::invalid_argument(error.what());
  }
  return out;
}

}  // namespace gdkm
