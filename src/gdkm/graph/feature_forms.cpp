#include "gdkm/graph/feature_forms.hpp"

#include <algorithm>

namespace gdkm {

Features sparse_features(Csr matrix) {
  return {matrix.rows, matrix.cols, true, std::move(matrix), {}};
}

Features dense_features(const Csr& matrix) {
  Features out{matrix.rows, matrix.cols, false, {}, {}};
  out.dense.resize(static_cast<std::size_t>(matrix.rows * matrix.cols));
  for (Index r = 0; r < matrix.rows; ++r) {
    for (Index k = matrix.row_start[r]; k < matrix.row_start[r + 1]; ++k)
      out.dense[r * matrix.cols + matrix.col[k]] = static_cast<float>(matrix.value[k]);
  }
  return out;
}

Csr nonzero_entries(const Features& x) {
  if (x.is_sparse) return x.sparse;
  Csr out;
  out.rows = x.rows;
  out.cols = x.cols;
  const auto zeros = std::count(x.dense.begin(), x.dense.end(), 0.0F);
  out.col.reserve(x.dense.size() - static_cast<std::size_t>(zeros));
  out.value.reserve(x.dense.size() - static_cast<std::size_t>(zeros));
  for (Index r = 0; r < x.rows; ++r) {
    for (Index c = 0; c < x.cols; ++c) {
      const float value = x.dense[static_cast<std::size_t>(r * x.cols + c)];
      if (value == 0) continue;
      out.col.push_back(static_cast<std::int32_t>(c));
      out.value.push_back(value);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

}  // namespace gdkm
