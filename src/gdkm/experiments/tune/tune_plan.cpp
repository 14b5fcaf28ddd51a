#include "gdkm/experiments/tune/tune_plan.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

namespace names = tune_stage;

/// Parts of the budget that are used up when a stage ends; refitting has the rest.
constexpr double mixing_until = 0.28, features_until = 0.38, sizes_until = 0.48, rounds_until = 0.52,
                 rematch_until = 0.62, finals_until = 0.84, test_until = 0.94;
constexpr int most_rounds = 3;    // of changes to features and sizes
constexpr std::size_t bases = 3;  // whose changes are tried
constexpr std::size_t most_in_rematch = 6, most_finalists = 4;
constexpr int most_repeats = 10, most_seeds = 5;
constexpr Index enough_val_items = 1000;  // on which a screening may judge

int count_of(const std::vector<StageOutcome>& stages, const std::string& name) {
  return static_cast<int>(std::count_if(stages.begin(), stages.end(),
                                        [&](const StageOutcome& each) { return each.name == name; }));
}

}  // namespace

bool is_screening_stage(const std::string& name) {
  return name == names::mixing || name == names::features || name == names::sizes;
}

CandidateRuns ContenderRuns::scores(Select metric) const {
  CandidateRuns out;
  out.failed = failed;
  for (const RunResult& run : runs) {
    const auto score = run.val ? score_of(run, metric) : std::nullopt;
    if (score) out.val.push_back({static_cast<std::int64_t>(run.seed), run.split, *score});
  }
  return out;
}

std::vector<ContenderRuns> contenders_of(const std::vector<StageOutcome>& stages,
                                         const std::function<bool(const std::string&)>& wanted) {
  std::vector<ContenderRuns> out;
  for (const StageOutcome& stage : stages) {
    if (!wanted(stage.name)) continue;
    for (const CandidateOutcome& candidate : stage.candidates) {
      auto known = std::find_if(out.begin(), out.end(), [&](const ContenderRuns& each) {
        return each.contender == candidate.varied;
      });
      if (known == out.end()) known = out.insert(out.end(), {candidate.varied, {}, 0});
      known->failed += candidate.failed;
      for (const RunResult& run : candidate.runs) {
        const bool again = std::any_of(known->runs.begin(), known->runs.end(), [&](const RunResult& each) {
          return each.seed == run.seed && each.split == run.split;
        });
        if (!again) known->runs.push_back(run);
      }
    }
  }
  return out;
}

namespace {

/// How a contender compares with another one that was run on at least as many splits.
struct Standing {
  double gain = 0;  // the mean difference on the seeds and splits that both have
  std::size_t pairs = 0;
  double nll = 0;  // of validation items

  bool is_better(const Standing& other) const {
    if (gain != other.gain) return gain > other.gain;
    return pairs != other.pairs ? pairs > other.pairs : nll < other.nll;
  }
};

Standing standing(const CandidateRuns& of, const CandidateRuns& against, const ContenderRuns& contender) {
  Standing out;
  for (const RunValue& a : of.val) {
    for (const RunValue& b : against.val) {
      if (a.seed != b.seed || a.split != b.split) continue;
      out.gain += a.value - b.value;
      ++out.pairs;
    }
  }
  out.gain = comparable(out.gain / static_cast<double>(std::max<std::size_t>(1, out.pairs)));
  for (const RunResult& run : contender.runs) {
    if (run.val) out.nll += run.val->nll / static_cast<double>(contender.runs.size());
  }
  out.nll = comparable(out.nll);
  return out;
}

}  // namespace

std::vector<Contender> leaders(const std::vector<ContenderRuns>& all, Select metric, std::size_t most) {
  std::vector<CandidateRuns> scores;
  for (const ContenderRuns& each : all) scores.push_back(each.scores(metric));
  const auto reference = std::max_element(
      scores.begin(), scores.end(), [](const auto& a, const auto& b) { return a.val.size() < b.val.size(); });
  if (reference == scores.end() || reference->val.empty()) return {};
  const auto had_its_turns = [&](const CandidateRuns& each) {  // before time ran out
    return 2 * each.val.size() >= reference->val.size();
  };
  const bool all_failed = std::all_of(scores.begin(), scores.end(), [&](const CandidateRuns& each) {
    return each.failed > 0 || !had_its_turns(each);
  });
  std::vector<std::pair<Standing, Contender>> ranked;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!had_its_turns(scores[c]) || (scores[c].failed > 0 && !all_failed)) continue;
    const Standing its = standing(scores[c], *reference, all[c]);
    if (its.pairs > 0) ranked.emplace_back(its, all[c].contender);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first.is_better(b.first); });
  std::vector<Contender> out;
  for (auto& [its, contender] : ranked) {
    if (out.size() < most) out.push_back(std::move(contender));
  }
  return out;
}

