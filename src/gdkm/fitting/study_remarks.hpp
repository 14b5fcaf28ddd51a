#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/fitting/run_result.hpp"
#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// What a table consists of: 3 numbers (age, income, score), 1 category (colour: 4 values). Empty where the
/// features are no table.
std::string described(const FeatureColumns& columns);

/// What the data is like that its owner should know before training, a line each: columns that drown all
/// others, classes with hardly a training item, no validation items.
std::vector<std::string> remarks_on_data(const Dataset& dataset, const Split& split,
                                         const Settings& settings);

/// What to know before believing the scores of a study, a line each: how many of the splits were used, how
/// few items were tested, that the most frequent class does as well.
std::vector<std::string> remarks_on_scores(const Dataset& dataset, const std::vector<Split>& splits,
                                           const std::vector<RunResult>& runs, const Settings& settings);

}  // namespace gdkm
