#include "gdkm/dataset/dense_or_sparse.hpp"

#include <algorithm>
#include <utility>

namespace gdkm {

bool is_better_sparse(Index nonzeros, Index rows, Index cols) {
  return static_cast<double>(nonzeros) < 0.1 * static_cast<double>(rows) * static_cast<double>(cols);
}

Features in_cheaper_form(Features features) {
  constexpr Index wide = 256;  // products of narrow dense features are fast
  if (features.is_sparse || features.cols < wide) return features;
  const std::vector<float>& values = std::as_const(features).dense;  // reading must not copy shared ones
  const auto zeros = std::count(values.begin(), values.end(), 0.0F);
  const Index nonzeros = static_cast<Index>(values.size()) - static_cast<Index>(zeros);
  if (!is_better_sparse(nonzeros, features.rows, features.cols)) return features;
  return sparse_features(nonzero_entries(features));
}

Features dense_or_sparse(Csr matrix) {
  if (is_better_sparse(matrix.nonzeros(), matrix.rows, matrix.cols))
    return sparse_features(std::move(matrix));
  return dense_features(matrix);
}

}  // namespace gdkm
