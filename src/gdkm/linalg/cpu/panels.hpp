#pragma once

#include "gdkm/linalg/backend.hpp"

/// Dense products for factors of a few hundred columns, where a BLAS spends much of its time on copying: the
/// right factor is copied into panels of columns once and serves any number of products, the left one is read
/// where it lies. Compiled for AVX-512, AVX2 and any processor; which one runs is decided at run time.
namespace gdkm::panels {

/// Where a block lies in the whole product: the row and column of C, and the term of the sum, that it begins
/// with.
struct Corner {
  Index row = 0, col = 0, term = 0;
};

/// A right factor, or a block of it, in panels.
template <class T>
struct Panels {
  const T* data;
  Index rows, cols;
  Region part = Region::all;
};

/// Numbers in a vector: columns are best cut between these.
template <class T>
Index lanes();
/// How many numbers the panels of a factor of this size take.
template <class T>
Index size(Index rows, Index cols);

/// Copies the block of B with so many rows and columns that begins at term `at.term` and column `at.col` to
/// `memory`, with zeros for what is outside its part.
template <class T>
Panels<T> pack(const Factor<T>& b, const Corner& at, Index rows, Index cols, T* memory);
template <class T>
Panels<T> pack(const Factor<T>& b, T* memory) {
  return pack(b, Corner{}, b.rows(), b.cols(), memory);
}

/// C ← α A B + β C for blocks A, B and C that begin at `at` of the whole product; outside `wanted`, C is
/// anything. With β = 0 the old C is not read.
template <class T>
void times(T alpha, const Factor<T>& a, const Panels<T>& b, T beta, View<T> c, Region wanted = Region::all,
           const Corner& at = {});

/// The same for factors that are not in panels yet; C is the block at (row, col) of the whole product.
/// `memory` has room for `chunk` numbers, of which half a second-level cache is full.
inline constexpr Index chunk = Index{1} << 17;
template <class T>
void product(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c, Region wanted, Index row,
             Index col, T* memory);

/// What columns [col, col + cols) of a product with `rows` rows cost, in terms of a tile.
template <class T>
Index cost(const Factor<T>& a, const Factor<T>& b, Index rows, Region wanted, Index col, Index cols);

}  // namespace gdkm::panels
