#pragma once

#include <algorithm>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/simd.hpp"

namespace gdkm {

namespace detail {
/// The first row of share k of `shares`, where all shares have about the same number of nonzeros.
inline Index balanced_row(const Index* row_start, Index rows, int k, int shares) {
  // Even an empty row has a cost: count one more nonzero per row.
  const Index target = (row_start[rows] + rows) * k / shares;
  Index low = 0, high = rows;
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (row_start[middle] + middle < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The number of rows of B per block; 0 means all rows at once. If many nonzeros refer to each row of B, it
/// would be read from main memory again and again; with blocks, all rows of A are processed while a block is
/// in the cache. A row of C is then read and written once per block, which pays from about `least` nonzeros
/// on.
inline Index sparse_block(Index rows, Index cols, Index nonzeros) {
  constexpr Index block = 12288, least = 10;
  const Index blocks = (cols + block - 1) / block;
  return blocks > 1 && nonzeros >= least * rows * blocks ? block : 0;
}
}  // namespace detail

template <class T>
void CpuBackend<T>::spmm(T alpha, Op op, const Sparse<T>& a, ConstView<T> b, T beta, View<T> c) {
  const auto& part = op == Op::none ? a.direct() : a.transposed();
  assert(part.rows == c.rows && part.cols == b.rows && b.cols == c.cols);
  const Index* start = part.row_start.data();
  const simd::SparseRows<T> rows{start, part.col.data(), part.value.data()};
  simd::SparseBlocks blocks{detail::sparse_block(c.rows, b.rows, static_cast<Index>(part.col.size()))};
  if (blocks.rows > 0) {
    if (static_cast<Index>(cursor_.size()) < c.rows) cursor_.resize(static_cast<std::size_t>(c.rows));
    blocks.cursor = cursor_.data();
  }
  const int shares = static_cast<Index>(part.col.size()) * c.cols < small_work ? 1 : pool_.size();
  const auto body = [&](int k) {
    const Index begin = k == 0 ? 0 : detail::balanced_row(start, c.rows, k, shares);
    const Index end = k + 1 == shares ? c.rows : detail::balanced_row(start, c.rows, k + 1, shares);
    simd::sparse_times(alpha, rows, begin, end, b, beta, c, blocks);
  };
  if (shares == 1) return body(0);
  pool_.run(body);
}

}  // namespace gdkm
