#include "gdkm/experiments/confidence.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

#include "gdkm/support/random.hpp"

namespace gdkm {

namespace {

/// Ranks from 0; equal numbers share the mean of theirs.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<double> out(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t k = begin; k < end; ++k) out[order[k]] = 0.5 * static_cast<double>(begin + end - 1);
    begin = end;
  }
  return out;
}

double correlation(std::span<const double> x, std::span<const double> y) {
  const auto count = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / count;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += (x[k] - mean_x) * (y[k] - mean_y);
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    yy += (y[k] - mean_y) * (y[k] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : NAN;
}

double spearman(std::span<const double> x, std::span<const double> y) {
  return correlation(ranks_of(x), ranks_of(y));
}

}  // namespace

double student(double freedom) {
  constexpr double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
  if (freedom <= static_cast<double>(std::size(t)))
    return t[static_cast<std::size_t>(std::max(1.0, freedom)) - 1];
  // Beyond the table, the expansion around the normal quantile is right to three digits.
  return 1.96 + 2.372 / freedom + 2.82 / (freedom * freedom);
}

RankCorrelation rank_correlation(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  if (x.size() < 6) return {NAN, NAN, NAN};
  constexpr int samples = 10000;
  std::vector<double> drawn, at_x(x.size()), at_y(x.size());
  for (int sample = 0; sample < samples; ++sample) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto block = random_block({0, Purpose::shuffle, static_cast<std::uint32_t>(sample)}, k);
      const std::size_t pick = block.v[0] % x.size();
      at_x[k] = x[pick];
      at_y[k] = y[pick];
    }
    const double value = spearman(at_x, at_y);
    if (!std::isnan(value)) drawn.push_back(value);
  }
  if (drawn.empty()) return {NAN, NAN, NAN};  // numbers that are all equal have no order
  std::sort(drawn.begin(), drawn.end());
  const auto at = [&](double share) {
    return drawn[static_cast<std::size_t>(share * static_cast<double>(drawn.size() - 1))];
  };
  return {spearman(x, y), at(0.025), at(0.975)};
}

SignedRankTest signed_rank_test(std::span<const double> differences) {
  constexpr double steps =
      1e9;  // differences of accuracies are whole multiples of one item, but for rounding
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double given : differences) {
    const double difference = std::round(given * steps) / steps;
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    positive.push_back(difference > 0);
  }
  if (sizes.empty()) return {NAN, 0};
  // Twice a rank is a whole number, also where two share one.
  std::vector<std::size_t> ranks;
  for (const double rank : ranks_of(sizes))
    ranks.push_back(static_cast<std::size_t>(std::lround(2 * rank + 2)));
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::size_t ours = 0;
  std::vector<double> chance(total + 1);  // of each sum of the positive ranks
  chance[0] = 1;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    if (positive[k]) ours += ranks[k];
    for (std::size_t sum = total + 1; sum-- > 0;)
      chance[sum] = 0.5 * (chance[sum] + (sum >= ranks[k] ? chance[sum - ranks[k]] : 0));
  }
  const std::size_t smaller = std::min(ours, total - ours);
  const double tail =
      std::accumulate(chance.begin(), chance.begin() + static_cast<std::ptrdiff_t>(smaller) + 1, 0.0);
  return {std::min(1.0, 2 * tail), sizes.size()};
}

}  // namespace gdkm
