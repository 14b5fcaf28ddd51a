#pragma once

#include "gdkm/experiments/report/report_nu.hpp"

namespace gdkm {

/// What the study shows, in words made from its numbers.
struct ReportStory {
  std::string headline, detail;
};

/// Where learning the representation helps and where it does not, and how that goes with homophily; without
/// ν-curves, how much was run.
ReportStory report_story(const std::vector<ReportNuCurve>& curves, const std::vector<DatasetFacts>& facts,
                         std::size_t done);

}  // namespace gdkm
