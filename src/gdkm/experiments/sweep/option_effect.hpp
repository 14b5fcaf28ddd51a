#pragma once

#include <map>
#include <string>

#include "gdkm/experiments/sweep/sweep_spec.hpp"
#include "gdkm/store/stage_records.hpp"

namespace gdkm {

/// What the table of options asks of the data.
DataKind kind_of(const DatasetFacts& facts);

/// Why the model cannot have this option on such data, or has nothing of it; empty where nothing speaks
/// against it. What other options say does not count here.
std::string clash_with_data(const std::string& model, const std::string& key, const nlohmann::json& value,
                            const DataKind& data);

/// Refuses options that a spec gives for nothing: those of a study that have no effect on any of its runs,
/// and those of a data set that have none on it. `facts` are of the data sets that were read, by name; a
/// study that has others too is let through. The InputError names study, data set and option.
void check_effects(const SweepSpec& spec, const std::map<std::string, DatasetFacts>& facts);

}  // namespace gdkm
