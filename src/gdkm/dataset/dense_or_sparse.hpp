#pragma once

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// Whether features with so many nonzeros are better kept sparse: fewer than a tenth of all.
bool is_better_sparse(Index nonzeros, Index rows, Index cols);

/// Features in the form that suits them: CSR where they are sparse, else dense. Memory stays in proportion to
/// the nonzeros either way.
Features dense_or_sparse(Csr matrix);

}  // namespace gdkm
