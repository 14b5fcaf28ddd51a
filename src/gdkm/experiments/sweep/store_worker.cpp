#include "gdkm/experiments/sweep/store_worker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
constexpr double worker_poll_seconds = 0.25, look_seconds = 1, worker_show_seconds = 1, take_back_seconds = 5,
                 worker_stop_seconds = 30, patience_seconds = 30;
constexpr int max_failed_starts = 2, max_lost_processes = 20;  // one after the other
}  // namespace

StoreWorker::StoreWorker(const SweepOptions& options, double wait_seconds,
                         const StoreWorkerObserver& observer)
    : options_(options),
      wait_seconds_(wait_seconds),
      observer_(observer),
      store_(Store::open(options.store, {observer.message, observer.interrupted, patience_seconds})),
      queue_(store_) {}

bool StoreWorker::run() {
  const int slots = std::clamp(options_.slots, 1, options_.jobs);
  WorkerPool pool(options_.program, options_.worker_command, (options_.jobs + slots - 1) / slots, slots,
                  options_.worker_environment);
  double renewed = wall_clock(), taken_back = 0, shown = 0;
  last_work_ = renewed;
  try {
    for (;;) {
      const double now = wall_clock();
      if (observer_.interrupted()) break;
      if (now - taken_back >= take_back_seconds) {
        taken_back = now;
        for (const std::int64_t run : queue_.take_back())
          observer_.message(fmt::format("run {}: its worker is gone; it is pending again", run));
      }
      if (now - renewed >= heartbeat_seconds) {
        renewed = now;
        for (const Owner& owner : pool.busy()) queue_.heartbeat(owner);
      }
      while (now >= next_look_ && pool.has_idle()) pool.start(WorkerPool::any_run);
      handle_reports(pool, worker_poll_seconds);
      if (now - shown >= worker_show_seconds) {
        shown = now;
        state_.unfinished = queue_.unfinished();
        observer_.progress(state_);
      }
      const bool looked = next_look_ > 0 && !pool.is_busy();
      if (looked && wall_clock() - last_work_ >= wait_seconds_) {
        pool.stop(worker_stop_seconds);
        return true;
      }
    }
  } catch (const StoreUnavailable&) {
    if (!observer_.interrupted()) throw;
    return false;  // the runs are given back when their leases end
  }
  pool.stop(worker_stop_seconds);
  queue_.take_back();  // of processes that did not stop in time
  return false;
}

void StoreWorker::handle_reports(WorkerPool& pool, double wait) {
  using Kind = WorkerPool::Report::Kind;
  for (const WorkerPool::Report& report : pool.wait(wait)) {
    if (report.kind == Kind::none) {
      next_look_ = wall_clock() + look_seconds;
      continue;
    }
    if (report.kind == Kind::lacks) {
      observer_.message("left to other machines: " + report.message);
      continue;
    }
    last_work_ = wall_clock();
    if (report.kind == Kind::epoch) continue;
    if (report.kind == Kind::began) {
      ++state_.running;
      continue;
    }
    if (report.kind == Kind::died) {
      handle_death(report);
      continue;
    }
    lost_processes_ = 0;
    --state_.running;
    state_.done += report.kind == Kind::done ? 1 : 0;
    if (report.kind != Kind::failed) continue;
    ++state_.failed;
    if (const auto run = store_.run(report.run))
      observer_.message(
          fmt::format("run {} on {} failed: {}", report.run, run->configuration.dataset, run->message));
  }
}

void StoreWorker::handle_death(const WorkerPool::Report& death) {
  state_.running -= static_cast<int>(death.runs.size()) -
                    static_cast<int>(std::count(death.runs.begin(), death.runs.end(), WorkerPool::any_run));
  // It may have claimed a run and died before it could say so.
  const auto lost = queue_.runs_of(death.owner);
  if (lost.empty() && ++lost_processes_ > (death.deterministic ? max_failed_starts : max_lost_processes))
    throw InputError("a process of the worker cannot start: " + death.message +
                     "; correct that and start the worker again");
  for (const std::int64_t run : lost) {
    // Of several runs in one process, it is not known which of them crashed.
    queue_.owner_died(run, death.owner, death.crashed && lost.size() == 1, death.message);
    observer_.message(fmt::format("run {}: {}", run, death.message));
  }
}

}  // namespace gdkm
