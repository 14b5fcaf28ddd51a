#include "gdkm/experiments/tables/final_results.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/sweep/selection.hpp"

namespace gdkm {

namespace {

/// One candidate of a stage.
struct Candidate {
  CandidateRuns runs;
  std::vector<RunValue> nll;
  std::vector<Reliability> bins;
  std::vector<const StoredRun*> done;
};

using Stage = std::map<int, Candidate>;

/// Σ |confidence − accuracy| over the bins of all runs, by the share of predictions in them.
double pooled_ece(const std::vector<Reliability>& runs) {
  double error = 0, total = 0;
  for (std::size_t b = 0; b < Reliability{}.bins.size(); ++b) {
    double gap = 0;
    for (const Reliability& run : runs) {
      const auto& bin = run.bins[b];
      gap += static_cast<double>(bin.count) * (bin.confidence - bin.accuracy);
      total += static_cast<double>(bin.count);
    }
    error += std::abs(gap);
  }
  return total > 0 ? error / total : NAN;
}

std::optional<FinalResult> best_of(const Stage& stage) {
  std::vector<const Candidate*> candidates;
  std::vector<CandidateRuns> runs;
  for (const auto& [number, candidate] : stage) {
    candidates.push_back(&candidate);
    runs.push_back(candidate.runs);
  }
  const auto best = best_candidate(runs);
  if (!best) return std::nullopt;
  const Candidate& chosen = *candidates[*best];
  FinalResult out;
  out.val = summarise_runs(chosen.runs.val);
  out.test = summarise_runs(chosen.runs.test);
  out.nll = summarise_runs(chosen.nll);
  out.ece = pooled_ece(chosen.bins);
  out.runs = chosen.done;
  out.configuration = chosen.done.front()->configuration;
  return out;
}

}  // namespace

bool is_exact(const Configuration& configuration) {
  return configuration.option("exact") == "true";
}

bool is_sparse(const Configuration& configuration) {
  return !is_exact(configuration) && configuration.option("landmarks") != "true";
}

FinalResults::FinalResults(const Store& store, const std::vector<std::string>& sweeps) {
  const StageRecords records(store);
  datasets_ = records.datasets();
  stage_runs_ = records.stages(sweeps);
  for (StoredRun& run : store.runs()) {
    const bool regression = run.result && run.result->val && run.result->val->r2;
    if (!regression) runs_.emplace(run.id, std::move(run));
  }
  for (const StageRun& use : stage_runs_) {
    int& last = last_stage_[{use.sweep, use.study}];
    last = std::max(last, use.stage);
  }
}

bool FinalResults::is_done(const Study& study, const std::string& dataset, int stage) const {
  bool chosen = false, open = false;
  for (const StageRun& use : stage_runs_) {
    if (use.dataset != dataset || use.stage != stage || Study{use.sweep, use.study} != study) continue;
    chosen = chosen || use.chosen;
    const auto run = runs_.find(use.run);
    open = open || (run != runs_.end() &&
                    (run->second.status == RunStatus::pending || run->second.status == RunStatus::running));
  }
  return chosen || !open;
}

/// No stage follows on this data set, and either the stage has chosen its best settings or it is the last on
/// any data set and has no runs to do. A sweep that was stopped between two stages has no record of the next
/// one here, but on other data sets.
bool FinalResults::is_finished(const Study& study, const std::string& dataset, int stage) const {
  bool chosen = false;
  for (const StageRun& use : stage_runs_) {
    if (use.dataset != dataset || use.stage < stage || Study{use.sweep, use.study} != study) continue;
    if (use.stage > stage) return false;
    chosen = chosen || use.chosen;
  }
  return chosen || (stage == last_stage_.at(study) && is_done(study, dataset, stage));
}

std::optional<FinalResult> FinalResults::of(const std::string& dataset,
                                            const std::function<bool(const Configuration&)>& include,
                                            const std::function<bool(const FinalResult&)>& usable) const {
  std::map<Study, std::map<int, Stage>> studies;
  for (const StageRun& use : stage_runs_) {
    if (use.dataset != dataset) continue;
    const auto run = runs_.find(use.run);
    if (run == runs_.end() || !include(run->second.configuration)) continue;
    Candidate& candidate = studies[{use.sweep, use.study}][use.stage][use.candidate];
    const StoredRun& stored = run->second;
    candidate.runs.add(stored);
    if (stored.result && stored.result->test)
      candidate.nll.push_back(run_value(stored, stored.result->test->nll));
    if (stored.reliability) candidate.bins.push_back(stored.reliability->test);
    if (stored.val()) candidate.done.push_back(&stored);
  }
  std::optional<FinalResult> out;
  for (const auto& [study, stages] : studies) {
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
      auto result = best_of(stage->second);
      if (!result) continue;
      result->sweep = study.first;
      result->finished = is_finished(study, dataset, stage->first);
      const bool better = !out || (result->finished == out->finished
                                       ? comparable(result->val.mean) > comparable(out->val.mean)
                                       : result->finished);
      if (usable(*result) && better) out = std::move(result);
      break;
    }
  }
  return out;
}

}  // namespace gdkm
