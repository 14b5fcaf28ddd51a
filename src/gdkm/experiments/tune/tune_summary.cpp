#include "gdkm/experiments/tune/tune_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/score_difference.hpp"
#include "gdkm/settings/settings_json.hpp"

namespace gdkm {

namespace {

std::vector<RunValue> differences(const std::vector<RunValue>& of, const std::vector<RunValue>& against) {
  std::vector<RunValue> out;
  for (const RunValue& a : of) {
    for (const RunValue& b : against) {
      if (a.seed == b.seed && a.split == b.split) out.push_back({a.seed, a.split, a.value - b.value});
    }
  }
  return out;
}

PairedDifference mean_of(const std::vector<RunValue>& values, double overlap) {
  std::vector<double> numbers;
  std::set<std::int64_t> splits;
  for (const RunValue& each : values) {
    numbers.push_back(each.value);
    splits.insert(each.split);
  }
  const Summary summary = mean_and_std(numbers);
  return {summary.mean, values.size() == 1 ? 0 : error_of_mean(summary, splits.size(), overlap),
          static_cast<int>(values.size())};
}

/// Items of validation or test per training item, on average; NaN if no run counted them.
double overlap_of(const ContenderRuns& runs, std::optional<Metrics> RunResult::*part) {
  std::vector<double> shares;
  for (const RunResult& run : runs.runs) {
    const double share = items_per_training_item(run.*part, run);
    if (!std::isnan(share)) shares.push_back(share);
  }
  return mean_and_std(shares).mean;
}

/// The one option in which two contenders differ, if one of them does without it. Several relations have more
/// inducing points, which come with them.
std::optional<std::string> only_addition(const Contender& plain, Contender changed) {
  if (!plain.contains("relations") && changed.contains("relations") && !plain.contains("inducing"))
    changed.erase("inducing");
  std::optional<std::string> out;
  for (const auto& [key, value] : changed) {
    const auto at = plain.find(key);
    if (at != plain.end() && at->second == value) continue;
    const bool usual = at == plain.end() || (key == "model" && at->second == "dkm");
    if (out || !usual) return std::nullopt;
    out = key;
  }
  for (const auto& [key, value] : plain) {
    if (!changed.contains(key)) return std::nullopt;
  }
  return out;
}

std::string usual_value(const std::string& key) {
  const Option* known = find_option(key);
  return known == nullptr ? "dkm" : to_text(known->get(Settings{}));
}

/// Pairs of contenders that were trained alike and differ in one option.
void add_effects(const std::vector<ContenderRuns>& all, Select metric,
                 std::map<std::pair<std::string, std::string>, std::vector<RunValue>>& out) {
  for (const ContenderRuns& plain : all) {
    for (const ContenderRuns& changed : all) {
      const auto key = only_addition(plain.contender, changed.contender);
      if (!key) continue;
      const auto found = differences(validation_scores(changed, metric), validation_scores(plain, metric));
      auto& list = out[{*key, option_text(changed.contender.at(*key))}];
      list.insert(list.end(), found.begin(), found.end());
    }
  }
}

std::optional<Summary> summary_of(const std::vector<RunValue>& values) {
  return values.empty() ? std::nullopt : std::optional(summarise_runs(values));
}

std::vector<RunValue> values_of(const ContenderRuns& runs,
                                const std::function<std::optional<double>(const RunResult&)>& value) {
  std::vector<RunValue> out;
  for (const RunResult& run : runs.runs) {
    const auto found = value(run);
    if (found && std::isfinite(*found))
      out.push_back({static_cast<std::int64_t>(run.seed), run.split, *found});
  }
  return out;
}

}  // namespace

std::optional<PairedDifference> paired_difference(const std::vector<RunValue>& of,
                                                  const std::vector<RunValue>& against, double overlap) {
  const auto found = differences(of, against);
  return found.empty() ? std::nullopt : std::optional(mean_of(found, overlap));
}

std::vector<RunValue> validation_scores(const ContenderRuns& runs, Select metric) {
  return values_of(runs,
                   [&](const RunResult& run) { return run.val ? score_of(run, metric) : std::nullopt; });
}

std::vector<RunValue> test_scores(const ContenderRuns& runs, Select metric) {
  return values_of(runs, [&](RunResult run) -> std::optional<double> {
    if (!run.test) return std::nullopt;
    run.val = run.test;
    return score_of(run, metric);
  });
}

TuneSummary summarise(const TuneResult& result, Select metric) {
  TuneSummary out;
  const ContenderRuns& winner = result.runs_of(result.winner);
  const ContenderRuns& plain = result.runs_of(plain_default());
  const auto plain_val = validation_scores(plain, metric);
  const double val_overlap = overlap_of(plain, &RunResult::val),
               test_overlap = overlap_of(plain, &RunResult::test);
  for (const ContenderRuns& each : result.finalists) {
    const auto val = validation_scores(each, metric);
    const bool is_default = each.contender == plain_default();
    out.finalists.push_back({each.contender, summarise_runs(val),
                             is_default ? std::nullopt : paired_difference(val, plain_val, val_overlap),
                             static_cast<int>(each.runs.size()), each.contender == result.winner,
                             is_default});
    if (each.contender.at("model") == "gcn" && !(each.contender == result.winner)) {
      const auto gain = paired_difference(validation_scores(winner, metric), val, val_overlap);
      if (gain && (!out.gain_over_gcn || gain->mean < out.gain_over_gcn->mean)) out.gain_over_gcn = gain;
    }
  }
  std::stable_sort(out.finalists.begin(), out.finalists.end(),
                   [](const FinalistSummary& a, const FinalistSummary& b) {
                     return a.winner != b.winner ? a.winner : a.val.mean > b.val.mean;
                   });
  out.test = summary_of(test_scores(winner, metric));
  out.default_test = summary_of(test_scores(plain, metric));
  if (!(result.winner == plain_default()))
    out.test_gain = paired_difference(test_scores(winner, metric), test_scores(plain, metric), test_overlap);
  const auto of_test = [&](const auto& field) {
    return values_of(winner, [&](const RunResult& run) -> std::optional<double> {
      if (!run.test) return std::nullopt;
      return field(*run.test);
    });
  };
  out.nll = summary_of(of_test([](const Metrics& test) { return test.nll; }));
  out.ece = summary_of(of_test([](const Metrics& test) { return test.ece; }));
  const auto majority = values_of(winner, [](const RunResult& run) { return std::optional(run.majority); });
  out.majority = summary_of(majority);
  out.over_majority =
      paired_difference(of_test([](const Metrics& test) { return test.accuracy; }), majority, test_overlap);

  std::map<std::pair<std::string, std::string>, std::vector<RunValue>> effects;
  for (const bool full : {false, true}) {
    const auto all = contenders_of(
        result.stages, [&](const std::string& stage) { return is_screening_stage(stage) != full; });
    add_effects(all, metric, effects);
    for (const ContenderRuns& each : all) {
      out.settings += !full && !each.runs.empty() ? 1 : 0;
      out.runs += static_cast<int>(each.runs.size());
      out.failed += each.failed;
    }
  }
  for (const auto& [what, values] : effects) {
    if (!values.empty())
      out.effects.push_back({what.first, what.second, usual_value(what.first), mean_of(values, val_overlap)});
  }
  std::stable_sort(out.effects.begin(), out.effects.end(), [](const OptionEffect& a, const OptionEffect& b) {
    return a.difference.mean > b.difference.mean;
  });
  out.settings = std::max(out.settings, static_cast<int>(out.finalists.size()));
  return out;
}

std::string gain_text(const PairedDifference& gain, Select metric, bool regression) {
  const int decimals = metric == Select::accuracy && !regression ? 2 : 3;
  const double mean = metric == Select::nll ? -gain.mean : gain.mean;
  std::string out = fmt::format("{}{}", mean >= 0 ? "+" : "", number_text(mean, decimals));
  if (gain.pairs > 1 && !std::isnan(gain.error)) out += fmt::format(" ± {:.{}f}", gain.error, decimals);
  return out;
}

}  // namespace gdkm
