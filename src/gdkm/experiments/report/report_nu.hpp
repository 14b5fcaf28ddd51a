#pragma once

#include "gdkm/experiments/report/report_results.hpp"

namespace gdkm {

/// One ν of a curve, with the better of the inducing schemes that were tried.
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
  Summary difference;
  double error = 0;  // standard error of the mean; NaN with one difference alone

  enum class Verdict { helps, even, hurts };
  Verdict verdict() const;
  /// When a gain counts as clear, for the page: what verdict() does, in words.
  static const std::string_view rule;
};

/// Score against ν on one data set, everything else but the scheme held.
struct ReportNuCurve {
  std::string dataset;
  std::vector<ReportNuPoint> points;  // ν ascending, ∞ last; at least two
  std::optional<ReportGain> gain;     // where there is a finite ν and ∞, with common seeds and splits
  nlohmann::json held;                // the options that all points share
};

/// A curve for every data set on which several ν were tried; of several families of settings the one with the
/// most ν, and of those the one with the most runs. The NNGP counts as the DKM at ν = ∞.
std::vector<ReportNuCurve> report_nu_curves(const ReportRuns& runs);

}  // namespace gdkm
