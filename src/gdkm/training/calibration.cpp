#include "gdkm/training/calibration.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace gdkm {

namespace {

constexpr double pi = 3.141592653589793;
constexpr double temperature_spread = 0.3, moderation_spread = 1;

double factor_of(const Logits& logits, Index item, const Calibration& calibration) {
  const double variance = logits.variance.empty() ? 0 : logits.variance[static_cast<std::size_t>(item)];
  return 1 / (calibration.temperature * std::sqrt(1 + calibration.moderation * pi / 8 * variance));
}

/// −log posterior of T and κ.
double cost(const Logits& logits, const std::vector<std::int32_t>& label, const Calibration& calibration) {
  const double t = std::log(calibration.temperature) / temperature_spread,
               k = std::log(calibration.moderation) / moderation_spread;
  return static_cast<double>(label.size()) * mean_nll(logits, label, calibration) + 0.5 * (t * t + k * k);
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

Calibration calibrate(const Logits& logits, const std::vector<std::int32_t>& label, Calibration start) {
  if (label.empty()) return {};
  const bool has_variance = !logits.variance.empty();
  const auto at = [](double log_t, double log_k) { return Calibration{std::exp(log_t), std::exp(log_k)}; };
  double t = std::log(start.temperature), k = has_variance ? std::log(start.moderation) : 0;
  double best = cost(logits, label, at(t, k));
  if (const double plain = cost(logits, label, {}); plain < best) {
    best = plain;
    t = k = 0;
  }
  // A compass search: the cost is smooth and has two arguments.
  for (double step = 1; step > 0.01;) {
    bool better = false;
    for (const auto& [dt, dk] : {std::pair{step, 0.0}, {-step, 0.0}, {0.0, 2 * step}, {0.0, -2 * step}}) {
      if (dk != 0 && !has_variance) continue;
      const double there = cost(logits, label, at(t + dt, k + dk));
      if (!(there < best)) continue;
      best = there;
      t += dt;
      k += dk;
      better = true;
    }
    if (!better) step /= 2;
  }
  return at(t, k);
}

}  // namespace gdkm
