#include "gdkm/experiments/sweep/sweep_worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <new>

#include "gdkm/experiments/sweep/run_id_input.hpp"
#include "gdkm/experiments/sweep/run_overlap.hpp"
#include "gdkm/experiments/sweep/shared_datasets.hpp"
#include "gdkm/experiments/sweep/worker_pool.hpp"
#include "gdkm/store/run_queue.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

namespace {

/// Writes a whole line at once, so that lines of several slots do not mix.
void report(const std::string& line) {
  const std::string whole = line + "\n";
  [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, whole.data(), whole.size());
}

/// Which data this machine has. A data set is read when a run wants it, and once.
class KnownData {
 public:
  explicit KnownData(SharedDatasets& datasets) : datasets_(datasets) {}

  std::vector<DataKey> present() {
    const std::lock_guard lock(mutex_);
    std::vector<DataKey> out;
    for (const auto& [key, is_there] : known_) {
      if (is_there) out.push_back(key);
    }
    return out;
  }

  /// Looks for the first of these that was not looked for before; returns false if there is none.
  bool look_for_one(const std::vector<DataKey>& wanted) {
    const std::lock_guard lock(mutex_);
    for (const DataKey& key : wanted) {
      if (known_.contains(key)) continue;
      std::string lack;
      try {
        if (datasets_.get(key.name)->fingerprint != key.fingerprint)
          lack = key.name + ": this machine has other data of this name";
      } catch (const InputError& error) {
        lack = error.what();
      }
      known_[key] = lack.empty();
      if (!lack.empty()) report("lacks 0 " + lack);
      return true;
    }
    return false;
  }

 private:
  SharedDatasets& datasets_;
  std::mutex mutex_;
  std::map<DataKey, bool> known_;
};

/// What the slots of a process share.
struct SharedState {
  explicit SharedState(const SweepWorkerOptions& given)
      : options(given), datasets(given.data_dir, given.execution.threads), data(datasets) {}

  SweepWorkerOptions options;
  RunIdInput numbers;
  SharedDatasets datasets;
  KnownData data;
  RunOverlap overlap;
  std::mutex exact;  // exact models set the number of BLAS threads of the whole process
};

class Slot {
 public:
  explicit Slot(SharedState& shared)
      : shared_(shared), store_(Store::open(shared.options.store, watcher(shared))), queue_(store_) {}

  void work() {
    while (const auto number = shared_.numbers.next()) {
      if (*number != WorkerPool::any_run) {
        report(fmt::format("{} {}", execute(*number, false), *number));
      } else if (const auto taken = take()) {
        report(fmt::format("began {}", *taken));
        report(fmt::format("{} {}", execute(*taken, true), *taken));
      } else {
        report(fmt::format("none {}", *number));
      }
    }
  }

 private:
  /// A server that is being started again is worth waiting for.
  static DatabaseObserver watcher(SharedState& shared) {
    DatabaseObserver out;
    out.interrupted = [&shared] { return shared.numbers.ended(); };
    out.patience = 60;
    return out;
  }

  /// A run of the store, which this process has then claimed.
  std::optional<std::int64_t> take() {
    const std::string device = shared_.options.execution.device.is_cpu() ? "" : "cuda";
    while (!shared_.numbers.ended()) {
      if (const auto run = queue_.claim_any(shared_.data.present(), device)) return run;
      if (!shared_.data.look_for_one(queue_.waiting_data(device))) break;
    }
    return std::nullopt;
  }

  /// Returns the word to report.
  std::string execute(std::int64_t number, bool claimed) {
    RunOverlap::Scope scope(shared_.overlap);
    if (shared_.numbers.ended()) {
      if (claimed) queue_.release(number);
      return "released";
    }
    const auto run = store_.run(number);
    if (!run || !(claimed || queue_.claim(number))) return "taken";
    try {
      const auto outcome = train(run->configuration, number);
      if (outcome) return queue_.finish(number, *outcome) ? "done" : "taken";
      queue_.release(number);
      return "released";
    } catch (const StoreUnavailable&) {
      throw;  // says nothing about the run
    } catch (const InputError& error) {
      return fail(number, error.what());
    } catch (const NumericalError& error) {
      return fail(number, error.what(), RunFailure::numerical);
    } catch (const std::bad_alloc&) {
      return give_up(number, scope, "not enough memory; try fewer inducing points");
    } catch (const std::exception& error) {
      return give_up(number, scope, error.what());
    }
  }

  std::optional<RunOutcome> train(const Configuration& configuration, std::int64_t number) {
    const auto loaded = shared_.datasets.get(configuration.dataset);
    if (loaded->fingerprint != configuration.data) {
      throw InputError(configuration.dataset +
                       ": the data changed after the sweep was planned; start the sweep again");
    }
    std::unique_lock alone(shared_.exact, std::defer_lock);
    if (settings_of(configuration).uses_dense()) alone.lock();
    return execute_run(configuration, loaded->dataset, watched(number));
  }

  std::string fail(std::int64_t number, const std::string& message, RunFailure kind = RunFailure::other) {
    auto environment = describe_environment();
    environment.threads = shared_.options.execution.threads;
    return queue_.fail(number, message, environment, kind) ? "failed" : "taken";
  }

  /// The run failed for lack of memory or through trouble of the device. Other runs on the same device may
  /// have caused it, and it may last as long as the process.
  std::string give_up(std::int64_t number, RunOverlap::Scope& scope, const std::string& message) {
    if (shared_.options.slots == 1 && shared_.options.execution.device.is_cpu()) return fail(number, message);
    const bool others = scope.report_trouble();
    report("retire");
    if (!others) return fail(number, message);
    queue_.release(number);
    return "retry_alone";
  }

  ExecutionOptions watched(std::int64_t number) {
    ExecutionOptions out = shared_.options.execution;
    out.interrupted = [this] { return shared_.numbers.ended(); };
    out.stepped = [this, number, reported = 0.0](int epoch) mutable {
      const double now = wall_clock();
      if (now - heartbeat_ >= heartbeat_seconds) {
        queue_.heartbeat(queue_.self());
        heartbeat_ = now;
      }
      if (now - reported < 0.5) return;
      reported = now;
      report(fmt::format("epoch {} {}", number, epoch));
    };
    return out;
  }

  SharedState& shared_;
  Store store_;
  RunQueue queue_;
  double heartbeat_ = 0;
};

}  // namespace

void work_on_runs(const SweepWorkerOptions& options) {
  SharedState shared(options);
  ThreadPool(options.slots).run([&](int) {
    try {
      Slot(shared).work();
    } catch (...) {
      // An error such as a store that cannot be written ends the process; the other slots release their runs
      // first.
      shared.numbers.stop();
      throw;
    }
  });
}

}  // namespace gdkm
