#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gdkm/experiments/sweep/sweep.hpp"

namespace gdkm {

/// What a sweep came to: a line for every study and data set (and value of `per`), with validation and test
/// score of the chosen settings, mean ± standard deviation as the paper has it: over the means of the splits
/// where there are several, over seeds otherwise.
std::string final_table(const Sweep& sweep);

/// The same as [{"study", "dataset", "options", "runs", "failed", "val_mean", …}, …].
nlohmann::ordered_json final_json(const Sweep& sweep);

/// What would be run: a line for every study, data set and stage, with an estimate of time and where it comes
/// from.
std::string plan_table(Sweep& sweep, int jobs);

}  // namespace gdkm
