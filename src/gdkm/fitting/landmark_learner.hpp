#pragma once

#include <memory>

#include "gdkm/fitting/learner.hpp"
#include "gdkm/linalg/backend.hpp"
#include "gdkm/settings/model_choice.hpp"

namespace gdkm {

/// GP regression on one-hot labels or numbers with the Nyström kernel of landmarks: the features U of a
/// network at ν = ∞ come from the backend, the regression in their space is done on the host in float64.
/// The nugget is chosen as the exact NNGP chooses it; done in one epoch. What it has learned are the
/// parameters of a Dkm whose outputs are numbers.
template <class T>
std::unique_ptr<Learner> make_landmark_learner(Backend<T>& backend, const LandmarkConfig& config,
                                               const TrainOptions& options, const PreparedData& data,
                                               const Split& split);

}  // namespace gdkm
