#include "gdkm/experiments/tune/tune_cost.hpp"

#include <algorithm>

#include "gdkm/experiments/sweep/run_cost.hpp"

namespace gdkm {

namespace {

constexpr double guessed_rate = 1 / 25e9, guessed_epochs = 150, usual_epochs = 300;

double median(const std::vector<double>& sorted) {
  return sorted[sorted.size() / 2];
}

}  // namespace

double TuneCost::operations(const Configuration& c, double epochs) const {
  Configuration counted = c;
  counted.options["epochs"] = epochs;
  return run_flops(counted, facts_);
}

TuneCost::TuneCost(const std::vector<StoredRun>& finished, const DatasetFacts& facts) : facts_(facts) {
  for (const StoredRun& run : finished) {
    const Configuration& c = run.configuration;
    if (c.dataset != facts.name || c.data != facts.fingerprint) continue;
    const bool ended = run.status == RunStatus::done || run.status == RunStatus::failed;
    if (ended) ended_[run.hash] = true;
    if (!run.result || !(run.result->seconds > 0)) continue;
    const double epochs = run.result->epochs;
    rates_[cost_kind(c)].push_back(run.result->seconds / operations(c, epochs));
    if (c.options.value("epochs", 0.0) >= usual_epochs) lengths_[cost_kind(c)].push_back(epochs);
  }
  for (auto* values : {&rates_, &lengths_}) {
    for (auto& [kind, each] : *values) std::sort(each.begin(), each.end());
  }
}

double TuneCost::seconds(const Configuration& c) const {
  const auto rate = rates_.find(cost_kind(c));
  const auto length = lengths_.find(cost_kind(c));
  const double until_end = length == lengths_.end() ? guessed_epochs : median(length->second);
  const double epochs = std::min(c.options.value("epochs", 1.0), until_end);
  return operations(c, epochs) * (rate == rates_.end() ? guessed_rate : median(rate->second));
}

double TuneCost::seconds_left(const Configuration& c) const {
  return ended_.contains(c.hash()) ? 0 : seconds(c);
}

}  // namespace gdkm
