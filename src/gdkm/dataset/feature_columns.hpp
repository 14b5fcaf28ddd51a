#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/dataset/table_column.hpp"
#include "gdkm/graph/features.hpp"

namespace gdkm {

/// The meaning of feature columns that a format builds from the values it finds. Another file of the same
/// kind may contain other values, and so other columns. A model therefore stores this description, and
/// `align` brings other features into its column order.
struct FeatureColumns {
  enum class Kind {
    unknown,  // the columns of the file, without further meaning
    labels,   // one-hots of every column of node labels (perhaps none), then attributes
    degrees,  // one-hots of degrees, for nodes with neither labels nor attributes
    table     // the columns of a table, which have names and types
  };
  Kind kind = Kind::unknown;
  /// The values behind the one-hots, ascending: one list per column of labels, or the list of degrees.
  std::vector<std::vector<std::int32_t>> values;
  Index attributes = 0;  // columns after the one-hots
  std::string where;     // file with the values, for messages; not compared
  std::vector<TableColumn> table{};

  Index one_hots() const;
};

/// Rearranges `features` from the columns `from` to the columns `to`; columns without values are zero. A
/// value unknown to `to`, or a different kind of columns (no node labels, more attributes), is an InputError
/// that names the file. If either side is unknown, nothing changes.
Features align(const Features& features, const FeatureColumns& from, const FeatureColumns& to);

}  // namespace gdkm
