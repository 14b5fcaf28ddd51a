#pragma once

#include <vector>

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// A·X of dense features, row-major with `stride` numbers a row. Sums are taken in double and rounded once,
/// to T: a network in double precision must not see what float32 made of them.
template <class T>
void mix_dense(const Csr& a, const Features& x, T* out, Index stride);

/// The same where the rows of X, `width` numbers each, lie anywhere.
template <class T>
void mix_rows(const Csr& a, const std::vector<const float*>& row, Index width, T* out, Index stride);

template <class T>
std::vector<T> mix_dense(const Csr& a, const Features& x) {
  std::vector<T> out(static_cast<std::size_t>(a.rows * x.cols));
  mix_dense(a, x, out.data(), x.cols);
  return out;
}

}  // namespace gdkm
