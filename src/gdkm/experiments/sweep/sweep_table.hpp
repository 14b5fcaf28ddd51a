#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gdkm/experiments/sweep/sweep.hpp"

namespace gdkm {

/// The results of a sweep: one line for every study and data set (and value of `per`), with the validation
/// and test scores of the chosen settings. As in the paper, the standard deviation is over the means of the
/// splits if there are several, else over seeds.
std::string final_table(const Sweep& sweep);

/// The same as [{"study", "dataset", "options", "runs", "failed", "val_mean", …}, …].
nlohmann::ordered_json final_json(const Sweep& sweep);

/// The plan of a sweep: one line for every study, data set and stage, with an estimate of the time.
std::string plan_table(Sweep& sweep, int jobs);

}  // namespace gdkm
