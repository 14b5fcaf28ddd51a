#pragma once

#include "gdkm/linalg/backend.hpp"

/// Dense products for factors of a few hundred columns, where a BLAS spends much of its time on copying. Here
/// the right factor is copied into panels of columns once and used for many products; the left factor is read
/// in place. The code is compiled for AVX-512, AVX2 and any processor, and the version is chosen at run time.
namespace gdkm::panels {

/// The position of a block in the whole product: its first row and column of C and its first term of the sum.
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

/// Numbers per vector. It is best to split columns at multiples of it.
template <class T>
Index lanes();
/// The number of values in the panels of a factor of this size.
template <class T>
Index size(Index rows, Index cols);

/// Copies a block of B, which begins at term `at.term` and column `at.col`, to `memory`, with zeros outside
/// its part. Rows of a panel that are zero are not written, as `times` does not read them.
template <class T>
Panels<T> pack(const Factor<T>& b, const Corner& at, Index rows, Index cols, T* memory);
template <class T>
Panels<T> pack(const Factor<T>& b, T* memory) {
  return pack(b, Corner{}, b.rows(), b.cols(), memory);
}

/// C ← α A B + β C for blocks A, B and C that begin at `at` of the whole product. C is undefined outside
/// `wanted`. With β = 0 the old C is not read.
template <class T>
void times(T alpha, const Factor<T>& a, const Panels<T>& b, T beta, View<T> c, Region wanted = Region::all,
           const Corner& at = {});

/// The same for factors that are not in panels yet. C is the block at (row, col) of the whole product.
/// `memory` has room for `chunk` numbers, which fill half the second-level cache.
inline constexpr Index chunk = Index{1} << 17;
template <class T>
void product(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c, Region wanted, Index row,
             Index col, T* memory);

/// The cost of columns [col, col + cols) of a product with `rows` rows, in terms of a tile.
template <class T>
Index cost(const Factor<T>& a, const Factor<T>& b, Index rows, Region wanted, Index col, Index cols);

}  // namespace gdkm::panels
