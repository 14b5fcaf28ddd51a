#include "gdkm/data/formats/shared/matrix_graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/support/refuse.hpp"

namespace gdkm {

Graph graph_from_matrix(const std::string& where, const Csr& matrix) {
  if (matrix.rows != matrix.cols) {
    refuse("{}: has size {} x {}; an adjacency matrix is square, with one row per node", where, matrix.rows,
           matrix.cols);
  }
  Graph out;
  out.nodes = matrix.rows;
  out.directed = !is_symmetric(matrix);
  for (Index r = 0; r < matrix.rows; ++r) {
    for (Index k = matrix.row_start[r]; k < matrix.row_start[r + 1]; ++k) {
      const double weight = matrix.value[k];
      if (!(weight <= std::numeric_limits<float>::max() && static_cast<float>(weight) > 0)) {
        refuse("{}: row {}, column {}: expected a positive, finite weight, got {}; correct it", where, r + 1,
               matrix.col[k] + 1, weight);
      }
      if (!out.directed && matrix.col[k] < r) continue;
      out.edges.push_back({static_cast<std::int32_t>(r), matrix.col[k]});
      out.weight.push_back(static_cast<float>(weight));
    }
  }
  if (std::all_of(out.weight.begin(), out.weight.end(), [](float w) { return w == 1; })) out.weight = {};
  return out;
}

Features features_from_matrix(const std::string& where, Csr matrix) {
  if (matrix.cols == 0)
    refuse(where + ": has no feature columns; give at least one feature, e.g. a constant 1");
  Index kept = 0, next = 0;
  for (Index r = 0; r < matrix.rows; ++r) {
    const Index end = matrix.row_start[r + 1];
    for (; next < end; ++next) {
      if (!(std::fabs(matrix.value[next]) <= std::numeric_limits<float>::max())) {
        refuse("{}: row {}, column {} is {}; replace it by a finite number", where, r + 1,
               matrix.col[next] + 1, matrix.value[next]);
      }
      if (matrix.value[next] == 0) continue;
      matrix.col[kept] = matrix.col[next];
      matrix.value[kept++] = matrix.value[next];
    }
    matrix.row_start[r + 1] = kept;
  }
  matrix.col.resize(static_cast<std::size_t>(kept));
  matrix.value.resize(static_cast<std::size_t>(kept));
  Features out;
  out.rows = matrix.rows;
  out.cols = matrix.cols;
  out.is_sparse = true;
  out.sparse = std::move(matrix);
  return out;
}

}  // namespace gdkm
