#include "gdkm/experiments/sweep/sweep_worker.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "gdkm/data/load.hpp"
#include "gdkm/experiments/sweep/run_execution.hpp"
#include "gdkm/store/environment.hpp"
#include "gdkm/store/run_claims.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/model_file.hpp"

namespace gdkm {

namespace {

/// The next line of standard input; nothing at its end.
std::optional<std::string> next_line() {
  std::string out;
  for (char c = 0;;) {
    const auto got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    if (c == '\n') return out;
    out += c;
  }
}

/// Nothing is sent while a run goes on; so if there is something to read, it is the end.
bool input_ended() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0;
}

void answer(const std::string& line) {
  const std::string whole = line + "\n";
  [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, whole.data(), whole.size());
}

class SweepWorker {
 public:
  explicit SweepWorker(const SweepWorkerOptions& options)
      : options_(options), store_(Store::open(options.store)), claims_(store_) {}

  void work_on(std::int64_t number) {
    const auto run = store_.run(number);
    if (!run || !claims_.claim(number)) return answer(fmt::format("taken {}", number));
    std::string trouble;
    try {
      const auto outcome = execute_run(run->configuration, dataset(run->configuration), watched(number));
      if (!outcome) {
        claims_.release(number);
        return answer(fmt::format("released {}", number));
      }
      const bool stored = claims_.finish(number, *outcome);
      return answer(fmt::format("{} {}", stored ? "done" : "taken", number));
    } catch (const std::bad_alloc&) {
      trouble = "there is not enough memory for this; try fewer inducing points";
    } catch (const std::exception& error) {
      trouble = error.what();
    }
    auto environment = describe_environment();
    environment["threads"] = options_.threads;
    const bool stored = claims_.fail(number, trouble, environment);
    answer(fmt::format("{} {}", stored ? "failed" : "taken", number));
  }

 private:
  /// Runs of one data set tend to follow each other.
  const Dataset& dataset(const Configuration& configuration) {
    if (configuration.dataset != loaded_) {
      loaded_.clear();
      dataset_ = load(configuration.dataset, options_.data_dir, options_.threads);
      loaded_ = configuration.dataset;
      fingerprint_ = fingerprint(dataset_);
    }
    if (fingerprint_ != configuration.data) {
      throw InputError(configuration.dataset +
                       ": the data is not what the run was planned for; start the sweep again");
    }
    return dataset_;
  }

  ExecutionOptions watched(std::int64_t number) {
    ExecutionOptions out;
    out.threads = options_.threads;
    out.device = options_.device;
    out.validate_every = options_.validate_every;
    out.interrupted = input_ended;
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

  SweepWorkerOptions options_;
  Store store_;
  RunClaims claims_;
  std::string loaded_, fingerprint_;
  Dataset dataset_;
  double beat_ = 0;
};

}  // namespace

void work_on_runs(const SweepWorkerOptions& options) {
  SweepWorker worker(options);
  while (const auto line = next_line()) {
    const bool number = !line->empty() && line->size() < 18 &&
                        std::all_of(line->begin(), line->end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!number)
      throw InputError("--worker: '" + *line + "' is no number of a run; it is started by gdkm sweep");
    worker.work_on(std::stoll(*line));
  }
}

}  // namespace gdkm
