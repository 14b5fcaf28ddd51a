#pragma once

#include <string>

#include "gdkm/experiments/tune/doubtful_items.hpp"
#include "gdkm/experiments/tune/tune_summary.hpp"

namespace gdkm {

/// What the owner of a data set is told beside the results themselves.
struct TuneReportTexts {
  std::string data, store, model;  // names; model is "" if none was saved
  std::string how_refitted;        // a sentence
  std::string train_command, predict_command;
};

/// The page about a tuning.
std::string tune_report(const TuneReportTexts& texts, const TuneTask& task, Select metric,
                        const TuneResult& result, const TuneSummary& summary, const DoubtfulItems& doubtful);

/// Whether the winner is better than the default and than the majority, in one or two sentences, for the page
/// and for the terminal.
std::string verdict(const TuneTask& task, Select metric, const TuneResult& result,
                    const TuneSummary& summary);

}  // namespace gdkm
