#pragma once

#include <map>
#include <string>

#include "gdkm/experiments/sweep/sweep_spec.hpp"
#include "gdkm/store/stage_records.hpp"

namespace gdkm {

/// What the table of options asks of the data.
DataKind kind_of(const DatasetFacts& facts);

/// Whether some run of the study on the data set may see one row for each graph: models of rows then take it.
bool makes_rows(const SweepSpec& spec, const StudySpec& study, const std::string& dataset);

/// Why the model cannot have this option on such data, or has nothing of it; empty where nothing speaks
/// against it. Of other options it counts only whether the study makes rows.
std::string clash_with_data(const std::string& model, const std::string& key, const nlohmann::json& value,
                            const DataKind& data, bool rows);

/// Refuses options that a spec gives for nothing: those of a study that have no effect on any of its runs,
/// and those of a data set that have none on it. `facts` are of the data sets that were read, by name; a
/// study that has others too is let through. The InputError names study, data set and option.
void check_effects(const SweepSpec& spec, const std::map<std::string, DatasetFacts>& facts);

}  // namespace gdkm
