#include "gdkm/training/calibration.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace gdkm {

namespace {

constexpr double pi = 3.141592653589793;
constexpr double moderation_spread = 1;

/// What is believed before any label is seen.
struct Prior {
  double spread = 0.3;  // of log T
  double doubt = 0;     // the share of an item's label that may be any class
};

double factor_of(const Logits& logits, Index item, const Calibration& calibration) {
  const double variance = logits.variance.empty() ? 0 : logits.variance[static_cast<std::size_t>(item)];
  return 1 / (calibration.temperature * std::sqrt(1 + calibration.moderation * pi / 8 * variance));
}

/// −log posterior of t = log T and k = log κ, with its derivatives by (t, k). `bound` is the positive part of
/// the second derivative: the curvature along the softmax, and the prior.
struct Cost {
  double value = 0, slope[2] = {}, curvature[3] = {}, bound[3] = {};  // of matrices: tt, tk, kk
};

Cost cost(const Logits& logits, const std::vector<std::int32_t>& label,
          const std::vector<double>& class_weight, const Prior& prior, double t, double k) {
  Cost out;
  const double moderation = std::exp(k) * pi / 8, colder = std::exp(-t);
  for (Index item = 0; item < logits.items(); ++item) {
    const auto i = static_cast<std::size_t>(item);
    const double* mean = logits.mean.data() + item * logits.classes;
    const double part = logits.variance.empty() ? 0 : moderation * logits.variance[i];
    const double factor = colder / std::sqrt(1 + part), share = part / (1 + part);
    const double top = *std::max_element(mean, mean + logits.classes);
    double sum = 0, first = 0, second = 0, any = 0;
    for (Index c = 0; c < logits.classes; ++c) {
      const double below = mean[c] - top, p = std::exp(factor * below);
      any += below / static_cast<double>(logits.classes);
      sum += p;
      first += p * below;
      second += p * below * below;
    }
    first /= sum;
    const double own = (1 - prior.doubt) * (mean[label[i]] - top) + prior.doubt * any;
    const double weight = class_weight.empty() ? 1 : class_weight[static_cast<std::size_t>(label[i])];
    out.value += weight * (std::log(sum) - factor * own);
    // −log p is a convex function of the factor, which is −t and −½ share of itself further by t and k.
    const double slope = weight * factor * (first - own),
                 bend = weight * factor * factor * (second / sum - first * first);
    const double by_k = 0.5 * share;
    out.slope[0] -= slope;
    out.slope[1] -= by_k * slope;
    const double bends[] = {bend, by_k * bend, by_k * by_k * bend};
    const double slopes[] = {slope, by_k * slope, (by_k * by_k - by_k * (1 - share)) * slope};
    for (int e = 0; e < 3; ++e) {
      out.bound[e] += bends[e];
      out.curvature[e] += bends[e] + slopes[e];
    }
  }
  const double at[] = {t, k}, spread[] = {prior.spread, moderation_spread};
  for (int e = 0; e < 2; ++e) {
    const double precision = 1 / (spread[e] * spread[e]);
    out.value += 0.5 * precision * at[e] * at[e];
    out.slope[e] += precision * at[e];
    out.curvature[2 * e] += precision;
    out.bound[2 * e] += precision;
  }
  return out;
}

}  // namespace

Logits as_logits(std::vector<double> probabilities, Index classes) {
  for (double& p : probabilities) p = std::log(std::max(p, 1e-300));
  return {classes, std::move(probabilities), {}};
}

std::vector<double> class_probabilities(const Logits& logits, const Calibration& calibration) {
  std::vector<double> out(logits.mean.size());
  for (Index item = 0; item < logits.items(); ++item) {
    const double* mean = logits.mean.data() + item * logits.classes;
    double* p = out.data() + item * logits.classes;
    const double factor = factor_of(logits, item, calibration);
    const double top = *std::max_element(mean, mean + logits.classes);
    double sum = 0;
    for (Index c = 0; c < logits.classes; ++c) sum += p[c] = std::exp(factor * (mean[c] - top));
    for (Index c = 0; c < logits.classes; ++c) p[c] /= sum;
  }
  return out;
}

double mean_nll(const Logits& logits, const std::vector<std::int32_t>& label,
                const Calibration& calibration) {
  assert(static_cast<Index>(label.size()) == logits.items());
  double total = 0;
  for (Index item = 0; item < logits.items(); ++item) {
    const double* mean = logits.mean.data() + item * logits.classes;
    const double factor = factor_of(logits, item, calibration);
    const double top = *std::max_element(mean, mean + logits.classes);
    double sum = 0;
    for (Index c = 0; c < logits.classes; ++c) sum += std::exp(factor * (mean[c] - top));
    total += std::log(sum) - factor * (mean[label[static_cast<std::size_t>(item)]] - top);
  }
  return total / static_cast<double>(label.size());
}

