#include "gdkm/training/metrics.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
constexpr int bins = 15;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// A single confidently wrong row must not make the whole mean infinite.
constexpr double smallest_probability = 1e-300;

using Bins = std::array<ReliabilityBin, bins>;

double calibration_error(const Bins& calibration) {
  double off = 0, count = 0;
  for (const ReliabilityBin& bin : calibration) {
    off += std::abs(bin.confidence - bin.correct);
    count += bin.count;
  }
  return off / count;
}

/// Bin b holds (b/15, (b+1)/15].
int bin_of(double confidence) {
  return std::clamp(static_cast<int>(std::ceil(std::clamp(confidence, 0.0, 1.0) * bins)) - 1, 0, bins - 1);
}

using Scored = std::pair<double, bool>;  // probability of class 1, whether it is the label

/// Mann–Whitney: the share of (positive, negative) pairs in the right order, equal scores counted half. It is
/// the sum of the positives' ranks, less the smallest that sum could be.
std::optional<double> area_under_curve(std::vector<Scored> scored) {
  std::sort(scored.begin(), scored.end());
  double positives = 0, rank_sum = 0;
  for (std::size_t begin = 0, end = 0; begin < scored.size(); begin = end) {
    double tied_positives = 0;
    for (; end < scored.size() && scored[end].first == scored[begin].first; ++end) {
      tied_positives += scored[end].second ? 1 : 0;
    }
    rank_sum += tied_positives * 0.5 * static_cast<double>(begin + 1 + end);  // ranks begin+1 … end
    positives += tied_positives;
  }
  const double negatives = static_cast<double>(scored.size()) - positives;
  if (positives == 0 || negatives == 0) return std::nullopt;
  return (rank_sum - 0.5 * positives * (positives + 1)) / (positives * negatives);
}
}  // namespace

std::optional<Metrics> evaluate(std::span<const double> probabilities, int classes,
                                std::span<const std::int32_t> labels, std::span<const std::int32_t> rows) {
  assert(classes > 0 && probabilities.size() == labels.size() * static_cast<std::size_t>(classes));
  double count = 0, correct = 0, nll = 0;
  Bins calibration{};
  std::vector<Scored> scored;
  ConfusionMatrix confusion(classes);
  for (const auto row : rows) {
    assert(row >= 0 && static_cast<std::size_t>(row) < labels.size());
    const std::int32_t label = labels[row];
    if (label < 0) continue;
    assert(label < classes);
    const auto p = probabilities.subspan(static_cast<std::size_t>(row) * classes, classes);
    if (!std::all_of(p.begin(), p.end(), [](double value) { return std::isfinite(value); })) {
      throw NumericalError("the class probabilities of row " + std::to_string(row) + " are not finite; try " +
                           option("precision", "float64") + " or a larger " + option("jitter"));
    }
    const auto best = std::max_element(p.begin(), p.end());  // the first of equals
    const bool right = best - p.begin() == label;
    ++count;
    correct += right ? 1 : 0;
    ++confusion.at(label, static_cast<int>(best - p.begin()));
    nll -= std::log(std::max(p[label], smallest_probability));
    ReliabilityBin& bin = calibration[bin_of(*best)];
    ++bin.count;
    bin.confidence += *best;
    bin.correct += right ? 1 : 0;
    if (classes == 2) scored.emplace_back(p[1], label == 1);
  }
  if (count == 0) return std::nullopt;
  Metrics out;
  out.accuracy = 100 * correct / count;
  out.nll = nll / count;
  out.ece = calibration_error(calibration);
  for (int b = 0; b < bins; ++b) {
    calibration[b].bin = b;
    if (calibration[b].count > 0) out.reliability.push_back(calibration[b]);
  }
  out.confusion = std::move(confusion);
  if (classes == 2) out.auc = area_under_curve(std::move(scored));
  return out;
}

std::optional<double> pooled_ece(std::span<const Metrics* const> runs) {
  Bins all{};
  double count = 0;
  for (const Metrics* run : runs) {
    for (const ReliabilityBin& bin : run->reliability) {
      ReliabilityBin& to = all[std::clamp(bin.bin, 0, bins - 1)];
      to.count += bin.count;
      to.confidence += bin.confidence;
      to.correct += bin.correct;
      count += bin.count;
    }
  }
  if (count == 0) return std::nullopt;
  return calibration_error(all);
}

