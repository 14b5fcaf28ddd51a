#include "gdkm/graph/features.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "gdkm/graph/mix_dense.hpp"

namespace gdkm {

Index Features::nonzeros() const {
  return is_sparse ? sparse.nonzeros() : static_cast<Index>(dense.size());
}

namespace {
template <class V>
void normalise_row(V* value, Index count, Normalisation how) {
  double total = 0;
  for (Index k = 0; k < count; ++k) {
    const double v = value[k];
    total += how == Normalisation::l2 ? v * v : std::fabs(v);
  }
  if (how == Normalisation::l2) total = std::sqrt(total);
  if (total == 0) return;
  for (Index k = 0; k < count; ++k) value[k] = static_cast<V>(value[k] / total);
}
}  // namespace

Features normalise(Features features, Normalisation how, ThreadPool* pool) {
  assert(how != Normalisation::automatic && how != Normalisation::standard);
  if (how == Normalisation::none) return features;
  const SharedVector<Index>& row_start = std::as_const(features).sparse.row_start;
  double* sparse = features.is_sparse ? features.sparse.value.data() : nullptr;
  float* dense = features.is_sparse ? nullptr : features.dense.data();
  const auto normalise_rows = [&](std::int64_t first, std::int64_t last) {
    for (Index r = first; r < last; ++r) {
      if (features.is_sparse) {
        normalise_row(sparse + row_start[r], row_start[r + 1] - row_start[r], how);
      } else {
        normalise_row(dense + r * features.cols, features.cols, how);
      }
    }
  };
  if (pool == nullptr) {
    normalise_rows(0, features.rows);
  } else {
    pool->share(features.rows, 1024, normalise_rows);
  }
  return features;
}

Features select_rows(const Features& features, const std::vector<std::int32_t>& rows) {
  Features out;
  out.rows = static_cast<Index>(rows.size());
  out.cols = features.cols;
  out.is_sparse = features.is_sparse;
  if (features.is_sparse) {
    out.sparse = submatrix(features.sparse, rows, {});
    return out;
  }
  std::vector<float>& chosen = out.dense.edit();
  chosen.reserve(rows.size() * static_cast<std::size_t>(features.cols));
  for (const auto r : rows) {
    const auto* from = features.dense.data() + r * features.cols;
    chosen.insert(chosen.end(), from, from + features.cols);
  }
  return out;
}

Features mix(const Csr& a, const Features& x) {
  Features out;
  out.rows = a.rows;
  out.cols = x.cols;
  out.is_sparse = x.is_sparse;
  if (x.is_sparse) {
    out.sparse = multiply(a, x.sparse);
    return out;
  }
  out.dense = mix_dense<float>(a, x);
  return out;
}

Features side_by_side(const std::vector<Features>& parts) {
  Features out;
  out.rows = parts.front().rows;
  out.is_sparse = parts.front().is_sparse;
  for (const Features& part : parts) out.cols += part.cols;
  Index offset = 0;
  if (!out.is_sparse) {
    out.dense.resize(static_cast<std::size_t>(out.rows * out.cols));
    for (const Features& part : parts) {
      for (Index r = 0; r < out.rows; ++r)
        std::copy_n(part.dense.begin() + r * part.cols, part.cols, out.dense.begin() + r * out.cols + offset);
      offset += part.cols;
    }
    return out;
  }
  out.sparse.rows = out.rows;
  out.sparse.cols = out.cols;
  std::size_t entries = 0;
  for (const Features& part : parts) entries += part.sparse.col.size();
  out.sparse.col.reserve(entries);
  out.sparse.value.reserve(entries);
  for (Index r = 0; r < out.rows; ++r) {
    offset = 0;
    for (const Features& part : parts) {
      const Csr& x = part.sparse;
      for (Index k = x.row_start[r]; k < x.row_start[r + 1]; ++k) {
        out.sparse.col.push_back(static_cast<std::int32_t>(offset + x.col[k]));
        out.sparse.value.push_back(x.value[k]);
      }
      offset += part.cols;
    }
    out.sparse.row_start.push_back(out.sparse.nonzeros());
  }
  return out;
}

}  // namespace gdkm
