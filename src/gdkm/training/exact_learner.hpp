#pragma once

#include <memory>

#include "gdkm/training/learner.hpp"

namespace gdkm {

/// Models without inducing points, for graphs of some thousand nodes, in float64:
///
/// nngp  regression on one-hot labels with the closed-form kernel of an infinitely wide graph network
///       (settings.network), the nugget chosen on validation nodes; done in one epoch;
/// dkm   the full-rank graph DKM with Gaussian noise, in the order of Algorithm 1; an epoch is a step of
/// Adam.
std::unique_ptr<Learner> make_exact_learner(const Settings& settings, const Dataset& dataset,
                                            const Problem& problem, const Split& split);

}  // namespace gdkm
