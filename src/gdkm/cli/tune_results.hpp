#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gdkm/experiments/tune/tune_summary.hpp"

namespace gdkm::cli {

/// The finalists of a tuning as `gdkm tune` prints them.
std::string tune_table(const TuneSummary& summary, Select metric, bool regression);

/// {"winner": {…}, "finalists": […], "test_mean": …}; scores as people write them: a low NLL is good.
nlohmann::ordered_json tune_json(const TuneResult& result, const TuneSummary& summary, Select metric);

}  // namespace gdkm::cli
