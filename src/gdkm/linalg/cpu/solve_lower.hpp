#pragma once

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"

namespace gdkm {

/// Threads share the columns of B.
template <class T>
void CpuBackend<T>::solve_lower(Op op, ConstView<T> l, View<T> b) {
  assert(l.rows == l.cols && l.rows == b.rows);
  if (b.empty()) return;
  pool_.share(b.cols, 16,
              [&](Index begin, Index end) { blas::trsm(op, l, b.block_cols(begin, end - begin)); });
}

}  // namespace gdkm
