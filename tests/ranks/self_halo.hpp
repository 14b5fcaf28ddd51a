#pragma once

#include "gdkm/linalg/halo.hpp"

namespace gdkm::testing {

/// A matrix as one rank has it that sends itself rows: columns with odd numbers are in its halo. Products
/// with it are those with the matrix, and need messages all the same.
inline DistributedCsr with_halo_of_itself(const Csr& a) {
  DistributedCsr out;
  out.own.rows = out.own.cols = out.remote.rows = a.rows;
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const auto col = a.col[at];
      Csr& part = col % 2 == 1 ? out.remote : out.own;
      part.col.push_back(col % 2 == 1 ? col / 2 : col);
      part.value.push_back(a.value[at]);
    }
    out.own.row_start.push_back(out.own.nonzeros());
    out.remote.row_start.push_back(out.remote.nonzeros());
  }
  for (std::int32_t col = 1; col < a.cols; col += 2) out.halo.send.push_back(col);
  out.halo.received = out.remote.cols = static_cast<Index>(out.halo.send.size());
  out.halo.neighbours = {{0, 0, out.halo.received, 0, out.halo.received}};
  return out;
}

}  // namespace gdkm::testing
