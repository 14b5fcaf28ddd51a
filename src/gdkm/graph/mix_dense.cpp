#include "gdkm/graph/mix_dense.hpp"

#include <algorithm>
#include <cassert>

namespace gdkm {

namespace {

template <class T, class RowOf>
void mix(const Csr& a, const RowOf& row_of, Index width, T* out, Index stride) {
  std::vector<double> sum(static_cast<std::size_t>(width));
  for (Index r = 0; r < a.rows; ++r) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      const float* row = row_of(a.col[k]);
      const double value = a.value[k];
      for (Index j = 0; j < width; ++j) sum[j] += value * row[j];
    }
    for (Index j = 0; j < width; ++j) out[r * stride + j] = static_cast<T>(sum[j]);
  }
}

}  // namespace

template <class T>
void mix_dense(const Csr& a, const Features& x, T* out, Index stride) {
  assert(!x.is_sparse && a.cols == x.rows);
  mix(
      a, [&](Index row) { return x.dense.data() + row * x.cols; }, x.cols, out, stride);
}

template <class T>
void mix_rows(const Csr& a, const std::vector<const float*>& row, Index width, T* out, Index stride) {
  mix(
      a, [&](Index k) { return row[static_cast<std::size_t>(k)]; }, width, out, stride);
}

template void mix_dense(const Csr&, const Features&, float*, Index);
template void mix_dense(const Csr&, const Features&, double*, Index);
template void mix_rows(const Csr&, const std::vector<const float*>&, Index, float*, Index);
template void mix_rows(const Csr&, const std::vector<const float*>&, Index, double*, Index);

}  // namespace gdkm
