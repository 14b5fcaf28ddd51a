#pragma once

#include <utility>
#include <vector>

#include "gdkm/dataset/feature_columns.hpp"

namespace gdkm::testing {

/// Dense features with these values, row by row.
inline Features dense(Index cols, const std::vector<float>& values) {
  return {static_cast<Index>(values.size()) / cols, cols, false, {}, values};
}

/// The columns of a table from people.csv.
inline FeatureColumns table(std::vector<TableColumn> columns) {
  FeatureColumns out;
  out.kind = FeatureColumns::Kind::table;
  out.table = std::move(columns);
  out.where = "people.csv";
  return out;
}

}  // namespace gdkm::testing
