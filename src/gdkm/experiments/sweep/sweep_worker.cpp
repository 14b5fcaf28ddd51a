#include "gdkm/experiments/sweep/sweep_worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <new>

#include "gdkm/experiments/sweep/run_company.hpp"
#include "gdkm/experiments/sweep/run_execution.hpp"
#include "gdkm/experiments/sweep/run_numbers.hpp"
#include "gdkm/experiments/sweep/shared_datasets.hpp"
#include "gdkm/store/environment.hpp"
#include "gdkm/store/run_claims.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

namespace {

/// A whole line at once, or those of several slots would mix.
void answer(const std::string& line) {
  const std::string whole = line + "\n";
  [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, whole.data(), whole.size());
}

/// What the slots of a process have in common.
struct Shop {
  explicit Shop(const SweepWorkerOptions& given) : options(given), datasets(given.data_dir, given.threads) {}

  SweepWorkerOptions options;
  RunNumbers numbers;
  SharedDatasets datasets;
  RunCompany company;
  std::mutex exact;  // exact models set the threads of the BLAS, which are the whole process's
};

class Slot {
 public:
  explicit Slot(Shop& shop) : shop_(shop), store_(Store::open(shop.options.store)), claims_(store_) {}

  void work() {
    while (const auto number = shop_.numbers.next()) {
      answer(fmt::format("{} {}", work_on(*number), *number));
    }
  }

 private:
  /// Returns what became of the run, in a word.
  std::string work_on(std::int64_t number) {
    RunCompany::Guest guest(shop_.company);
    if (shop_.numbers.ended()) return "released";
    const auto run = store_.run(number);
    if (!run || !claims_.claim(number)) return "taken";
    try {
      const auto outcome = execute(run->configuration, number);
      if (outcome) return claims_.finish(number, *outcome) ? "done" : "taken";
      claims_.release(number);
      return "released";
    } catch (const InputError& error) {
      return fail(number, error.what());
    } catch (const NumericalError& error) {
      return fail(number, error.what(), RunFailure::numerical);
    } catch (const std::bad_alloc&) {
      return give_up(number, guest, "there is not enough memory for this; try fewer inducing points");
    } catch (const std::exception& error) {
      return give_up(number, guest, error.what());
    }
  }

  std::optional<RunOutcome> execute(const Configuration& configuration, std::int64_t number) {
    const auto loaded = shop_.datasets.get(configuration.dataset);
    if (loaded->fingerprint != configuration.data) {
      throw InputError(configuration.dataset +
                       ": the data is not what the run was planned for; start the sweep again");
    }
    std::unique_lock alone(shop_.exact, std::defer_lock);
    if (settings_of(configuration).exact) alone.lock();
    return execute_run(configuration, loaded->dataset, watched(number));
  }

  std::string fail(std::int64_t number, const std::string& trouble, RunFailure kind = RunFailure::other) {
    auto environment = describe_environment();
    environment["threads"] = shop_.options.threads;
    return claims_.fail(number, trouble, environment, kind) ? "failed" : "taken";
  }

  /// Neither settings nor numbers were at fault: memory was short, or the device is in trouble. On a device
  /// that is shared others may have caused it, and it may last as long as the process.
  std::string give_up(std::int64_t number, RunCompany::Guest& guest, const std::string& trouble) {
    if (shop_.options.slots == 1 && shop_.options.device.is_cpu()) return fail(number, trouble);
    const bool others = guest.doubt();
    answer("leave");
    if (!others) return fail(number, trouble);
    claims_.release(number);
    return "crowded";
  }

  ExecutionOptions watched(std::int64_t number) {
    ExecutionOptions out;
    out.threads = shop_.options.threads;
    out.device = shop_.options.device;
    out.validate_every = shop_.options.validate_every;
    out.interrupted = [this] { return shop_.numbers.ended(); };
    out.stepped = [this, number, told = 0.0](int epoch) mutable {
      const double now = wall_clock();
      if (now - beat_ >= heartbeat_seconds) {
        claims_.beat(claims_.self());
        beat_ = now;
      }
      if (now - told < 0.5) return;
      told = now;
      answer(fmt::format("epoch {} {}", number, epoch));
    };
    return out;
  }

  Shop& shop_;
  Store store_;
  RunClaims claims_;
  double beat_ = 0;
};

}  // namespace

void work_on_runs(const SweepWorkerOptions& options) {
  Shop shop(options);
  ThreadPool(options.slots).run([&](int) {
    try {
      Slot(shop).work();
    } catch (...) {
      // A store that cannot be written, say, ends the process; the other slots give their runs back first.
      shop.numbers.stop();
      throw;
    }
  });
}

}  // namespace gdkm
