#pragma once

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// The features of a sparse matrix, which stay sparse.
Features sparse_features(Csr matrix);
/// The same as a dense matrix.
Features dense_features(const Csr& matrix);
/// The nonzero entries of X.
Csr nonzero_entries(const Features& x);

}  // namespace gdkm
