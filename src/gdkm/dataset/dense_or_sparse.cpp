#include "gdkm/dataset/dense_or_sparse.hpp"

namespace gdkm {

bool is_better_sparse(Index nonzeros, Index rows, Index cols) {
  return static_cast<double>(nonzeros) < 0.1 * static_cast<double>(rows) * static_cast<double>(cols);
}

Features sparse_features(Csr matrix) {
  return {matrix.rows, matrix.cols, true, std::move(matrix), {}};
}

Features dense_or_sparse(Csr matrix) {
  if (is_better_sparse(matrix.nonzeros(), matrix.rows, matrix.cols))
    return sparse_features(std::move(matrix));
  Features out;
  out.rows = matrix.rows;
  out.cols = matrix.cols;
  out.dense.resize(static_cast<std::size_t>(matrix.rows * matrix.cols));
  for (Index r = 0; r < matrix.rows; ++r) {
    for (Index k = matrix.row_start[r]; k < matrix.row_start[r + 1]; ++k) {
      out.dense[r * matrix.cols + matrix.col[k]] = static_cast<float>(matrix.value[k]);
    }
  }
  return out;
}

}  // namespace gdkm
