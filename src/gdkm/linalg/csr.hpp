#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// A sparse matrix on the host, compressed by rows; columns of a row ascend and do not repeat.
struct Csr {
  Index rows = 0, cols = 0;
  std::vector<Index> row_start{0};  // rows + 1
  std::vector<std::int32_t> col;
  std::vector<double> value;

  Index nonzeros() const { return static_cast<Index>(col.size()); }
};

struct Triplet {
  std::int32_t row, col;
  double value;
};

/// Builds a matrix from entries in any order; repeated entries are added when `add` is set, else the last one
/// stays.
Csr csr_from_triplets(Index rows, Index cols, std::vector<Triplet> entries, bool add = true);

Csr transpose(const Csr& a);

/// Rows `rows` and columns `cols` of `a`, in that order; an empty `cols` keeps them all.
Csr submatrix(const Csr& a, const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& cols);

/// A·B.
Csr multiply(const Csr& a, const Csr& b);

/// How many nonzeros A·B has, or `limit` + 1 as soon as it is known to have more than `limit`.
Index count_product_nonzeros(const Csr& a, const Csr& b, Index limit);

bool is_symmetric(const Csr& a);

}  // namespace gdkm
