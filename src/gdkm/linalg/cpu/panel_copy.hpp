#pragma once

#include <cstdint>
#include <type_traits>

#include "gdkm/linalg/matrix.hpp"

/// Copies into panels (panels.hpp). tile.cpp compiles them for each instruction set.
namespace gdkm::panels {

template <class T, int bytes>
using Vector [[gnu::vector_size(bytes), gnu::aligned(sizeof(T)), gnu::may_alias]] = T;

/// Copies `rows` rows of `count` vectors, which are `stride` apart, to adjacent rows.
template <class T, int bytes, int count>
inline void copy_rows(const T* from, Index stride, Index rows, T* to) {
  using V = Vector<T, bytes>;
  for (Index k = 0; k < rows; ++k, from += stride, to += count * bytes / static_cast<Index>(sizeof(T))) {
#pragma GCC unroll 3
    for (int v = 0; v < count; ++v) reinterpret_cast<V*>(to)[v] = reinterpret_cast<const V*>(from)[v];
  }
}

/// The transpose of one vector's number of rows and of `terms` columns, a multiple of that number. Rows of
/// the result are `width` apart.
template <class T, int lanes>
inline void copy_transposed(const T* from, Index stride, Index terms, T* to, Index width) {
  for (Index k = 0; k < terms; ++k) {
    for (int q = 0; q < lanes; ++q) to[k * width + q] = from[q * stride + k];
  }
}

#if defined(__GNUC__) && !defined(__clang__)
/// The first halves of a and b, or the last, with their entries in turns: a₀ b₀ a₁ b₁ …
template <class T, int bytes>
inline void take_turns(const Vector<T, bytes>& a, const Vector<T, bytes>& b, bool last,
                       Vector<T, bytes>& out) {
  constexpr int lanes = bytes / static_cast<int>(sizeof(T));
  using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  Vector<Integer, bytes> order{};
#pragma GCC unroll 16
  for (int k = 0; k < lanes; ++k) order[k] = (last ? lanes / 2 : 0) + k / 2 + k % 2 * lanes;
  out = __builtin_shuffle(a, b, order);
}

/// The same, square by square in registers: taking row i and row i + lanes/2 in turns, log₂ lanes times,
/// transposes a square.
template <class T, int bytes>
inline void copy_transposed_squares(const T* from, Index stride, Index terms, T* to, Index width) {
  using V = Vector<T, bytes>;
  constexpr int lanes = bytes / static_cast<int>(sizeof(T));
  for (Index k = 0; k < terms; k += lanes) {
    V a[lanes], b[lanes];
#pragma GCC unroll 16
    for (int r = 0; r < lanes; ++r) a[r] = *reinterpret_cast<const V*>(from + r * stride + k);
#pragma GCC unroll 4
    for (int stage = 1; stage < lanes; stage *= 2) {
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) take_turns<T, bytes>(a[i / 2], a[i / 2 + lanes / 2], i % 2 == 1, b[i]);
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) a[i] = b[i];
    }
#pragma GCC unroll 16
    for (int r = 0; r < lanes; ++r) *reinterpret_cast<V*>(to + (k + r) * width) = a[r];
  }
}
#endif

}  // namespace gdkm::panels
