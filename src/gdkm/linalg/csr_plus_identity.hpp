#pragma once

#include "gdkm/linalg/csr.hpp"

namespace gdkm {

/// α A + β I, with an entry on the whole diagonal.
Csr combine_with_identity(double alpha, const Csr& a, double beta);

}  // namespace gdkm
