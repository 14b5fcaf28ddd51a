#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// Which rows of the features belong to items: item k has row k of the list. Rows that follow each other are
/// used where they are; others are gathered.
class ItemRows {
 public:
  ItemRows() = default;
  /// Rows of which nothing is known.
  ItemRows(Buffer<std::int32_t> rows) : rows_(std::move(rows)) {}
  ItemRows(Device& device, const std::vector<std::int32_t>& rows) : rows_(device, rows) {
    for (std::size_t k = 1; k < rows.size(); ++k) {
      if (rows[k] != rows[k - 1] + 1) return;
    }
    if (!rows.empty()) first_ = rows[0];
  }

  Index count() const { return static_cast<Index>(rows_.size()); }
  const std::int32_t* data() const { return rows_.data(); }
  std::vector<std::int32_t> to_host() const { return rows_.to_host(); }
  bool are_adjacent() const { return first_ >= 0; }
  /// The row of item 0, if all are adjacent.
  Index first() const { return first_; }
  /// Whether item k is row k, for all of `rows` rows.
  bool are_all(Index rows) const { return first_ == 0 && count() == rows; }

 private:
  Buffer<std::int32_t> rows_;
  Index first_ = -1;
};

}  // namespace gdkm
