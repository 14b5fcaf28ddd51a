#pragma once

#include <string>
#include <vector>

#include "gdkm/fitting/step_cost.hpp"

namespace gdkm::cli {

/// What a step takes of every rank, as a table, and how long it takes by these rates.
std::string cost_table(const std::vector<RankCost>& costs, const MachineRates& rates);

}  // namespace gdkm::cli