namespace {

/// People ask how a network of finite width compares.
void add_best_gcn(std::vector<ContenderRuns> all, Select metric, std::vector<Contender>& chosen) {
  std::erase_if(all, [](const ContenderRuns& each) { return each.contender.at("model") != "gcn"; });
  for (const Contender& gcn : leaders(all, metric, 1)) {
    if (std::find(chosen.begin(), chosen.end(), gcn) == chosen.end()) chosen.push_back(gcn);
  }
}

}  // namespace

TunePlan::TunePlan(TuneTask task, Select metric, RunOptions common, const TuneClock& clock, int jobs,
                   Cost cost)
    : task_(std::move(task)), metric_(metric), clock_(clock), jobs_(jobs), cost_(std::move(cost)) {
  spec_.scope.options = std::move(common);
}

StudySpec TunePlan::study(const std::string& dataset) {
  StudySpec out;
  out.name = name_of(metric_);
  out.model = "dkm";
  out.datasets = {dataset};
  out.select = metric_;
  out.next = [this](const std::vector<StageOutcome>& so_far) { return next(so_far); };
  return out;
}

double TunePlan::spent(const std::vector<StageOutcome>& so_far) const {
  double seconds = 0;
  for (const bool screened : {false, true}) {  // the same settings for few epochs are another run
    for (const ContenderRuns& each : contenders_of(
             so_far, [&](const std::string& name) { return is_screening_stage(name) == screened; })) {
      for (const RunResult& run : each.runs) seconds += run.seconds;
    }
  }
  return seconds / jobs_;
}

StagePlan TunePlan::plan_of(const StageSpec& stage) const {
  StudySpec study;
  study.model = "dkm";
  study.stages = {stage};
  study.next = [](const auto&) { return std::nullopt; };  // as that of the sweep
  return plan_stage(spec_, study, 0, task_.facts, {});
}

StageSpec TunePlan::stage_of(const std::string& name, const std::vector<Contender>& contenders,
                             bool screening) const {
  StageSpec out;
  out.name = name;
  if (screening) out.scope.options["epochs"] = screening_epochs;
  use(out, 1);
  const auto possible = [&](const Contender& contender) {
    StageSpec alone = out;
    alone.variants = {contender};
    try {
      const StagePlan plan = plan_of(alone);
      return !task_.new_graphs || !settings_of(plan.runs.at(0).configuration).belongs_to_graph();
    } catch (const InputError&) {
      return false;  // not on such data, or not together
    }
  };
  out.variants = {plain_default()};
  for (const Contender& each : contenders) {
    if (each != plain_default() && possible(each)) out.variants.push_back(each);
  }
  return out;
}

void TunePlan::use(StageSpec& stage, int repeats) const {
  stage.scope.splits = SplitChoice{std::min(repeats, task_.splits), {}};
  std::vector<std::uint64_t> seeds{0};
  const int more = task_.splits == 1 ? std::min(repeats, most_seeds) : 1;
  for (int k = 1; k < more; ++k) seeds.push_back(static_cast<std::uint64_t>(k));
  stage.scope.seeds = std::move(seeds);
}

constexpr int all_stay = std::numeric_limits<int>::max();

void TunePlan::fit_into(StageSpec& stage, double seconds, int least, int most, int stay) const {
  use(stage, least);
  const StagePlan first = plan_of(stage);
  std::vector<double> cost(first.candidates.size()), longest = cost;
  for (const auto& run : first.runs) {
    const auto c = static_cast<std::size_t>(run.candidate);
    const double its = cost_(run.configuration);
    cost[c] += its;
    longest[c] = std::max(longest[c], its);
  }
  std::vector<Contender> kept;
  double total = 0;
  for (std::size_t c = 0; c < cost.size(); ++c) {
    const bool too_long = longest[c] > seconds || total + cost[c] > seconds * jobs_;
    if (static_cast<int>(c) >= stay && cost[c] > 0 && too_long) continue;  // what is done costs nothing
    total += cost[c];
    kept.push_back(first.candidates[c].varied);
  }
  stage.variants = std::move(kept);
  const int possible = task_.splits == 1 ? most_seeds : task_.splits;
  for (int repeats = std::min(most, possible); repeats > least; --repeats) {
    use(stage, repeats);
    double all = 0;
    for (const auto& run : plan_of(stage).runs) all += cost_(run.configuration);
    if (all <= std::max(0.0, seconds * jobs_)) return;
  }
  use(stage, least);
}

StageSpec TunePlan::screening(const std::string& name, const std::vector<StageOutcome>& so_far,
                              const std::vector<Contender>& contenders, double until) {
  StageSpec out = stage_of(name, contenders, true);
  // Few validation items say little, so several splits share the judgement; all stages have the same.
  int repeats = static_cast<int>(enough_val_items / std::max<Index>(1, task_.val_items)) + 1;
  if (so_far.size() > 1) repeats = static_cast<int>(so_far[1].candidates.at(0).runs.size());
  if (task_.splits == 1) repeats = 1;  // the same validation items for every seed
  repeats = std::clamp(repeats, 1, 5);
  fit_into(out, until * clock_.budget - spent(so_far), (repeats + 1) / 2, repeats, 1);
  out.deadline = clock_.at(until);
  return out;
}