namespace {

Calibration calibrate(const Logits& logits, const std::vector<std::int32_t>& label, Calibration start,
                      const std::vector<double>& class_weight, const Prior& prior) {
  if (label.empty()) return {};
  double t = std::log(start.temperature), k = logits.variance.empty() ? 0 : std::log(start.moderation);
  Cost now = cost(logits, label, class_weight, prior, t, k);
  if (t != 0 || k != 0) {
    if (const Cost plain = cost(logits, label, class_weight, prior, 0, 0); plain.value < now.value) {
      now = plain;
      t = k = 0;
    }
  }
  // Newton's method, with the bound where the curvature is not positive, and shorter steps where one does not
  // pay. Without variances the slope by k is that of the prior, which is 0 there.
  for (int round = 0; round < 50; ++round) {
    const double* h = now.curvature;
    if (!(h[0] > 0 && h[0] * h[2] > h[1] * h[1])) h = now.bound;
    const double determinant = h[0] * h[2] - h[1] * h[1];
    const double dt = -(h[2] * now.slope[0] - h[1] * now.slope[1]) / determinant,
                 dk = -(h[0] * now.slope[1] - h[1] * now.slope[0]) / determinant;
    const double gain = -0.5 * (now.slope[0] * dt + now.slope[1] * dk);  // as a parabola would
    if (!(gain > 1e-3)) break;
    double length = std::min(1.0, 2 / std::max(std::abs(dt), std::abs(dk)));
    Cost there = cost(logits, label, class_weight, prior, t + length * dt, k + length * dk);
    while (!(there.value < now.value) && length > 1e-3) {
      length /= 4;
      there = cost(logits, label, class_weight, prior, t + length * dt, k + length * dk);
    }
    if (!(there.value < now.value)) break;
    t += length * dt;
    k += length * dk;
    now = there;
  }
  return {std::exp(t), std::exp(k)};
}

}  // namespace

Calibration calibrate(const Logits& logits, const std::vector<std::int32_t>& label, Calibration start,
                      const std::vector<double>& class_weight) {
  return calibrate(logits, label, start, class_weight, Prior());
}

Calibration calibrate(const std::vector<double>& probabilities, Index classes,
                      const std::vector<std::int32_t>& label, const std::vector<std::int32_t>& items) {
  std::vector<double> rows;
  std::vector<std::int32_t> of_rows;
  for (const auto item : items) {
    const auto first = probabilities.begin() + static_cast<std::ptrdiff_t>(item * classes);
    rows.insert(rows.end(), first, first + classes);
    of_rows.push_back(label[static_cast<std::size_t>(item)]);
  }
  const Prior prior{1, 1 / (static_cast<double>(items.size()) + 2)};
  return calibrate(as_logits(std::move(rows), classes), of_rows, {}, {}, prior);
}

std::vector<double> calibrated(std::vector<double> probabilities, Index classes,
                               const Calibration& calibration) {
  return class_probabilities(as_logits(std::move(probabilities), classes), calibration);
}

// −log posterior of t = log T, with z the standardised residuals: n t + ½ e^(−2t) Σz² + ½ (t / spread)²,
// which is convex.
Calibration calibrate_numbers(const std::vector<double>& predictions, int targets,
                              const std::vector<float>& observed) {
  constexpr double spread = 1, smallest = 1e-12;
  const auto k = static_cast<std::size_t>(targets);
  double n = 0, squares = 0;
  for (std::size_t j = 0; j < observed.size(); ++j) {
    const double* row = predictions.data() + j / k * 2 * k;
    const double z = (static_cast<double>(observed[j]) - row[j % k]) / row[k + j % k];
    if (!std::isfinite(z)) continue;
    n += 1;
    squares += z * z;
  }
  if (n == 0) return {};
  squares = std::max(squares, smallest * n);  // of targets that are met exactly
  double t = 0.5 * std::log(squares / n);
  for (int round = 0; round < 50; ++round) {
    const double part = squares * std::exp(-2 * t),
                 step = (n - part + t / (spread * spread)) / (2 * part + 1 / (spread * spread));
    t -= std::clamp(step, -1.0, 1.0);
    if (std::abs(step) < 1e-9) break;
  }
  return {std::exp(t), 1};
}

std::vector<double> calibrated_numbers(std::vector<double> predictions, int targets,
                                       const Calibration& calibration) {
  const auto k = static_cast<std::size_t>(targets);
  for (std::size_t first = 0; first < predictions.size(); first += 2 * k) {
    for (std::size_t c = 0; c < k; ++c) predictions[first + k + c] *= calibration.temperature;
  }
  return predictions;
}

}  // namespace gdkm
