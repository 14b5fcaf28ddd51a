#pragma once

#include <vector>

#include "gdkm/linalg/backend.hpp"

namespace gdkm::panels {

/// Vectors side by side in a panel, and so in a tile of C.
inline constexpr Index vectors = 3;

/// A few rows of C ← α A B + β C over one panel of B, small enough for their sums to stay in registers.
template <class T>
struct Tile {
  T alpha, beta;
  Index terms;
  const T* left;  // A, whose rows or (where it is transposed) columns are `left_stride` apart
  Index left_stride;
  const T* right;  // the panel: rows of as many whole vectors as `cols` takes
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

  /// The rows of the next tile, when `left` of them are to be done.
  Index rows_of(Index left) const {
    Index out = rows;
    while (out > left) out /= 2;
    return out;
  }
};

/// All code that this processor can run, the fastest first.
template <class T>
const std::vector<Kernel<T>>& kernels();
template <class T>
const Kernel<T>& kernel() {
  static const Kernel<T> fastest = kernels<T>().front();
  return fastest;
}

}  // namespace gdkm::panels
