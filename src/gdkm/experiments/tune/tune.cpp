#include "gdkm/experiments/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/sweep/sweep_view.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/terminal.hpp"

namespace gdkm {

namespace {

constexpr int drawn_splits = 10;  // where the data has none
constexpr const char* sweep_name = "tune";

bool is_full(const std::string& stage) {
  return !is_screening_stage(stage);
}

/// Labelled items of a part.
Index labelled_items(const std::vector<std::int32_t>& part, const Dataset& dataset) {
  return std::count_if(part.begin(), part.end(), [&](auto item) { return dataset.label[item] >= 0; });
}

void check_data(const Dataset& dataset, const Split& split, Select metric) {
  const char* items = dataset.task == Task::graph ? "graphs" : "nodes";
  if (labelled_items(split.val, dataset) == 0)
    throw InputError(
        fmt::format("{}: the first split has no validation {}, and settings are chosen by these; "
                    "draw splits that have some with {}",
                    dataset.name, items, option("split", "60/20/20")));
  if (dataset.is_regression()) {
    if (metric == Select::auc)
      throw OptionError("metric", name_of(metric), dataset.name + " has numbers to predict, not classes",
                        "leave it out");
    return;
  }
  std::set<std::int32_t> classes;
  for (const auto item : split.train) classes.insert(dataset.label[item]);
  classes.erase(-1);
  if (classes.size() < 2)
    throw InputError(
        fmt::format("{}: all {} to train on have the same class, so that there is nothing to "
                    "learn; label some of another class",
                    dataset.name, items));
  if (metric == Select::auc && dataset.classes != 2)
    throw OptionError("metric", name_of(metric),
                      fmt::format("it is for two classes, and {} has {}", dataset.name, dataset.classes),
                      "use accuracy or nll");
}

}  // namespace

std::string contender_text(const Contender& contender) {
  Contender rest = contender;
  rest.erase("model");
  const std::string options = options_text(rest);
  return contender.at("model").get<std::string>() + (options.empty() ? "" : " " + options);
}

bool can_be_saved(const Contender& contender) {
  const auto exact = contender.find("exact");
  return exact == contender.end() || exact->second != true;
}

const ContenderRuns& TuneResult::runs_of(const Contender& contender) const {
  return *std::find_if(finalists.begin(), finalists.end(),
                       [&](const ContenderRuns& each) { return each.contender == contender; });
}

TuneTask Tune::task_of(const Dataset& dataset, const TuneOptions& options) {
  const Settings settings = run_settings("dkm", options.common, gdkm::kind_of(dataset));
  const Split first = choose_split(settings.split, 0, dataset);
  check_data(dataset, first, options.metric);
  TuneTask out;
  out.facts = facts_of(options.data, dataset);
  out.regression = dataset.is_regression();
  out.directed = dataset.graph.directed;
  out.typed = dataset.graph.types() > 1;
  const auto own = out.facts.splits.find(settings.split.set);
  out.splits =
      settings.split.random || own == out.facts.splits.end() ? drawn_splits : static_cast<int>(own->second);
  out.val_items = labelled_items(first.val, dataset);
  out.new_graphs = options.new_graphs;
  return out;
}

/// Runs with another metric or other splits say nothing here, and cost this search nothing.
bool Tune::is_of_this(const StoredRun& run) const {
  return std::all_of(options_.common.begin(), options_.common.end(), [&](const auto& option) {
    const auto& options = run.configuration.options;
    const auto at = options.find(option.first);
    return at == options.end() || *at == check_option(option.first, option.second);
  });
}

double Tune::seconds_used() const {
  const Store store = Store::open_or_create(options_.sweep.store);
  std::set<std::int64_t> counted;
  double out = 0;
  for (const StageRun& place : StageRecords(store).stages(sweep_name)) {
    if (place.dataset != task_.facts.name || !counted.insert(place.run).second) continue;
    const auto run = store.run(place.run);
    if (run && run->result && run->configuration.data == task_.facts.fingerprint && is_of_this(*run))
      out += run->result->seconds;
  }
  return out / options_.sweep.jobs;
}

Tune::Tune(const Dataset& dataset, const TuneOptions& options, const SweepObserver& observer)
    : options_(options), observer_(observer), task_(task_of(dataset, options)) {
  options_.common["select"] = name_of(options.metric);
  options_.sweep.known[options.data] = task_.facts;
  clock_.budget = options.budget;
  clock_.used = seconds_used();
  plan_ = std::make_unique<TunePlan>(task_, options.metric, options_.common, clock_, options_.sweep.jobs,
                                     [this](const Configuration& c) { return cost_->seconds_left(c); });
  StudySpec study = plan_->study(options.data);
  study.next = [this](const std::vector<StageOutcome>& so_far) {
    cost_.emplace(Store::open(options_.sweep.store).runs(), task_.facts);
    if (!so_far.empty()) observer_.message(stage_text(so_far.back()));
    return plan_->next(so_far);
  };
  spec_.name = sweep_name;
  spec_.path = options.data;
  spec_.scope.options = options_.common;
  spec_.studies = {std::move(study)};
  inner_ = observer_;
  inner_.interrupted = [this] { return observer_.interrupted() || (has_answer() && clock_.left() <= 0); };
  inner_.progress = [this](const SweepState&) { observer_.progress(state()); };
  sweep_ = std::make_unique<Sweep>(spec_, options_.sweep, inner_);
}

bool Tune::has_answer() const {
  if (!sweep_) return false;  // which is being made
  const StageChain& chain = *sweep_->chains().front();
  return chain.stage() > 0 || chain.finished();
}

bool Tune::run() {
  complete_ = sweep_->run();
  return complete_ || (has_answer() && !observer_.interrupted());
}

SweepState Tune::state() const {
  SweepState out = sweep_->state();
  out.seconds_left = std::max(0.0, clock_.left());
  return out;
}

std::string Tune::stage_text(const StageOutcome& stage) const {
  auto all = contenders_of({stage}, [](const std::string&) { return true; });
  std::erase_if(all, [](const ContenderRuns& each) { return each.runs.empty(); });
  const auto best = leaders(all, options_.metric, 1);
  const std::string left = duration_text(std::max(0.0, clock_.left())) + " left";
  if (best.empty()) return fmt::format("{}: no time for it, {}", stage.name, left);
  const auto leader = std::find_if(all.begin(), all.end(),
                                   [&](const ContenderRuns& each) { return each.contender == best[0]; });
  const auto score = summarise_runs(leader->scores(options_.metric).val);
  return fmt::format("{}: {} setting{}, best {} by {}, {}", stage.name, all.size(),
                     all.size() == 1 ? "" : "s", metric_text(score, options_.metric, task_.regression),
                     contender_text(best[0]), left);
}

Configuration Tune::configuration(const Contender& contender, int split, std::uint64_t seed) const {
  StudySpec study = spec_.studies[0];
  StageSpec stage;
  stage.variants = {contender};
  stage.scope.splits = SplitChoice{1, {split}};
  stage.scope.seeds = std::vector{seed};
  study.stages = {stage};
  return plan_stage(spec_, study, 0, task_.facts, {}).runs.at(0).configuration;
}

TuneResult Tune::result() const {
  TuneResult out;
  out.stages = sweep_->chains().front()->outcomes();
  out.complete = complete_;
  out.seconds = clock_.budget - clock_.left();
  for (const char* stage : {tune_stage::finals, tune_stage::rematch, tune_stage::start}) {
    // The last comparison that has results decides, among those that were trained to the end.
    const auto compared = contenders_of(out.stages, [&](const std::string& name) { return name == stage; });
    const auto order = leaders(compared, options_.metric, compared.size());
    if (order.empty()) continue;
    out.winner = order.front();
    for (ContenderRuns& each : contenders_of(out.stages, is_full)) {
      const bool took_part = std::find(order.begin(), order.end(), each.contender) != order.end();
      if ((took_part && !each.runs.empty()) || each.contender == plain_default())
        out.finalists.push_back(std::move(each));
    }
    break;
  }
  // The default and the winner may have further splits in common, and these count, too.
  std::vector<ContenderRuns> two;
  for (const ContenderRuns& each : out.finalists) {
    if (each.contender == plain_default() || each.contender == out.winner) two.push_back(each);
  }
  std::vector<CandidateRuns> scores;
  for (const ContenderRuns& each : two) scores.push_back(each.scores(options_.metric));
  if (const auto best = best_candidate(scores)) out.winner = two[*best].contender;
  return out;
}

std::string metric_text(const Summary& score, Select metric, bool regression) {
  // Scores are the higher the better; people read NLL as it is.
  if (metric == Select::nll) return mean_text({-score.mean, score.std, score.count}, 3);
  if (metric == Select::accuracy) return score_text(score, regression);
  return mean_text(score, 3);
}

}  // namespace gdkm
