#pragma once

#include <vector>

#include "gdkm/linalg/csr.hpp"

namespace gdkm {

/// Where the coefficients γ_0 … γ_K of a polynomial start, K + 1 = count: they fall by a tenth from power to
/// power, as in personalised PageRank, and add up to 1.
inline std::vector<double> first_gamma(Index count) {
  constexpr double stay = 0.1;
  std::vector<double> out;
  double left = 1;
  for (Index k = 0; k + 1 < count; ++k) {
    out.push_back(stay * left);
    left *= 1 - stay;
  }
  out.push_back(left);
  return out;
}

}  // namespace gdkm
