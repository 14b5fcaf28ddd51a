#include "gdkm/experiments/figures/option_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/sweep/selection.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Key = std::pair<std::string, double>;   // second option, first option
using Groups = std::map<Key, CandidateRuns>;  // that differ in seed and split alone

/// The option's value as a number, ∞ included; nothing if it is a list or not a number.
std::optional<double> number_of(const Configuration& configuration, const std::string& option) {
  const std::string text = configuration.option(option);
  if (text == "inf") return INFINITY;
  double out = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (trouble != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

std::size_t done_runs(const Groups& groups) {
  std::size_t out = 0;
  for (const auto& [key, runs] : groups) out += runs.val.size();
  return out;
}

/// How much there is to see: values of the two options, then runs.
std::pair<std::size_t, std::size_t> extent(const Groups& groups) {
  const auto values = std::count_if(groups.begin(), groups.end(),
                                    [](const auto& group) { return !group.second.val.empty(); });
  return {static_cast<std::size_t>(values), done_runs(groups)};
}

/// What is left where all groups have the same seeds and splits: a later stage has more runs of some values.
/// A group with failed runs may have none of these, and is left out.
Groups on_common_runs(const Groups& groups) {
  std::vector<CandidateRuns> all;
  for (const auto& [key, runs] : groups) all.push_back(runs);
  keep_common(all);
  Groups out;
  auto cut = all.begin();
  for (const auto& [key, runs] : groups) {
    if (!cut->val.empty()) out.emplace(key, std::move(*cut));
    ++cut;
  }
  return out;
}

OptionCurves curves_of(const DatasetFacts& facts, const Groups& groups) {
  OptionCurves out{facts, {}, 0};
  std::vector<CandidateRuns> all;
  std::vector<std::vector<CandidateRuns>> by_line;
  std::vector<std::size_t> line_of;
  for (const auto& [key, runs] : groups) {
    all.push_back(runs);
    if (out.lines.empty() || out.lines.back().name != key.first) {
      out.lines.push_back({key.first, {}, 0});
      by_line.emplace_back();
    }
    out.lines.back().scores.push_back({key.second, summarise_runs(runs.val), summarise_runs(runs.test),
                                       static_cast<int>(runs.val.size()), runs.failed});
    by_line.back().push_back(runs);
    line_of.push_back(out.lines.size() - 1);
  }
  if (const auto best = best_candidate(all)) out.best = line_of[*best];
  for (std::size_t k = 0; k < out.lines.size(); ++k)
    out.lines[k].best = best_candidate(by_line[k]).value_or(0);
  return out;
}

/// `held` is what the runs in `groups` have in common.
std::vector<FixedKernel> fixed_beside(const std::string& dataset, const std::string& held,
                                      const Groups& groups, const std::vector<StoredRun>& runs) {
  std::set<int> splits;
  for (const auto& [key, candidate] : groups) {
    for (const RunValue& value : candidate.val) splits.insert(static_cast<int>(value.split));
  }
  std::vector<const StoredRun*> of_dataset;
  for (const StoredRun& run : runs) {
    if (run.configuration.dataset == dataset) of_dataset.push_back(&run);
  }
  return fixed_kernels(of_dataset, nlohmann::json::parse(held), splits);
}

}  // namespace

std::vector<OptionCurves> option_curves(const Store& store, const std::string& option,
                                        const std::string& second, const std::string& remedy,
                                        const std::vector<std::string>& sweeps) {
  const StageRecords records(store);
  std::set<std::int64_t> wanted;
  for (const StageRun& place : records.stages(sweeps)) {
    if (place.varied.contains(option)) wanted.insert(place.run);
  }
  // By data set and by what the settings are apart from the two options.
  std::map<std::string, std::map<std::string, Groups>> found;
  const std::vector<StoredRun> runs = store.runs();
  for (const StoredRun& run : runs) {
    if (run.configuration.model != "dkm") continue;
    const auto value = number_of(run.configuration, option);
    if (!wanted.contains(run.id) || !value) continue;
    if (run.result && run.result->val && run.result->val->r2) continue;
    auto rest = run.configuration.options;
    rest.erase(option);
    rest.erase(second);
    found[run.configuration.dataset][rest.dump()][{run.configuration.option(second), *value}].add(run);
  }
  std::vector<OptionCurves> out;
  for (const DatasetFacts& facts : records.datasets()) {
    const auto at = found.find(facts.name);
    if (facts.task != "node" || at == found.end()) continue;
    const auto most =
        std::max_element(at->second.begin(), at->second.end(),
                         [](const auto& a, const auto& b) { return extent(a.second) < extent(b.second); });
    if (done_runs(most->second) == 0) continue;
    const Groups common = on_common_runs(most->second);
    out.push_back(curves_of(facts, common));
    if (option == "nu") out.back().fixed = fixed_beside(facts.name, most->first, common, runs);
  }
  if (out.empty()) {
    throw InputError(
        fmt::format("{}: the store has no finished run of a stage that varies {} of a DKM of classes; run {}",
                    store.name(), option, remedy));
  }
  std::stable_sort(out.begin(), out.end(), [](const OptionCurves& a, const OptionCurves& b) {
    return more_homophilous(a.facts, b.facts);
  });
  return out;
}

ExportTable to_table(const std::vector<OptionCurves>& curves, const std::string& option,
                     const std::string& second) {
  ExportTable out;
  out.columns = {{"dataset"}, {"homophily"}, {second},     {"shown"}, {option},   {"val_mean"},
                 {"val_std"}, {"test_mean"}, {"test_std"}, {"runs"},  {"failed"}, {"fixed_kernel"}};
  for (const auto& dataset : curves) {
    for (std::size_t k = 0; k < dataset.lines.size(); ++k) {
      for (const auto& score : dataset.lines[k].scores) {
        out.add({dataset.facts.name, dataset.facts.homophily, dataset.lines[k].name, k == dataset.best,
                 nu_option(score.value), score.val.mean, score.val.std, score.test.mean, score.test.std,
                 score.runs, score.failed, ""});
      }
    }
    for (const FixedKernel& kernel : dataset.fixed) {
      out.add({dataset.facts.name, dataset.facts.homophily, "", true, "inf", kernel.val.mean, kernel.val.std,
               kernel.test.mean, kernel.test.std, kernel.runs.size(), 0, name_of(kernel.kind)});
    }
  }
  return out;
}

std::string to_text(const std::vector<OptionCurves>& curves, const std::string& option) {
  TextTable out({"data set", "homophily", option, "val %", "runs"});
  out.align_right({1, 2, 3, 4});
  for (const auto& dataset : curves) {
    for (const auto& score : dataset.lines[dataset.best].scores) {
      out.add({dataset.facts.name, fmt::format("{:.2f}", dataset.facts.homophily), nu_option(score.value),
               fmt::format("{:.1f} ± {:.1f}", score.val.mean, score.val.std), std::to_string(score.runs)});
    }
    for (const FixedKernel& kernel : dataset.fixed) {
      out.add({dataset.facts.name, fmt::format("{:.2f}", dataset.facts.homophily), name_of(kernel.kind),
               fmt::format("{:.1f} ± {:.1f}", kernel.val.mean, kernel.val.std),
               std::to_string(kernel.runs.size())});
    }
  }
  return out.text();
}

}  // namespace gdkm
