#include "gdkm/experiments/sweep/sweep_worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <new>

#include "gdkm/experiments/sweep/run_id_input.hpp"
#include "gdkm/experiments/sweep/run_overlap.hpp"
#include "gdkm/experiments/sweep/shared_datasets.hpp"
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

/// What the slots of a process share.
struct SharedState {
  explicit SharedState(const SweepWorkerOptions& given)
      : options(given), datasets(given.data_dir, given.execution.threads) {}

  SweepWorkerOptions options;
  RunIdInput numbers;
  SharedDatasets datasets;
  RunOverlap overlap;
  std::mutex exact;  // exact models set the number of BLAS threads of the whole process
};

class Slot {
 public:
  explicit Slot(SharedState& shared)
      : shared_(shared), store_(Store::open(shared.options.store)), queue_(store_) {}

  void work() {
    while (const auto number = shared_.numbers.next()) {
      report(fmt::format("{} {}", execute(*number), *number));
    }
  }

 private:
  /// Returns the word to report.
  std::string execute(std::int64_t number) {
    RunOverlap::Scope scope(shared_.overlap);
    if (shared_.numbers.ended()) return "released";
    const auto run = store_.run(number);
    if (!run || !queue_.claim(number)) return "taken";
    try {
      const auto outcome = train(run->configuration, number);
      if (outcome) return queue_.finish(number, *outcome) ? "done" : "taken";
      queue_.release(number);
      return "released";
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
