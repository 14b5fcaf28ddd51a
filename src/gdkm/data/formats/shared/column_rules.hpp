#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/shared/column_evidence.hpp"
#include "gdkm/dataset/feature_columns.hpp"

namespace gdkm {

/// What somebody says about the columns of a table, or the attributes of a graph. About all others the fields
/// decide.
struct ColumnRules {
  std::vector<std::string> ignored;
  std::vector<std::string> categories;  // columns whose values have no order, even if they are numbers
  std::vector<TableColumn> ordinals;    // columns whose values have an order, with these values
  std::vector<TableColumn> given;       // columns with their types, as an export lists them
  bool from_model = false;              // those are a model's: some may not be there, or have other values
  /// What all columns are: a table, plain numbers (unknown), a bag of words, or the nodes.
  FeatureColumns::Kind kind = FeatureColumns::Kind::table;
  std::optional<bool> refuse_missing;  // instead of filling, which is the default

  bool ignores(const std::string& name) const;
  /// What is said about the type of that column; null for nothing.
  const TableColumn* type_of(const std::string& name) const;
  bool is_category(const std::string& name) const;
  /// How the fields of that column are to be collected, and how many different values are kept.
  ColumnEvidence evidence_for(const std::string& name, bool decimal_comma, bool may_be_class) const;
};

/// Reads `size=small,medium,large`: a column and its values in order.
TableColumn parse_ordinal(const std::string& text);

/// All names that the rules mention must be there; `where` and `known` are for the message.
void check_rules(const ColumnRules& rules, const std::string& where, const std::vector<std::string>& known);

}  // namespace gdkm
