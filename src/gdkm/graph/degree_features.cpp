#include "gdkm/graph/degree_features.hpp"

#include <algorithm>
#include <cassert>

namespace gdkm {

namespace {

Index degree(const Csr& adjacency, Index node) {
  const auto begin = adjacency.col.begin() + adjacency.row_start[static_cast<std::size_t>(node)];
  const auto end = adjacency.col.begin() + adjacency.row_start[static_cast<std::size_t>(node) + 1];
  return end - begin - std::count(begin, end, static_cast<std::int32_t>(node));
}

}  // namespace

Features with_degrees(const Features& x, const Csr& adjacency) {
  assert(x.rows == adjacency.rows);
  Features out;
  out.rows = x.rows;
  out.cols = x.cols + most_degree + 1;
  out.is_sparse = x.is_sparse;
  out.sparse.rows = x.is_sparse ? out.rows : 0;
  out.sparse.cols = x.is_sparse ? out.cols : 0;
  if (!x.is_sparse) out.dense.reserve(static_cast<std::size_t>(out.rows * out.cols));
  for (Index node = 0; node < x.rows; ++node) {
    const Index column = std::min(degree(adjacency, node), most_degree);
    if (x.is_sparse) {
      const auto begin = x.sparse.row_start[static_cast<std::size_t>(node)],
                 end = x.sparse.row_start[static_cast<std::size_t>(node) + 1];
      out.sparse.col.insert(out.sparse.col.end(), x.sparse.col.begin() + begin, x.sparse.col.begin() + end);
      out.sparse.value.insert(out.sparse.value.end(), x.sparse.value.begin() + begin,
                              x.sparse.value.begin() + end);
      out.sparse.col.push_back(static_cast<std::int32_t>(x.cols + column));
      out.sparse.value.push_back(1);
      out.sparse.row_start.push_back(out.sparse.nonzeros());
    } else {
      const auto row = x.dense.begin() + node * x.cols;
      out.dense.insert(out.dense.end(), row, row + x.cols);
      for (Index k = 0; k <= most_degree; ++k) out.dense.push_back(k == column ? 1.0F : 0.0F);
    }
  }
  return out;
}

}  // namespace gdkm
