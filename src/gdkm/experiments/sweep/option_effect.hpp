#pragma once

#include <map>
#include <string>

#include "gdkm/experiments/sweep/sweep_spec.hpp"
#include "gdkm/store/stage_records.hpp"

namespace gdkm {

/// Why an option of this value does nothing on such data, or cannot be there; "" where it does something.
std::string lack_of_effect(const std::string& key, const nlohmann::json& value, const DatasetFacts& facts);

/// Refuses what a spec asks for and cannot have: an option of a study that does nothing on any of its data
/// sets, so that a choice among its values would be one among equal runs, and one that is set for a data set
/// on which it does nothing. `facts` are of the data sets that were read, by name; a study that has others
/// too is let through. The InputError names study, data set and option.
void check_effects(const SweepSpec& spec, const std::map<std::string, DatasetFacts>& facts);

}  // namespace gdkm
