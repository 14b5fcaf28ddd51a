#include "gdkm/dataset/table_column.hpp"

namespace gdkm {

std::string TableColumn::feature_name(Index column) const {
  if (column >= value_columns()) return name + " is missing";
  return type == ColumnType::category ? name + "=" + values[static_cast<std::size_t>(column)] : name;
}

Index width_of(const std::vector<TableColumn>& table) {
  Index out = 0;
  for (const TableColumn& column : table) out += column.width();
  return out;
}

}  // namespace gdkm
