#pragma once

#include "gdkm/linalg/dense.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm {

/// What GP regression fits, one row per item: its class as 0 and 1, or its numbers.
Dense targets_of(const Problem& problem, const std::vector<std::int32_t>& items);

}  // namespace gdkm
