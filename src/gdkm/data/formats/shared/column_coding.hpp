#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdkm/data/formats/shared/column_typing.hpp"
#include "gdkm/graph/features.hpp"

namespace gdkm {

/// Turns the fields of a typed column into its features (dataset/table_column.hpp).
class ColumnEncoder {
 public:
  explicit ColumnEncoder(const TypedColumn& typed);

  Index width() const { return typed_.column.width(); }
  /// Writes the features of one field. An InputError without a place where the column cannot have the value.
  void encode(std::string_view field, float* out) const;

 private:
  TypedColumn typed_;
  std::unordered_map<std::string_view, std::size_t> place_;  // of the values of typed_
};

/// The field that a node with these features had: a number, true or false, a value, or nothing where it is
/// missing.
std::string decode(const TableColumn& column, const float* features);

}  // namespace gdkm
