#pragma once

#include "gdkm/linalg/dense.hpp"
#include "gdkm/training/problem.hpp"
#include "gdkm/training/train_options.hpp"

namespace gdkm {

/// What GP regression fits, one row per item: its class as 0 and 1, or its numbers.
Dense targets_of(const Problem& problem, const std::vector<std::int32_t>& items);

/// The items whose labels calibrate the class probabilities of GP regression: those that validate, with
/// natural inference; none otherwise, or where numbers are predicted.
std::vector<std::int32_t> calibration_items(Inference inference, const Problem& problem, const Split& split);

}  // namespace gdkm
