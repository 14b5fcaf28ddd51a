#pragma once

#include <nlohmann/json.hpp>

#include "gdkm/experiments/report/report_kernels.hpp"
#include "gdkm/experiments/report/report_story.hpp"

namespace gdkm {

/// Everything that the page shows.
struct ReportContent {
  std::string store;                // the file's name
  std::vector<DatasetFacts> facts;  // by homophily; unknown homophily last
  ReportRuns runs;
  std::vector<ReportResult> results;
  std::vector<ReportNuCurve> curves;  // in the order of `facts`
  ReportStory story;
  ReportKernelSet kernels;
};

/// The number of runs of each status, how long they took, on which machine and with what. Times are seconds
/// since 1970.
nlohmann::ordered_json overview_json(const ReportContent& content);

/// The page's data, columns rather than rows where there are many: "runs" has an array for each column and
/// names texts that repeat by number. Percentages are rounded to four decimals; a curve is thinned to about
/// 60 epochs, and keeps all epochs with a validation score.
nlohmann::ordered_json report_json(const ReportContent& content, const Store& store);

}  // namespace gdkm
