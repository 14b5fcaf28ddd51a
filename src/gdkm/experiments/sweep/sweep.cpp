#include "gdkm/experiments/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/load.hpp"
#include "gdkm/experiments/sweep/option_effect.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
constexpr double poll_seconds = 0.25, show_seconds = 0.4, refresh_seconds = 1, stop_seconds = 30;
constexpr int max_lost_workers = 20;
}  // namespace

Sweep::Sweep(const SweepSpec& spec, const SweepOptions& options, const SweepObserver& observer)
    : spec_(spec),
      options_(options),
      observer_(observer),
      store_(options.dry ? Store::in_memory(options.store)
                         : Store::open_or_create(options.store, {observer.message, observer.interrupted})),
      queue_(store_) {
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
      throw InputError(option("only", name) + ": the sweep has no such data set; see " + spec.path.string());
  }
  for (const StudySpec& study : spec.studies) {
    for (const auto& stage : study.stages) {
      if (!options.start_workers && stage.max_seconds > 0)
        throw InputError(
            fmt::format("{}: stage '{}' has max_seconds, which a sweep with {} cannot keep; leave one out",
                        spec.path.string(), stage.name, option("plan_only")));
    }
  }
  load_datasets(names);
  check_effects(spec, facts_);
  for (const StudySpec& study : spec.studies) {
    for (const std::string& name : study.datasets) {
      if (const auto facts = facts_.find(name); facts != facts_.end()) {
        chains_.push_back(std::make_unique<StageChain>(spec_, study, facts->second, store_, queue_,
                                                       options.retry_failed, options.needs));
      }
    }
  }
  if (chains_.empty() && !observer_.interrupted())
    throw InputError(spec.path.string() + ": cannot read any of its data sets; see gdkm data list");
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
    if (const auto known = options_.known.find(name); known != options_.known.end()) {
      facts_[name] = known->second;
      StageRecords(store_).record(known->second);
      continue;
    }
    try {
      const Dataset dataset = load(name, options_.data_dir, options_.threads);
      facts_[name] = facts_of(name, dataset);
      StageRecords(store_).record(facts_[name]);
    } catch (const InputError& error) {
      if (missing.empty()) first = error.message();
      missing.push_back(name);
    }
  }
  if (missing.empty()) return;
  const std::string list = fmt::format("{}", fmt::join(missing, ", "));
  if (options_.skip_missing) return observer_.message("left out, because they cannot be read: " + list);
  if (missing.size() == 1) throw InputError(first + "; or leave it out with " + option("skip_missing"));
  throw InputError(
      fmt::format("cannot read {} data sets: {}; fetch them, or leave them out with {}; the first error: {}",
                  missing.size(), list, option("skip_missing"), first));
}

std::optional<StoredRun> Sweep::total_failure() const {
  std::optional<StoredRun> out;
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
  return {store_.runs(finished), StageRecords(store_).datasets(), options_.needs};
}

bool Sweep::has_ended(const Configuration& configuration) {
  Statement row(store_.database(), "SELECT 1 FROM runs WHERE hash = ?1 AND status IN ('done', 'failed')");
  row.with(configuration.hash());
  return row.step();
}

