#include "gdkm/experiments/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/load.hpp"
#include "gdkm/experiments/sweep/option_effect.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
constexpr double glance_seconds = 0.25, show_seconds = 0.4, look_seconds = 1, stop_seconds = 30;
constexpr int most_lost = 20;
}  // namespace

Sweep::Sweep(const SweepSpec& spec, const SweepOptions& options, const SweepObserver& observer)
    : spec_(spec),
      options_(options),
      observer_(observer),
      store_(options.dry ? Store::in_memory(options.store) : Store::open_or_create(options.store)),
      claims_(store_) {
  std::vector<std::string> names;
  for (const StudySpec& study : spec.studies) {
    for (const std::string& name : study.datasets) {
      const bool wanted = options.only.empty() ||
                          std::find(options.only.begin(), options.only.end(), name) != options.only.end();
      if (wanted && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  for (const std::string& name : options.only) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(
          fmt::format("--only {}: the sweep has no such data set; see {}", name, spec.path.string()));
  }
  load_datasets(names);
  check_effects(spec, facts_);
  for (const StudySpec& study : spec.studies) {
    for (const std::string& name : study.datasets) {
      if (const auto facts = facts_.find(name); facts != facts_.end()) {
        chains_.push_back(
            std::make_unique<StageChain>(spec_, study, facts->second, store_, claims_, options.retry_failed));
      }
    }
  }
  if (chains_.empty() && !observer_.interrupted())
    throw InputError(spec.path.string() + ": none of its data sets is there; see gdkm data list");
  for (const auto& chain : chains_) {
    while (chain->advance()) {
    }
  }
}

void Sweep::load_datasets(const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  std::string first;
  for (const std::string& name : names) {
    if (observer_.interrupted()) return;
    try {
      const Dataset dataset = load(name, options_.data_dir, options_.threads);
      facts_[name] = facts_of(name, dataset);
      StageRecords(store_).record(facts_[name]);
    } catch (const InputError& error) {
      if (missing.empty()) first = error.what();
      missing.push_back(name);
    }
  }
  if (missing.empty()) return;
  const std::string list = fmt::format("{}", fmt::join(missing, ", "));
  if (!options_.skip_missing) {
    throw InputError(missing.size() == 1
                         ? first + "; or leave it out with --skip-missing"
                         : fmt::format("{} data sets cannot be read: {}; fetch them, or leave "
                                       "them out with --skip-missing; the first: {}",
                                       missing.size(), list, first));
  }
  observer_.say("left out, not there: " + list);
}

std::optional<Run> Sweep::failure_of_all() const {
  std::optional<Run> out;
  for (const auto& chain : chains_) {
    if (chain->count().done > 0) return std::nullopt;
    for (const std::int64_t id : chain->failed()) {
      auto run = store_.run(id);
      if (run && (!out || (out->failure != RunFailure::numerical && run->failure == RunFailure::numerical)))
        out = std::move(run);
    }
  }
  return out;
}

RunCost Sweep::cost() {
  RunFilter finished;
  finished.status = RunStatus::done;
  return {store_.runs(finished), StageRecords(store_).datasets()};
}

bool Sweep::is_over(const Configuration& configuration) {
  Statement row(store_.database(), "SELECT 1 FROM runs WHERE hash = ?1 AND status IN ('done', 'failed')");
  row.with(configuration.hash());
  return row.step();
}

bool Sweep::run() {
  if (chains_.empty()) return false;  // interrupted while it read data
  start_ = wall_clock();
  const int slots = std::clamp(options_.slots, 1, options_.jobs);
  WorkerPool pool(options_.program, options_.worker_command, (options_.jobs + slots - 1) / slots, slots);
  double looked = start_, beaten = start_, shown = 0;
  const auto over = [&] {
    return std::all_of(chains_.begin(), chains_.end(), [](const auto& chain) { return chain->finished(); });
  };
  while (!over()) {
    if (observer_.interrupted()) {
      pool.stop(stop_seconds);
      return false;
    }
    hand_out(pool);
    handle(pool, over() ? 0 : glance_seconds);
    const double now = wall_clock();
    if (now - looked >= look_seconds) {
      looked = now;
      for (const auto& chain : chains_) chain->look_elsewhere();
    }
    // A step may take longer than a worker's own signs of life should be apart.
    if (now - beaten >= heartbeat_seconds) {
      beaten = now;
      for (const Owner& owner : pool.busy()) claims_.beat(owner);
    }
    if (now - shown >= show_seconds) {
      shown = now;
      observer_.progress(state());
    }
  }
  observer_.progress(state());
  pool.stop(stop_seconds);
  return true;
}

void Sweep::hand_out(WorkerPool& pool) {
  if (try_alone(pool)) return;
  for (const auto& chain : chains_) {
    while (chain->advance()) {
    }
    while (pool.has_idle()) {
      const auto run = chain->next([&](std::int64_t each) { return under_way_.contains(each); });
      if (!run) break;
      start(pool, *chain, *run);
    }
    while (chain->advance()) {  // where what was left is skipped
    }
  }
}

void Sweep::start(WorkerPool& pool, StageChain& chain, std::int64_t run) {
  under_way_[run] = {&chain, chain.flops_of(run), 0, std::max(1, chain.epochs_of(run))};
  pool.start(run);
}

bool Sweep::try_alone(WorkerPool& pool) {
  while (alone_ == 0 && !suspects_.empty() && !pool.is_busy() && pool.has_idle()) {
    const auto [chain, run] = suspects_.front();
    suspects_.pop_front();
    if (!chain->take_again(run)) continue;
    alone_ = run;
    start(pool, *chain, run);
  }
  return alone_ != 0 || !suspects_.empty();
}

void Sweep::handle(WorkerPool& pool, double wait) {
  using Kind = WorkerPool::Report::Kind;
  for (const WorkerPool::Report& report : pool.wait(wait)) {
    if (report.kind == Kind::died) {
      handle_death(report);
      continue;
    }
    const auto found = under_way_.find(report.run);
    if (found == under_way_.end()) continue;
    if (report.kind == Kind::epoch) {
      found->second.part = static_cast<double>(report.epoch) / found->second.epochs;
      continue;
    }
    if (report.kind == Kind::done || report.kind == Kind::failed) {
      ++done_here_;
      flops_done_ += found->second.flops;
    }
    if (report.kind == Kind::failed) {
      if (const auto run = store_.run(report.run))
        observer_.say(
            fmt::format("run {} on {} failed: {}", report.run, run->configuration.dataset, run->message));
    }
    come_back(report.run, report.kind == Kind::crowded);
  }
}

void Sweep::handle_death(const WorkerPool::Report& death) {
  const bool shared = death.runs.size() > 1;
  std::vector<std::int64_t> had;
  // One that had answered for all its runs, or had stored one and not yet said so, could do its work.
  bool of_use = death.runs.empty();
  for (const std::int64_t run : death.runs) {
    if (claims_.bury(run, death.owner, death.deterministic && !shared, death.message)) {
      had.push_back(run);
    } else if (const auto stored = store_.run(run)) {
      of_use = of_use || stored->status == RunStatus::done || stored->status == RunStatus::failed;
    }
  }
  if (had.empty() && !of_use && (death.deterministic || ++lost_ > most_lost))
    throw InputError("a worker of the sweep could not do its work: " + death.message +
                     "; mend that and start again");
  if (!had.empty())
    observer_.say(fmt::format("run{} {}: {}{}", had.size() > 1 ? "s" : "", fmt::join(had, ", "),
                              death.message, shared ? "; each is tried again by itself" : ""));
  for (const std::int64_t run : death.runs) come_back(run, shared);
}

void Sweep::come_back(std::int64_t run, bool suspect) {
  if (alone_ == run) alone_ = 0;
  const auto found = under_way_.find(run);
  if (found == under_way_.end()) return;
  if (suspect) {
    suspects_.emplace_back(found->second.chain, run);
  } else {
    for (const auto& chain : chains_) chain->settle(run);  // several may have it
  }
  under_way_.erase(found);
}

SweepState Sweep::state() const {
  SweepState out;
  out.running = static_cast<int>(under_way_.size());
  out.done_here = done_here_;
  out.elapsed = wall_clock() - start_;
  double done = flops_done_, left = 0;
  for (const auto& [run, under_way] : under_way_) {
    done += under_way.flops * under_way.part;
    left -= under_way.flops * under_way.part;
  }
  for (const auto& chain : chains_) {
    const auto count = chain->count();
    left += chain->flops_left();
    out.done += count.done;
    out.failed += count.failed;
    out.skipped += count.skipped;
    out.total += count.total;
    out.lines.push_back({chain->study().name, chain->facts().name,
                         chain->finished() ? "" : chain->stage_name(), count, chain->best()});
  }
  if (done > 0) out.seconds_left = std::max(0.0, left) / done * out.elapsed;
  return out;
}

}  // namespace gdkm
