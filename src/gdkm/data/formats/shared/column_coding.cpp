#include "gdkm/data/formats/shared/column_coding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/data/formats/shared/field_kind.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

ColumnEncoder::ColumnEncoder(const TypedColumn& typed) : typed_(typed) {
  const auto& values = typed_.column.values;
  for (std::size_t k = 0; k < values.size(); ++k) place_.emplace(values[k], k);
}

void ColumnEncoder::encode(std::string_view field, float* out) const {
  const TableColumn& column = typed_.column;
  const Index values = column.value_columns();
  std::fill(out, out + width(), 0.0f);
  if (means_missing(field) && place_.find(field) == place_.end()) {
    if (!column.has_missing) refuse("{} is missing; fill it in", show_field(column.name));
    if (column.type == ColumnType::number) out[0] = typed_.fill;
    out[values] = 1;
    return;
  }
  if (column.type == ColumnType::category || column.type == ColumnType::ordinal) {
    const auto at = place_.find(field);
    if (at == place_.end()) refuse("{} is not a value of {}", show_field(field), show_field(column.name));
    if (column.type == ColumnType::category) {
      out[at->second] = 1;
    } else {
      out[0] = static_cast<float>(at->second);
    }
    return;
  }
  const auto flag = column.type == ColumnType::flag ? flag_word(field) : std::nullopt;
  const auto number = flag ? static_cast<float>(flag->value) : to_feature(field, typed_.decimal_comma);
  if (!number || !std::isfinite(*number)) refuse("expected a finite number, got {}", show_field(field));
  out[0] = *number;
}

std::string decode(const TableColumn& column, const float* features) {
  const Index values = column.value_columns();
  if (column.has_missing && features[values] != 0) return "";
  switch (column.type) {
    case ColumnType::number:
      return fmt::format("{}", features[0]);
    case ColumnType::flag:
      return features[0] != 0 ? "true" : "false";
    case ColumnType::category: {
      const auto hot = std::find_if(features, features + values, [](float x) { return x != 0; }) - features;
      return hot == values ? "" : column.values[static_cast<std::size_t>(hot)];
    }
    case ColumnType::ordinal: {
      const auto rank = static_cast<std::size_t>(
          std::clamp<float>(std::round(features[0]), 0, static_cast<float>(column.values.size() - 1)));
      return column.values[rank];
    }
  }
  return "";
}

}  // namespace gdkm
