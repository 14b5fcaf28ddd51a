#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/dense.hpp"

namespace gdkm::testing {

/// q(W) = N(mu, l lᵀ) of each output, for items with rows u of features (σ included) and labels.
struct ReadoutPosterior {
  Dense mu, l;
};
double elbo_of_readout(const ReadoutPosterior& q, const Dense& u, const std::vector<std::int32_t>& label);
/// The posterior after so many updates of Σ and Newton-like updates of μ, with all expectations exact. An
/// update that would lower the ELBO is made smaller.
ReadoutPosterior improved(ReadoutPosterior q, const Dense& u, const std::vector<std::int32_t>& label,
                          int rounds);

}  // namespace gdkm::testing
