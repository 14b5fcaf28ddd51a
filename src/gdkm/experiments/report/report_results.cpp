#include "gdkm/experiments/report/report_results.hpp"

#include <algorithm>

#include "gdkm/experiments/sweep/selection.hpp"

namespace gdkm {

namespace {

/// One stage of one study on one data set.
struct Stage {
  std::string name;
  std::map<int, nlohmann::json> varied;
  std::map<int, std::vector<std::int64_t>> runs;  // by candidate
};

struct Place {
  std::string sweep, study, dataset;
  bool operator==(const Place&) const = default;
};

std::optional<int> best_of(const Stage& stage, const ReportRuns& runs) {
  std::vector<CandidateRuns> candidates;
  std::vector<int> numbers;
  for (const auto& [number, members] : stage.runs) {
    CandidateRuns& candidate = candidates.emplace_back();
    numbers.push_back(number);
    for (const auto id : members) {
      const auto run = runs.find(id);
      if (run != runs.end()) candidate.add(run->second);
    }
  }
  const auto best = best_candidate(candidates);
  return best ? std::optional(numbers[*best]) : std::nullopt;
}

std::optional<Summary> test_summary(const std::vector<std::int64_t>& which, const ReportRuns& runs,
                                    double Metrics::*metric) {
  std::vector<RunResult> results;
  for (const auto id : which) results.push_back(*runs.at(id).result);
  return summarise(results, &RunResult::test, metric);
}

/// The mean weight of every relation in every layer; nothing if runs differ in what they mix with.
MixingWeights mean_mixing(const std::vector<std::int64_t>& which, const ReportRuns& runs) {
  MixingWeights out;
  for (const auto id : which) {
    const MixingWeights& each = runs.at(id).result->mixing;
    if (id == which.front()) {
      out = each;
      for (auto& layer : out.layers) std::fill(layer.begin(), layer.end(), 0.0);
    }
    if (each.names != out.names || each.layers.size() != out.layers.size()) return {};
    for (std::size_t l = 0; l < out.layers.size(); ++l) {
      for (std::size_t r = 0; r < out.layers[l].size(); ++r)
        out.layers[l][r] += each.layers[l][r] / static_cast<double>(which.size());
    }
  }
  return out;
}

std::optional<ReportResult> result_of(const Place& place, const std::map<int, Stage>& stages,
                                      const ReportRuns& runs) {
  ReportResult out;
  out.sweep = place.sweep;
  out.study = place.study;
  out.dataset = place.dataset;
  out.options = nlohmann::json::object();
  bool found = false;
  for (const auto& [number, stage] : stages) {
    const auto best = best_of(stage, runs);
    if (!best) break;
    found = true;
    out.stage = stage.name;
    out.options.update(stage.varied.at(*best));
    out.runs.clear();
    out.failed = 0;
    out.planned = static_cast<int>(stage.runs.at(*best).size());
    for (const auto id : stage.runs.at(*best)) {
      const auto run = runs.find(id);
      if (run == runs.end()) continue;
      if (run->second.status == RunStatus::failed) ++out.failed;
      if (run->second.val()) out.runs.push_back(id);
    }
  }
  if (!found) return std::nullopt;
  const StoredRun& first = runs.at(out.runs.front());
  out.model = first.configuration.model;
  out.regression = first.result->val->r2.has_value();
  out.chosen_by = score_name(*first.result, settings_of(first.configuration).training.select);
  out.val = *summarise_scores(out.runs, runs, &RunResult::val);
  out.test = summarise_scores(out.runs, runs, &RunResult::test);
  if (!out.regression) out.ece = test_summary(out.runs, runs, &Metrics::ece);
  out.nll = test_summary(out.runs, runs, &Metrics::nll);
  out.mixing = mean_mixing(out.runs, runs);
  return out;
}

}  // namespace

std::optional<Summary> summarise_scores(const std::vector<std::int64_t>& which, const ReportRuns& runs,
                                        std::optional<Metrics> RunResult::*part) {
  std::vector<RunValue> values;
  for (const auto id : which) {
    const StoredRun& run = runs.at(id);
    if (!run.result || !((*run.result).*part)) continue;
    values.push_back(run_value(run, ((*run.result).*part)->score()));
  }
  return values.empty() ? std::nullopt : std::optional(summarise_runs(values));
}

std::vector<ReportResult> report_results(const std::vector<StageRun>& stages, const ReportRuns& runs) {
  std::vector<std::pair<Place, std::map<int, Stage>>> places;
  for (const StageRun& each : stages) {
    const Place place{each.sweep, each.study, each.dataset};
    auto at =
        std::find_if(places.begin(), places.end(), [&](const auto& known) { return known.first == place; });
    if (at == places.end()) at = places.insert(places.end(), {place, {}});
    Stage& stage = at->second[each.stage];
    stage.name = each.stage_name;
    stage.varied[each.candidate] = each.varied;
    stage.runs[each.candidate].push_back(each.run);
  }
  std::vector<ReportResult> out;
  for (const auto& [place, its_stages] : places) {
    if (auto result = result_of(place, its_stages, runs)) out.push_back(std::move(*result));
  }
  return out;
}

}  // namespace gdkm
