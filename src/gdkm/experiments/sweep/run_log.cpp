#include "gdkm/experiments/sweep/run_log.hpp"

#include "gdkm/experiments/sweep/option_effect.hpp"
#include "gdkm/experiments/sweep/stage_plan.hpp"
#include "gdkm/store/run_options.hpp"

namespace gdkm {

namespace {

Reliability reliability_of(const std::optional<Metrics>& metrics) {
  Reliability out;
  if (!metrics) return out;
  for (const ReliabilityBin& bin : metrics->reliability) {
    if (bin.count > 0)
      out.bins.at(static_cast<std::size_t>(bin.bin)) = {static_cast<std::int64_t>(bin.count),
                                                        bin.confidence / bin.count, bin.correct / bin.count};
  }
  return out;
}

}  // namespace

RunLog::RunLog(const StoreLocation& store, const std::string& name, const Dataset& dataset,
               const Settings& settings)
    : store_(Store::open_or_create(store)), queue_(store_), environment_(describe_environment()) {
  const DatasetFacts facts = facts_of(name, dataset);
  StageRecords(store_).record(facts);
  configuration_ = {
      name, facts.fingerprint, name_of(settings.model), effective_options(settings, kind_of(facts)), 0, 0};
  environment_.threads = settings.device.threads;
}

void RunLog::add(const RunResult& run, const std::vector<double>& losses) {
  Configuration configuration = configuration_;
  configuration.seed = run.seed;
  configuration.split = run.split;
  const std::int64_t id = queue_.add(configuration);
  if (!queue_.claim(id)) {
    ++known_;
    return;
  }
  RunOutcome outcome;
  outcome.result = run;
  outcome.environment = environment_;
  for (std::size_t k = 0; k < losses.size(); ++k)
    outcome.curve.push_back({static_cast<int>(k) + 1, losses[k], std::nullopt});
  if (run.train && !run.train->r2)
    outcome.reliability = RunReliability{reliability_of(run.val), reliability_of(run.test)};
  queue_.finish(id, outcome);
}

}  // namespace gdkm