bool Sweep::run() {
  if (chains_.empty()) return false;  // interrupted while reading data
  start_ = wall_clock();
  const int slots = std::clamp(options_.slots, 1, options_.jobs);
  const int processes = options_.start_workers ? (options_.jobs + slots - 1) / slots : 0;
  WorkerPool pool(options_.program, options_.worker_command, processes, slots, options_.worker_environment);
  double refreshed = start_, renewed = start_, shown = 0;
  const auto over = [&] {
    return std::all_of(chains_.begin(), chains_.end(), [](const auto& chain) { return chain->finished(); });
  };
  while (!over()) {
    if (observer_.interrupted()) {
      pool.stop(stop_seconds);
      return false;
    }
    start_runs(pool);
    handle_reports(pool, over() ? 0 : poll_seconds);
    const double now = wall_clock();
    if (now - refreshed >= refresh_seconds) {
      refreshed = now;
      for (const auto& chain : chains_) chain->refresh_elsewhere();
    }
    // One training step may take longer than a worker's own heartbeats may be apart.
    if (now - renewed >= heartbeat_seconds) {
      renewed = now;
      for (const Owner& owner : pool.busy()) queue_.heartbeat(owner);
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

void Sweep::start_runs(WorkerPool& pool) {
  if (start_suspect(pool)) return;
  for (const auto& chain : chains_) {
    while (chain->advance()) {
    }
    while (pool.has_idle()) {
      const auto run = chain->next([&](std::int64_t each) { return active_.contains(each); });
      if (!run) break;
      start(pool, *chain, *run);
    }
    while (chain->advance()) {  // if the remaining runs were skipped
    }
  }
}

void Sweep::start(WorkerPool& pool, StageChain& chain, std::int64_t run) {
  const StageChain::Size size = chain.size_of(run);
  active_[run] = {&chain, size.flops, 0, std::max(1, size.epochs)};
  pool.start(run);
}

bool Sweep::start_suspect(WorkerPool& pool) {
  while (active_suspect_ == 0 && !suspects_.empty() && !pool.is_busy() && pool.has_idle()) {
    const auto [chain, run] = suspects_.front();
    suspects_.pop_front();
    if (!chain->restart(run)) continue;
    active_suspect_ = run;
    start(pool, *chain, run);
  }
  return active_suspect_ != 0 || !suspects_.empty();
}

void Sweep::handle_reports(WorkerPool& pool, double wait) {
  using Kind = WorkerPool::Report::Kind;
  for (const WorkerPool::Report& report : pool.wait(wait)) {
    if (report.kind == Kind::died) {
      handle_death(report);
      continue;
    }
    const auto found = active_.find(report.run);
    if (found == active_.end()) continue;
    if (report.kind == Kind::epoch) {
      found->second.fraction = static_cast<double>(report.epoch) / found->second.epochs;
      continue;
    }
    if (report.kind == Kind::done || report.kind == Kind::failed) {
      ++done_here_;
      flops_done_ += found->second.flops;
    }
    if (report.kind == Kind::failed) {
      if (const auto run = store_.run(report.run))
        observer_.message(
            fmt::format("run {} on {} failed: {}", report.run, run->configuration.dataset, run->message));
    }
    run_returned(report.run, report.kind == Kind::retry_alone);
  }
}

void Sweep::handle_death(const WorkerPool::Report& death) {
  const bool shared = death.runs.size() > 1;
  std::vector<std::int64_t> lost;
  // A worker that reported all its runs, or stored one without reporting it, was able to work.
  bool worked = death.runs.empty();
  for (const std::int64_t run : death.runs) {
    if (queue_.owner_died(run, death.owner, death.deterministic && !shared, death.message)) {
      lost.push_back(run);
    } else if (const auto stored = store_.run(run)) {
      worked = worked || stored->status == RunStatus::done || stored->status == RunStatus::failed;
    }
  }
  if (lost.empty() && !worked && (death.deterministic || ++lost_workers_ > max_lost_workers))
    throw InputError("a worker of the sweep cannot start: " + death.message +
                     "; correct that and start the sweep again");
  if (!lost.empty())
    observer_.message(fmt::format("run{} {}: {}{}", lost.size() > 1 ? "s" : "", fmt::join(lost, ", "),
                                  death.message, shared ? "; each will be tried again alone" : ""));
  for (const std::int64_t run : death.runs) run_returned(run, shared);
}

void Sweep::run_returned(std::int64_t run, bool suspect) {
  if (active_suspect_ == run) active_suspect_ = 0;
  const auto found = active_.find(run);
  if (found == active_.end()) return;
  if (suspect) {
    suspects_.emplace_back(found->second.chain, run);
  } else {
    for (const auto& chain : chains_) chain->refresh(run);  // several chains may have it
  }
  active_.erase(found);
}

SweepState Sweep::state() const {
  SweepState out;
  out.running = static_cast<int>(active_.size());
  out.done_here = done_here_;
  out.elapsed = wall_clock() - start_;
  double done = flops_done_, left = 0;
  for (const auto& [id, run] : active_) {
    done += run.flops * run.fraction;
    left -= run.flops * run.fraction;
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
