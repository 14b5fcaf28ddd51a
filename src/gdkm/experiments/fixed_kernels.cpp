#include "gdkm/experiments/fixed_kernels.hpp"

#include <algorithm>
#include <map>

#include "gdkm/experiments/sweep/selection.hpp"

namespace gdkm {

namespace {

using Kind = FixedKernel::Kind;

std::optional<Kind> kind_of(const Configuration& configuration) {
  const auto is_on = [&](const char* flag) { return configuration.option(flag) == "true"; };
  if (configuration.option("nu") != "inf") return std::nullopt;
  if (is_on("exact")) {
    const bool gcn = configuration.model == "nngp" && configuration.option("network") == "gcn";
    return gcn ? std::optional(Kind::exact) : std::nullopt;
  }
  if (is_on("landmarks")) return Kind::landmarks;
  return is_on("fixed_inducing") ? std::optional(Kind::fixed_inducing) : std::nullopt;
}

/// Whether options that both have are the same, apart from those that a curve varies and that make a kernel
/// a fixed one. Exact kernels and landmarks are not trained: inference says whether they are calibrated.
bool agree(const nlohmann::json& options, const nlohmann::json& held) {
  static const std::set<std::string> differ{"nu", "scheme", "exact", "landmarks", "fixed_inducing"};
  const bool trained = options.value("fixed_inducing", false);
  return std::all_of(held.items().begin(), held.items().end(), [&](const auto& option) {
    const auto at = options.find(option.key());
    const bool may_differ = differ.contains(option.key()) || (option.key() == "inference" && !trained);
    return at == options.end() || may_differ || *at == option.value();
  });
}

struct Candidate {
  CandidateRuns scores;
  std::vector<std::int64_t> runs;
  std::set<int> splits;
};

}  // namespace

std::vector<FixedKernel> fixed_kernels(const std::vector<const StoredRun*>& runs, const nlohmann::json& held,
                                       const std::set<int>& splits) {
  std::map<Kind, std::map<std::string, Candidate>> found;  // by what the settings are
  for (const StoredRun* run : runs) {
    const Configuration& configuration = run->configuration;
    const auto kind = kind_of(configuration);
    if (!kind || !run->val() || !run->test() || !splits.contains(configuration.split)) continue;
    const bool is_the_curve = *kind == Kind::fixed_inducing && held.value("fixed_inducing", false);
    if (is_the_curve || !agree(configuration.options, held)) continue;
    Candidate& candidate = found[*kind][configuration.options.dump()];
    candidate.scores.add(*run);
    candidate.runs.push_back(run->id);
    candidate.splits.insert(configuration.split);
  }
  std::vector<FixedKernel> out;
  for (const auto& [kind, settings] : found) {
    std::vector<CandidateRuns> scores;
    std::vector<const Candidate*> complete;
    for (const auto& [options, candidate] : settings) {
      if (candidate.splits != splits) continue;
      scores.push_back(candidate.scores);
      complete.push_back(&candidate);
    }
    const auto best = best_candidate(scores);
    if (!best) continue;
    const Candidate& chosen = *complete[*best];
    out.push_back({kind, summarise_runs(chosen.scores.val), summarise_runs(chosen.scores.test), chosen.runs});
  }
  return out;
}

}  // namespace gdkm
