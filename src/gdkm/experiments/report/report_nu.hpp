#pragma once

#include "gdkm/experiments/fixed_kernels.hpp"
#include "gdkm/experiments/report/report_results.hpp"
#include "gdkm/experiments/score_difference.hpp"

namespace gdkm {

/// One ν of a curve, with the inducing scheme that has the better validation score.
struct ReportNuPoint {
  double nu = 0;
  std::string scheme;
  Summary val;
  std::optional<Summary> test;
  std::vector<std::int64_t> runs;
};

/// What learning the representation gains: the test score at the ν that validation prefers minus that at ν =
/// ∞, on the same seeds and splits.
struct ReportGain {
  double nu = 0;  // that validation prefers among the finite ones
  ScoreDifference difference;

  enum class Verdict { helps, even, hurts };
  Verdict verdict() const;
  /// When a gain counts as clear, for the page: what verdict() does, in words.
  static const std::string_view rule;
};

template <>
struct EnumNames<ReportGain::Verdict> {
  static constexpr std::string_view names[] = {"helps", "even", "hurts"};
};

/// Score against ν on one data set; all settings but ν and the scheme are the same.
struct ReportNuCurve {
  std::string dataset;
  std::vector<ReportNuPoint> points;  // ν ascending, ∞ last; at least two
  std::optional<ReportGain> gain;     // if a finite ν and ∞ have common seeds and splits
  std::vector<FixedKernel> fixed;     // on the same splits
};

/// A curve for every data set with runs at several ν. Of several sets of other settings it takes the one with
/// the most ν, then the one with the most runs. The NNGP counts as the DKM at ν = ∞.
std::vector<ReportNuCurve> report_nu_curves(const ReportRuns& runs);

}  // namespace gdkm
