#include "gdkm/experiments/tables/final_results.hpp"

#include "gdkm/experiments/sweep/selection.hpp"

namespace gdkm {

namespace {

/// One candidate of a stage.
struct Candidate {
  CandidateRuns runs;
  const Configuration* configuration = nullptr;  // of the first run that is done
};

using Stage = std::map<int, Candidate>;

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
  return FinalResult{summarise_runs(chosen.runs.val), summarise_runs(chosen.runs.test),
                     static_cast<int>(chosen.runs.val.size()), *chosen.configuration};
}

}  // namespace

FinalResults::FinalResults(const Store& store) {
  const StageRecords records(store);
  datasets_ = records.datasets();
  stage_runs_ = records.stages();
  for (StoredRun& run : store.runs()) {
    const bool regression = run.result && run.result->val && run.result->val->r2;
    if (!regression) runs_.emplace(run.id, std::move(run));
  }
}

std::optional<FinalResult> FinalResults::of(const std::string& dataset,
                                            const std::function<bool(const Configuration&)>& include) const {
  std::map<std::pair<std::string, std::string>, std::map<int, Stage>> studies;  // by sweep and study
  for (const StageRun& use : stage_runs_) {
    if (use.dataset != dataset) continue;
    const auto run = runs_.find(use.run);
    if (run == runs_.end() || !include(run->second.configuration)) continue;
    Candidate& candidate = studies[{use.sweep, use.study}][use.stage][use.candidate];
    candidate.runs.add(run->second);
    if (!candidate.configuration && run->second.val()) candidate.configuration = &run->second.configuration;
  }
  std::optional<FinalResult> out;
  for (const auto& [name, stages] : studies) {
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
      auto result = best_of(stage->second);
      if (!result) continue;
      if (!out || result->val.mean > out->val.mean) out = std::move(result);
      break;
    }
  }
  return out;
}

}  // namespace gdkm
