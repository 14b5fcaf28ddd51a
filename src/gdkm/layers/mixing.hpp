#pragma once

#include "gdkm/linalg/sparse.hpp"

namespace gdkm {

/// The blocks of Â_λ. Inter-domain inducing points have no edges: A_ii = I, A_ti = 0.
/// Intra-domain ones sit at nodes S: A_ii = Â[S,S], A_ti = Â[:,S].
template <class T>
struct Mixing {
  Sparse<T> tt;
  Sparse<T> ti, ii;  // intra-domain only

  bool intra() const { return !ti.empty(); }
};

}  // namespace gdkm
