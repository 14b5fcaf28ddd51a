#include "gdkm/linalg/csr_plus_identity.hpp"

namespace gdkm {

Csr combine_with_identity(double alpha, const Csr& a, double beta) {
  std::vector<Triplet> entries;
  entries.reserve(a.col.size() + static_cast<std::size_t>(a.rows));
  for (Index r = 0; r < a.rows; ++r) {
    const auto row = static_cast<std::int32_t>(r);
    for (Index e = a.row_start[r]; e < a.row_start[r + 1]; ++e) {
      entries.push_back({row, a.col[e], alpha * a.value[e]});
    }
    entries.push_back({row, row, beta});
  }
  return csr_from_triplets(a.rows, a.cols, std::move(entries));
}

}  // namespace gdkm
