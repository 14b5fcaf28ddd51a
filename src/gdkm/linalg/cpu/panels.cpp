#include "gdkm/linalg/cpu/panels.hpp"

#include <algorithm>

#include "gdkm/linalg/cpu/tile.hpp"

namespace gdkm::panels {

namespace {

/// Left factors are read in blocks that stay in the second-level cache while all panels are processed.
constexpr Index block_bytes = Index{1} << 18;
/// The number of terms that are added up in registers before they are added to C. A panel of this length fits
/// into the first-level cache together with the rows of A, or with its columns, where every term is in
/// another cache line.
Index most_terms(Op op) {
  return op == Op::none ? 208 : 128;
}

Index pieces(Index count, Index most) {
  return (count + most - 1) / most;
}

/// The terms [begin, end) that are nonzero in both factors for an output tile.
struct Terms {
  Index begin, end;
};

template <class T>
Terms terms_of(const Factor<T>& a, const Panels<T>& b, const Corner& at, Index i, Index rows, Index j,
               Index cols) {
  Index begin = 0, end = b.rows;
  if (a.part == Region::lower) end = std::min(end, at.row + i + rows - at.term);
  if (a.part == Region::upper) begin = std::max(begin, at.row + i - at.term);
  if (b.part == Region::lower) begin = std::max(begin, at.col + j - at.term);
  if (b.part == Region::upper) end = std::min(end, at.col + j + cols - at.term);
  if (begin >= end) return {0, 0};
  return {begin, end};
}

bool is_wanted(Region wanted, const Corner& at, Index i, Index rows, Index j, Index cols) {
  if (wanted == Region::lower) return at.row + i + rows > at.col + j;
  if (wanted == Region::upper) return at.row + i < at.col + j + cols;
  return true;
}

}  // namespace

template <class T>
Index lanes() {
  return kernel<T>().lanes;
}

template <class T>
Index size(Index rows, Index cols) {
  const Index lanes = kernel<T>().lanes;
  return rows * pieces(cols, lanes) * lanes;
}

template <class T>
void times(T alpha, const Factor<T>& a, const Panels<T>& b, T beta, View<T> c, Region wanted,
           const Corner& at) {
  const Kernel<T>& kernel = panels::kernel<T>();
  const Index panel = vectors * kernel.lanes;
  const Index blocks = std::max<Index>(1, pieces(b.rows, most_terms(a.op)));
  const Index height = std::max<Index>(1, block_bytes / (kernel.rows * std::max<Index>(b.rows, 1) *
                                                         static_cast<Index>(sizeof(T)))) *
                       kernel.rows;
  for (Index top = 0; top < c.rows; top += height) {
    const Index bottom = std::min(c.rows, top + height);
    for (Index block = 0; block < blocks; ++block) {
      const Index block_begin = b.rows * block / blocks, block_end = b.rows * (block + 1) / blocks;
      for (Index j = 0; j < c.cols; j += panel) {
        const Index used = std::min(panel, c.cols - j), width = pieces(used, kernel.lanes) * kernel.lanes;
        const T* from = b.data + j * b.rows;
        for (Index i = top; i < bottom;) {
          const Index rows = kernel.rows_of(bottom - i);
          if (is_wanted(wanted, at, i, rows, j, used)) {
            const Terms terms = terms_of(a, b, at, i, rows, j, used);
            const Index begin = std::max(terms.begin, block_begin), end = std::min(terms.end, block_end);
            const bool is_first = block_begin <= terms.begin && (terms.begin < block_end || b.rows == 0);
            if (is_first || begin < end) {
              Tile<T> tile{};
              tile.alpha = alpha;
              tile.beta = is_first ? beta : T(1);
              tile.terms = std::max<Index>(0, end - begin);
              tile.left = a.op == Op::none ? a.view.data + i * a.view.stride + begin
                                           : a.view.data + begin * a.view.stride + i;
              tile.left_stride = a.view.stride;
              tile.right = from + begin * width;
              tile.out = c.row(i) + j;
              tile.out_stride = c.stride;
              tile.cols = used;
              kernel.run(tile, a.op, rows);
            }
          }
          i += rows;
        }
      }
    }
  }
}

template <class T>
void product(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c, Region wanted, Index row,
             Index col, T* memory) {
  if (c.empty()) return;
  const Index terms = b.rows();
  const Index widest = 10 * vectors * kernel<T>().lanes;
  const Index col_step = pieces(c.cols, pieces(c.cols, widest) * kernel<T>().lanes) * kernel<T>().lanes;
  // Equal steps of at most `chunk` numbers.
  const Index steps = std::max<Index>(1, pieces(terms, std::max<Index>(1, chunk / col_step)));
  const Index term_step = std::max<Index>(1, pieces(terms, steps));
  for (Index j = 0; j < c.cols; j += col_step) {
    const Index cols = std::min(col_step, c.cols - j);
    for (Index k = 0; k < std::max<Index>(terms, 1); k += term_step) {
      const Corner at{row, col + j, k};
      const Index rows = std::min(term_step, terms - k);
      const Panels<T> right = pack(b, at, rows, cols, memory);
      const Factor<T> left{a.op, a.op == Op::none ? a.view.block_cols(k, rows) : a.view.block_rows(k, rows),
                           a.part};
      times(alpha, left, right, k == 0 ? beta : T(1), c.block_cols(j, cols), wanted, at);
    }
  }
}

template <class T>
Index cost(const Factor<T>& a, const Factor<T>& b, Index rows, Region wanted, Index col, Index cols) {
  const Index height = kernel<T>().rows;
  if (wanted == Region::all && a.part == Region::all && b.part == Region::all)
    return b.rows() * pieces(rows, height);
  const Panels<T> right{nullptr, b.rows(), b.cols(), b.part};
  Index out = 0;
  for (Index i = 0; i < rows; i += height) {
    if (!is_wanted(wanted, {}, i, height, col, cols)) continue;
    const Terms terms = terms_of(a, right, {}, i, height, col, cols);
    out += terms.end - terms.begin;
  }
  return out;
}

template Index lanes<float>();
template Index lanes<double>();
template Index cost(const Factor<float>&, const Factor<float>&, Index, Region, Index, Index);
template Index cost(const Factor<double>&, const Factor<double>&, Index, Region, Index, Index);
template Index size<float>(Index, Index);
template Index size<double>(Index, Index);
template void times(float, const Factor<float>&, const Panels<float>&, float, View<float>, Region,
                    const Corner&);
template void times(double, const Factor<double>&, const Panels<double>&, double, View<double>, Region,
                    const Corner&);
template void product(float, const Factor<float>&, const Factor<float>&, float, View<float>, Region, Index,
                      Index, float*);
template void product(double, const Factor<double>&, const Factor<double>&, double, View<double>, Region,
                      Index, Index, double*);

}  // namespace gdkm::panels