namespace {

/// The rows without a NaN among their targets, and the sum of each target over them.
struct KnownTargets {
  std::vector<std::size_t> rows;
  std::vector<double> sum;
};

template <class T>
KnownTargets known_targets(std::size_t k, std::span<const T> targets, std::span<const std::int32_t> rows) {
  KnownTargets out{{}, std::vector<double>(k, 0.0)};
  for (const auto row : rows) {
    const auto r = static_cast<std::size_t>(row);
    const T* y = targets.data() + r * k;
    if (std::any_of(y, y + k, [](T v) { return std::isnan(v); })) continue;
    out.rows.push_back(r);
    for (std::size_t c = 0; c < k; ++c) out.sum[c] += static_cast<double>(y[c]);
  }
  return out;
}

template <class T>
std::optional<Metrics> scores_of_numbers(std::span<const double> predictions, int targets_per_row,
                                         std::span<const T> targets, std::span<const std::int32_t> rows) {
  const auto k = static_cast<std::size_t>(targets_per_row);
  const auto [known, sum] = known_targets(k, targets, rows);
  if (known.empty()) return std::nullopt;
  const double count = static_cast<double>(known.size()) * static_cast<double>(k);
  double squared_error = 0, variation = 0, nll = 0;
  for (const auto r : known) {
    for (std::size_t c = 0; c < k; ++c) {
      const double y = static_cast<double>(targets[r * k + c]), mean = predictions[r * 2 * k + c],
                   deviation = predictions[r * 2 * k + k + c];
      if (!std::isfinite(mean) || !std::isfinite(deviation)) {
        throw NumericalError("a predicted number is not finite; try " + option("precision", "float64") +
                             " or a smaller " + option("lr"));
      }
      const double centre = sum[c] / static_cast<double>(known.size());
      squared_error += (y - mean) * (y - mean);
      variation += (y - centre) * (y - centre);
      const double scaled = (y - mean) / deviation;
      nll += 0.5 * scaled * scaled + std::log(deviation) + 0.5 * std::log(2 * std::acos(-1.0));
    }
  }
  Metrics out;
  out.accuracy = out.ece = std::nan("");
  out.nll = nll / count;
  out.r2 = variation > 0 ? 1 - squared_error / variation : std::nan("");
  out.rmse = std::sqrt(squared_error / count);
  return out;
}

}  // namespace

std::optional<Metrics> evaluate_numbers(std::span<const double> predictions, int targets_per_row,
                                        std::span<const float> targets, std::span<const std::int32_t> rows) {
  return scores_of_numbers(predictions, targets_per_row, targets, rows);
}
std::optional<Metrics> evaluate_numbers(std::span<const double> predictions, int targets_per_row,
                                        std::span<const double> targets, std::span<const std::int32_t> rows) {
  return scores_of_numbers(predictions, targets_per_row, targets, rows);
}

double mean_rmse(int targets_per_row, std::span<const float> targets,
                 std::span<const std::int32_t> train_rows, std::span<const std::int32_t> rows) {
  const auto k = static_cast<std::size_t>(targets_per_row);
  const auto train = known_targets(k, targets, train_rows), judged = known_targets(k, targets, rows);
  if (train.rows.empty() || judged.rows.empty()) return nan;
  double squares = 0;
  for (const auto r : judged.rows) {
    for (std::size_t c = 0; c < k; ++c) {
      const double away =
          static_cast<double>(targets[r * k + c]) - train.sum[c] / static_cast<double>(train.rows.size());
      squares += away * away;
    }
  }
  return std::sqrt(squares / (static_cast<double>(judged.rows.size()) * static_cast<double>(k)));
}

double majority_accuracy(std::span<const std::int32_t> labels, std::span<const std::int32_t> train_rows,
                         std::span<const std::int32_t> rows) {
  std::map<std::int32_t, std::int64_t> frequency;
  for (const auto row : train_rows) {
    if (labels[row] >= 0) ++frequency[labels[row]];
  }
  if (frequency.empty()) return nan;
  const auto majority =
      std::max_element(frequency.begin(), frequency.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->first;
  double count = 0, correct = 0;
  for (const auto row : rows) {
    count += labels[row] >= 0 ? 1 : 0;
    correct += labels[row] == majority ? 1 : 0;
  }
  return count > 0 ? 100 * correct / count : nan;
}

Summary mean_and_std(std::span<const double> values) {
  if (values.empty()) return {nan, nan, 0};
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0,
          static_cast<std::int64_t>(values.size())};
}

Summary summarise_runs(std::span<const RunValue> runs) {
  std::map<std::int64_t, std::vector<double>> by_split;
  for (const RunValue& run : runs) by_split[run.split].push_back(run.value);
  if (by_split.empty()) return mean_and_std({});
  if (by_split.size() == 1) return mean_and_std(by_split.begin()->second);
  std::vector<double> means;
  for (const auto& [split, values] : by_split) means.push_back(mean_and_std(values).mean);
  return mean_and_std(means);
}

}  // namespace gdkm
