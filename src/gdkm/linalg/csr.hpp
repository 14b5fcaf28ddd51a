#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/matrix.hpp"
#include "gdkm/support/shared_vector.hpp"

namespace gdkm {

/// A sparse matrix on the host in compressed row storage. Columns of a row are ascending and distinct.
struct Csr {
  Index rows = 0, cols = 0;
  SharedVector<Index> row_start{0};  // rows + 1
  SharedVector<std::int32_t> col;
  SharedVector<double> value;

  Index nonzeros() const { return static_cast<Index>(col.size()); }
};

struct Triplet {
  std::int32_t row, col;
  double value;
};

/// Builds a matrix from entries in any order. Repeated entries are added if `add` is set; otherwise the last
/// one is kept.
Csr csr_from_triplets(Index rows, Index cols, std::vector<Triplet> entries, bool add = true);

Csr transpose(const Csr& a);

/// Rows `rows` and columns `cols` of `a`, in that order; an empty `cols` means all columns.
Csr submatrix(const Csr& a, const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& cols);

/// A·B.
Csr multiply(const Csr& a, const Csr& b);

/// The number of nonzeros of A·B, or `limit` + 1 if there are more than `limit`.
Index count_product_nonzeros(const Csr& a, const Csr& b, Index limit);

bool is_symmetric(const Csr& a);

}  // namespace gdkm
