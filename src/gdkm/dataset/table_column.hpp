#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdkm/linalg/matrix.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// What a column of somebody's table holds: numbers, yes or no, one of some values, or one of some values
/// that have an order.
enum class ColumnType { number, flag, category, ordinal };

template <>
struct EnumNames<ColumnType> {
  static constexpr std::string_view names[] = {"number", "flag", "category", "ordinal"};
};

/// A column of a table of nodes as its owner knows it. The features have these columns for it, in this order:
/// a number, a flag (0 or 1) or a rank (0, 1, …) has one; a category has one for each of its values, which is
/// 1 where a node has that value. If some values are missing, one more column is 1 where they are. There a
/// number is the mean of the others, and all else is 0.
struct TableColumn {
  std::string name;
  ColumnType type = ColumnType::number;
  std::vector<std::string> values{};  // of categories and ranks, in the order of their columns or ranks
  bool has_missing = false;

  Index value_columns() const { return type == ColumnType::category ? static_cast<Index>(values.size()) : 1; }
  Index width() const { return value_columns() + (has_missing ? 1 : 0); }
  /// What one of its feature columns is called: age, colour=red, age is missing.
  std::string feature_name(Index column) const;

  bool operator==(const TableColumn&) const = default;
};

/// The feature columns of a whole table.
Index width_of(const std::vector<TableColumn>& table);

}  // namespace gdkm
