#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gdkm/fitting/run_result.hpp"

namespace gdkm {

nlohmann::ordered_json to_json(const RunResult& run);
RunResult run_from_json(const nlohmann::ordered_json& json);

/// {"val_accuracy_mean": …, "val_accuracy_std": …, …} over runs.
nlohmann::ordered_json summary_json(const std::vector<RunResult>& runs);

}  // namespace gdkm
