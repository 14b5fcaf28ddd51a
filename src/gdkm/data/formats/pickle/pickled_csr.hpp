#pragma once

#include "gdkm/data/formats/pickle/pickle.hpp"
#include "gdkm/linalg/csr.hpp"

namespace gdkm {

/// The scipy.sparse.csr_matrix at the root of a pickle. Rows are sorted, repeated entries summed and zeros
/// dropped. A wrong index, or a value that float32 cannot hold, is an InputError.
Csr pickled_csr(const Pickle& pickle);

}  // namespace gdkm