std::vector<Contender> TunePlan::changes_of(const std::vector<StageOutcome>& so_far,
                                            const std::string& stage) const {
  const auto pool = contenders_of(so_far, is_screening_stage);
  const auto best = leaders(pool, metric_, bases);
  std::vector<Contender> out = best;
  // Two changes to one base that both helped may help together.
  if (best.size() > 1 && best[0] != best[1]) out.push_back(combined(plain_default(), best[0], best[1]));
  if (best.size() > 2) out.push_back(combined(plain_default(), best[0], best[2]));
  for (const Contender& base : best) {
    const auto changed = stage == names::features ? feature_changes(task_, base) : size_changes(task_, base);
    out.insert(out.end(), changed.begin(), changed.end());
  }
  return out;
}

std::optional<StageSpec> TunePlan::after_sizes(const std::vector<StageOutcome>& so_far) {
  const int rounds = count_of(so_far, names::sizes);
  const std::vector<StageOutcome> before(so_far.begin(), so_far.end() - 2);
  const auto best = [&](const std::vector<StageOutcome>& stages) {
    return leaders(contenders_of(stages, is_screening_stage), metric_, 1);
  };
  if (rounds < most_rounds && spent(so_far) < 0.45 * clock_.budget && best(so_far) != best(before))
    return screening(names::features, so_far, changes_of(so_far, names::features), rounds_until);
  return rematch(so_far);
}

StageSpec TunePlan::rematch(const std::vector<StageOutcome>& so_far) {
  const auto screened = contenders_of(so_far, is_screening_stage);
  auto contenders = leaders(screened, metric_, most_in_rematch);
  add_best_gcn(screened, metric_, contenders);
  StageSpec out = stage_of(names::rematch, contenders, false);
  fit_into(out, rematch_until * clock_.budget - spent(so_far), 1, 5, 2);  // the leader stays, too
  out.deadline = clock_.at(rematch_until);
  return out;
}

double TunePlan::before_refit(const std::vector<ContenderRuns>& trained, const std::vector<Contender>& kept,
                              double until) const {
  double longest = 0;
  for (const ContenderRuns& each : trained) {
    if (std::find(kept.begin(), kept.end(), each.contender) == kept.end()) continue;
    for (const RunResult& run : each.runs) longest = std::max(longest, run.seconds);
  }
  return std::min(until, 1 - 1.3 * longest / clock_.budget);
}

StageSpec TunePlan::repeated(const std::string& name, const std::vector<StageOutcome>& so_far,
                             const std::vector<ContenderRuns>& trained, const std::vector<Contender>& kept,
                             double until) const {
  StageSpec out = stage_of(name, kept, false);
  const double end = before_refit(trained, kept, until);
  fit_into(out, end * clock_.budget - spent(so_far), 1, most_repeats, all_stay);
  out.deadline = clock_.at(end);
  return out;
}

StageSpec TunePlan::finals(const std::vector<StageOutcome>& so_far) {
  const auto trained =
      contenders_of(so_far, [](const std::string& name) { return !is_screening_stage(name); });
  auto finalists = leaders(trained, metric_, trained.size());
  std::erase(finalists, plain_default());
  finalists.resize(std::min(finalists.size(), most_finalists - 2));
  add_best_gcn(trained, metric_, finalists);
  return repeated(names::finals, so_far, trained, finalists, finals_until);
}

/// The winner and the default, on the splits that the final comparison had no time for.
std::optional<StageSpec> TunePlan::test(const std::vector<StageOutcome>& so_far) {
  const auto finalists = contenders_of(so_far, [](const std::string& name) { return name == names::finals; });
  const auto best = leaders(finalists, metric_, 1);
  if (best.empty()) return std::nullopt;
  return repeated(names::test, so_far, finalists, best, test_until);
}

std::optional<StageSpec> TunePlan::next(const std::vector<StageOutcome>& so_far) {
  if (so_far.empty()) return stage_of(names::start, reference_models(task_), false);
  const std::string& last = so_far.back().name;
  if (last == names::start) {
    auto contenders = reference_models(task_);
    const auto more = mixing_contenders(task_);
    contenders.insert(contenders.end(), more.begin(), more.end());
    return screening(names::mixing, so_far, contenders, mixing_until);
  }
  if (last == names::mixing)
    return screening(names::features, so_far, changes_of(so_far, names::features), features_until);
  if (last == names::features)
    return screening(names::sizes, so_far, changes_of(so_far, names::sizes),
                     count_of(so_far, names::features) > 1 ? rounds_until : sizes_until);
  if (last == names::sizes) return after_sizes(so_far);
  if (last == names::rematch) return finals(so_far);
  if (last == names::finals) return test(so_far);
  return std::nullopt;
}

}  // namespace gdkm
