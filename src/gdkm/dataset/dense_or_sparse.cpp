#include "gdkm/dataset/dense_or_sparse.hpp"

#include <algorithm>

namespace gdkm {

bool is_better_sparse(Index nonzeros, Index rows, Index cols) {
  return static_cast<double>(nonzeros) < 0.1 * static_cast<double>(rows) * static_cast<double>(cols);
}

Features sparse_features(Csr matrix) {
  return {matrix.rows, matrix.cols, true, std::move(matrix), {}};
}

Features in_cheaper_form(Features features) {
  constexpr Index wide = 256;  // products of narrow dense features are fast
  if (features.is_sparse || features.cols < wide) return features;
  const auto zeros = std::count(features.dense.begin(), features.dense.end(), 0.0F);
  const Index nonzeros = static_cast<Index>(features.dense.size()) - static_cast<Index>(zeros);
  if (!is_better_sparse(nonzeros, features.rows, features.cols)) return features;
  Csr matrix;
  matrix.rows = features.rows;
  matrix.cols = features.cols;
  for (Index r = 0; r < features.rows; ++r) {
    for (Index c = 0; c < features.cols; ++c) {
      const float value = features.dense[r * features.cols + c];
      if (value == 0) continue;
      matrix.col.push_back(static_cast<std::int32_t>(c));
      matrix.value.push_back(static_cast<double>(value));
    }
    matrix.row_start.push_back(matrix.nonzeros());
  }
  return sparse_features(std::move(matrix));
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
