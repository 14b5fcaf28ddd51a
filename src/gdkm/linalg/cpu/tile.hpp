#pragma once

#include <vector>

#include "gdkm/linalg/backend.hpp"

namespace gdkm::panels {

/// The number of vectors in a row of a panel, and so in a row of a tile of C.
inline constexpr Index vectors = 3;

/// A few rows of C ← α A B + β C over one panel of B, small enough for their sums to stay in registers.
template <class T>
struct Tile {
  T alpha, beta;
  Index terms;
  const T* left;  // A; its rows (or columns, if it is transposed) are `left_stride` apart
  Index left_stride;
  const T* right;  // the panel; its rows are padded to whole vectors
  T* out;
  Index out_stride;
  Index cols;
};

/// The code for one instruction set.
template <class T>
struct Kernel {
  Index lanes;  // of a vector
  Index rows;   // of a tile at most
  void (*run)(const Tile<T>& tile, Op op, Index rows);
  /// Copies rows of a whole panel, which are `stride` apart in `from`.
  void (*copy)(const T* from, Index stride, Index rows, T* to);
  /// Copies the transpose of `lanes` rows and `terms` columns, a multiple of `lanes`, to rows of `width`.
  void (*copy_transposed)(const T* from, Index stride, Index terms, T* to, Index width);

  /// The number of rows of the next tile, if `left` rows remain.
  Index rows_of(Index left) const {
    Index out = rows;
    while (out > left) out /= 2;
    return out;
  }
};

/// The versions that this processor can run, fastest first.
template <class T>
const std::vector<Kernel<T>>& kernels();
template <class T>
const Kernel<T>& kernel() {
  static const Kernel<T> fastest = kernels<T>().front();
  return fastest;
}

}  // namespace gdkm::panels
