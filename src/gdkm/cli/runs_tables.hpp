#pragma once

#include <string>
#include <vector>

#include "gdkm/store/store.hpp"

namespace gdkm::cli {

/// Results of a training: one line per run, and mean ± standard deviation.
std::string run_table(const std::string& title, const std::vector<RunResult>& runs);
/// Which classes are taken for which: the counts of test items over all runs, a row for each true class, with
/// its recall and F1. Nothing where classes are too many for a line, or there are none.
std::string confusion_table(const std::vector<RunResult>& runs, const std::vector<std::string>& class_names);

/// Runs of a store: one line per run, with the options whose values differ among the runs that have them.
std::string run_list(const std::vector<StoredRun>& runs);
/// All details of a run.
std::string run_details(const Store& store, const StoredRun& run);
/// Runs side by side: the options in which they differ, and the results.
std::string run_comparison(const std::vector<StoredRun>& runs);
/// One line per combination of values of `options`, with mean ± standard deviation over its runs.
std::string run_groups(const std::vector<StoredRun>& runs, const std::vector<std::string>& options);

}  // namespace gdkm::cli
