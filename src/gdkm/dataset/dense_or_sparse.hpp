#pragma once

#include "gdkm/graph/feature_forms.hpp"

namespace gdkm {

/// Whether features with so many nonzeros are better stored sparse: fewer than a tenth of all values.
bool is_better_sparse(Index nonzeros, Index rows, Index cols);

/// The same features, sparse if they were dense, wide and nearly all zero, as some files have them.
Features in_cheaper_form(Features features);

/// Features in the suitable form: CSR if sparse, else dense. Memory is proportional to the nonzeros in both
/// cases.
Features dense_or_sparse(Csr matrix);

}  // namespace gdkm
