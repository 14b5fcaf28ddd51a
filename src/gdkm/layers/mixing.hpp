#pragma once

#include <vector>

#include "gdkm/linalg/sparse.hpp"

namespace gdkm {

/// The matrices that a model mixes with, one per relation. With one relation (Â_λ, most often), inducing
/// points may sit at nodes S: intra-domain ones have A_ii = Â[S,S] and A_ti = Â[:,S], inter-domain ones no
/// edges, A_ii = I and A_ti = 0.
template <class T>
struct Mixing {
  std::vector<Sparse<T>> relations;  // empty for the first P_r = I, where there are several
  Sparse<T> ti, ii;                  // intra-domain only

  Index count() const { return static_cast<Index>(relations.size()); }
  const Sparse<T>& relation(Index r) const { return relations[static_cast<std::size_t>(r)]; }
  /// The matrix of the only relation.
  const Sparse<T>& tt() const { return relations.front(); }
  bool is_identity(Index r) const { return relation(r).empty(); }
  /// The relation that is stored as empty; −1 if there is none.
  int identity() const {
    for (Index r = 0; r < count(); ++r) {
      if (is_identity(r)) return static_cast<int>(r);
    }
    return -1;
  }
  bool intra() const { return !ti.empty(); }
};

}  // namespace gdkm
