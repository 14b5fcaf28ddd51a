#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// What the columns of node features mean, where a format makes them of the values it finds. Another file of
/// the same kind may hold other values, and so other columns: a model keeps this, and `align` brings the
/// features of other data into the model's order.
struct FeatureColumns {
  enum class Kind {
    unknown,  // columns are what the file holds; nothing is known of them but their number
    labels,   // one-hots of every column of node labels (there may be none), then attributes
    degrees   // one-hots of degrees, of nodes that have neither labels nor attributes
  };
  Kind kind = Kind::unknown;
  /// The values that one-hots stand for, ascending: a list for every column of labels, or the one of degrees.
  std::vector<std::vector<std::int32_t>> values;
  Index attributes = 0;  // columns behind the one-hots
  std::string where;     // the file that holds the values, for messages; not a part of the meaning

  Index one_hots() const;
};

/// `features`, whose columns are `from`, as if they had been read with the values of `to`: those that do not
/// occur are zero columns. A value that `to` does not have, or other things than values (a folder without
/// node labels, more attributes), is an InputError that names the file. Where either side is unknown, nothing
/// is changed.
Features align(const Features& features, const FeatureColumns& from, const FeatureColumns& to);

}  // namespace gdkm
