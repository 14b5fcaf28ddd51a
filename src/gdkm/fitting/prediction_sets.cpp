#include "gdkm/fitting/prediction_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/support/error.hpp"
#include "gdkm/training/predictor.hpp"

namespace gdkm {

namespace {

/// What is known of the items, in the form that scores take.
Problem known_labels(const Predictions& predictions) {
  Problem out;
  if (predictions.regression) {
    out.targets = static_cast<int>(predictions.outputs);
    out.target = predictions.target;
  } else {
    out.classes = static_cast<int>(predictions.outputs);
  }
  out.label = predictions.label;
  return out;
}

}  // namespace

PredictionSets prediction_sets(const Predictions& predictions, const ModelCard& card, double coverage) {
  if (!(coverage > 0 && coverage < 1))
    throw OptionError("coverage", fmt::format("{}", coverage), "expected a number between 0 and 1",
                      "0.9 asks that nine of ten sets hold the truth");
  PredictionSets out;
  out.asked = coverage;
  out.calibrated = !card.conformal.empty();
  if (!out.calibrated && !predictions.regression)
    throw OptionError("coverage", fmt::format("{}", coverage), "the model kept no validation data apart",
                      "train it with " + option("conformal", "0.5"));
  for (const auto& scores : card.conformal) out.thresholds.push_back(conformal_threshold(scores, coverage));
  if (!out.calibrated)
    out.thresholds.assign(static_cast<std::size_t>(predictions.outputs),
                          inverse_normal(0.5 + 0.5 * coverage));

  for (Index r = 0; r < predictions.items; ++r) {
    for (Index c = 0; c < predictions.outputs; ++c) {
      if (!predictions.regression) {
        out.member.push_back(1 - predictions.row(r)[c] <= out.thresholds[0] ? 1 : 0);
        continue;
      }
      const double reach = out.thresholds[static_cast<std::size_t>(c)] * predictions.deviation(r, c);
      out.lower.push_back(predictions.mean(r, c) - reach);
      out.upper.push_back(predictions.mean(r, c) + reach);
    }
  }
  if (predictions.label.empty()) return out;
  std::vector<std::int32_t> unseen;
  for (Index r = 0; r < predictions.items; ++r) {
    if (predictions.seen.empty() || predictions.seen[static_cast<std::size_t>(r)] == 0)
      unseen.push_back(static_cast<std::int32_t>(r));
  }
  out.measured = measure_coverage(known_labels(predictions), predictions.values, unseen, out.thresholds);
  if (!out.measured) return out;
  out.measured->asked = coverage;
  if (out.calibrated)
    out.measured->calibration_items = static_cast<std::int64_t>(card.conformal.front().size());
  return out;
}

}  // namespace gdkm
