#pragma once

#include <string>
#include <vector>

#include "gdkm/experiments/fixed_kernels.hpp"
#include "gdkm/store/run_export.hpp"
#include "gdkm/store/stage_records.hpp"
#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// Scores at one value of an option: over the means of the splits if there are several, otherwise over seeds.
struct OptionScore {
  double value = 0;  // of the option; ∞ is one
  Summary val, test;
  int runs = 0, failed = 0;
};

/// Scores of a data set against an option, one line for each value of a second option (the inducing scheme).
struct OptionCurves {
  struct Line {
    std::string name;                 // value of the second option
    std::vector<OptionScore> scores;  // ascending by value; values without a finished run are left out
    std::size_t best = 0;             // the one with the best validation score
  };
  DatasetFacts facts;
  std::vector<Line> lines;
  std::size_t best = 0;                 // the line that has the best mean validation score
  std::vector<FixedKernel> fixed = {};  // on the same splits, if the option is ν
};

/// Takes all stages of the given sweeps of a store (of all, if there are no names) that vary `option` of a
/// graph DKM on nodes. One entry per data set, the most homophilous first. All other settings are the same;
/// of several settings, those are taken that have the most values of the two options and, of these, the most
/// runs. All scores of a data set are of the same seeds and splits. Throws an InputError if there are none;
/// `remedy` names the command that makes such runs.
std::vector<OptionCurves> option_curves(const Store& store, const std::string& option,
                                        const std::string& second, const std::string& remedy,
                                        const std::vector<std::string>& sweeps = {});

/// A row per score: dataset, homophily, the two options, whether its line is the best one, val and test
/// scores, runs, and the name of a fixed kernel, which has ν = ∞.
ExportTable to_table(const std::vector<OptionCurves>& curves, const std::string& option,
                     const std::string& second);
/// The same of the best lines, for a terminal.
std::string to_text(const std::vector<OptionCurves>& curves, const std::string& option);

}  // namespace gdkm
