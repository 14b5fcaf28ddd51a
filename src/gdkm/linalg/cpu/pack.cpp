#include <algorithm>
#include <cstring>

#include "gdkm/linalg/cpu/panels.hpp"
#include "gdkm/linalg/cpu/tile.hpp"

namespace gdkm::panels {

namespace {

/// One panel of B: `used` columns from `col` on, in rows of `width` numbers. Its first row is row `term` of
/// B.
template <class T>
struct Panel {
  const Factor<T>& b;
  Index term, col, used, width;
  T* to;

  /// Entry (term + k, col + q) of B.
  const T* at(Index k, Index q) const {
    const Index row = b.op == Op::none ? term + k : col + q, column = b.op == Op::none ? col + q : term + k;
    return b.view.data + row * b.view.stride + column;
  }

  /// Copies columns [first, last) of row k, with zeros beside them.
  void copy_row(Index k, Index first, Index last) const {
    T* out = to + k * width;
    std::fill_n(out, first, T(0));
    const T* from = at(k, 0);
    const Index step = b.op == Op::none ? 1 : b.view.stride;
    for (Index q = first; q < last; ++q) out[q] = from[q * step];
    std::fill(out + last, out + width, T(0));
  }

  /// Copies all columns of rows [begin, end).
  void copy_rows(Index begin, Index end) const {
    const Kernel<T>& kernel = panels::kernel<T>();
    if (begin >= end) return;
    if (b.op == Op::none && used == vectors * kernel.lanes)
      return kernel.copy(at(begin, 0), b.view.stride, end - begin, to + begin * width);
    Index k = begin;
    if (b.op == Op::transpose) {
      const Index squares = (end - begin) / kernel.lanes * kernel.lanes, whole = used / kernel.lanes;
      for (Index v = 0; v < whole; ++v) {
        const Index q = v * kernel.lanes;
        kernel.copy_transposed(at(begin, q), b.view.stride, squares, to + begin * width + q, width);
      }
      for (; k < begin + squares; ++k) {
        T* out = to + k * width;
        for (Index q = whole * kernel.lanes; q < width; ++q) out[q] = q < used ? *at(k, q) : T(0);
      }
    }
    for (; k < end; ++k) copy_row(k, 0, used);
  }
};

}  // namespace

template <class T>
Panels<T> pack(const Factor<T>& b, const Corner& at, Index rows, Index cols, T* memory) {
  const Index lanes = kernel<T>().lanes, widest = vectors * lanes;
  T* to = memory;
  for (Index j = 0; j < cols; j += widest) {
    const Index used = std::min(widest, cols - j), width = (used + lanes - 1) / lanes * lanes;
    const Panel<T> panel{b, at.term, at.col + j, used, width, to};
    to += width * rows;
    // The diagonal of B crosses the panel in rows [diagonal, diagonal + used). Nobody reads rows of which all
    // entries are zero.
    const Index diagonal = at.col + j - at.term;
    const auto row = [&](Index k) { return std::clamp<Index>(k, 0, rows); };
    if (b.part == Region::all) panel.copy_rows(0, rows);
    if (b.part == Region::lower) {
      for (Index k = row(diagonal); k < row(diagonal + used); ++k) panel.copy_row(k, 0, k - diagonal + 1);
      panel.copy_rows(row(diagonal + used), rows);
    }
    if (b.part == Region::upper) {
      panel.copy_rows(0, row(diagonal));
      for (Index k = row(diagonal); k < row(diagonal + used); ++k) panel.copy_row(k, k - diagonal, used);
    }
  }
  return {memory, rows, cols, b.part};
}

template Panels<float> pack(const Factor<float>&, const Corner&, Index, Index, float*);
template Panels<double> pack(const Factor<double>&, const Corner&, Index, Index, double*);

}  // namespace gdkm::panels
