#pragma once

#include "gdkm/experiments/report/report_nu.hpp"

namespace gdkm {

/// What the study shows, in sentences made from its numbers.
struct ReportStory {
  std::string headline, detail;
};

/// Says on which data sets learning the representation helps, and how that depends on homophily. Without
/// ν-curves it says how many runs there are.
ReportStory report_story(const std::vector<ReportNuCurve>& curves, const std::vector<DatasetFacts>& facts,
                         std::size_t done);

}  // namespace gdkm
