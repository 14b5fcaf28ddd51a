#include <fmt/format.h>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/cli/watch.hpp"
#include "gdkm/cli/worker_command.hpp"
#include "gdkm/experiments/sweep/run_execution.hpp"
#include "gdkm/experiments/sweep/store_worker.hpp"

namespace gdkm::cli {

namespace {

struct WorkerCommand {
  std::string store, data_dir, command_line;
  Invocation self;
  Settings settings;  // of which the device
  SweepOptions options;
  double wait = 0;
  int validate_every = 0;
  bool quiet = false;

  void run();
};

void WorkerCommand::run() {
  const DeviceId& device = settings.device.device;
  check_device(device);
  options.store = store;
  settle_workers(options, self, data_dir, device, validate_every);
  const InterruptGuard guard;
  Progress progress("runs", 0, progress_mode(quiet));
  StoreWorkerObserver observer;
  observer.interrupted = [&] { return guard.interrupted(); };
  observer.message = [&](const std::string& text) {
    progress.clear();
    note(text);
  };
  observer.progress = [&](const StoreWorkerState& state) {
    progress.update(state.done, fmt::format("{} failed, {} running, {} left in the store", state.failed,
                                            state.running, state.unfinished));
  };
  StoreWorker worker(options, wait, observer);
  const bool complete = worker.run();
  progress.clear();
  const StoreWorkerState& state = worker.state();
  const std::string count =
      fmt::format("{} {} done, {} failed", state.done, state.done == 1 ? "run" : "runs", state.failed);
  if (!complete)
    throw Interrupted("stopped, " + count +
                      "; runs in progress were given back; go on with:  " + command_line);
  fmt::print("{}\n", count);
}

}  // namespace

void add_worker(CLI::App& app, const std::string& command_line, const Invocation& self) {
  auto command = std::make_shared<WorkerCommand>();
  command->command_line = command_line;
  command->self = self;
  CLI::App& worker = *app.add_subcommand("worker", "Take runs from a shared store until there are none");
  SweepOptions& options = command->options;
  options.jobs = options.threads = options.slots = 0;  // settle_workers() chooses
  add_argument(worker, "STORE", command->store,
               "A store of gdkm sweep: a file, or\npostgresql://user@host/database");
  add_number(worker, "--wait", "S", command->wait, 0, 1e9,
             "Seconds to look for further runs before ending:\na sweep adds the next stage when one is done");
  add_number(worker, "--jobs", "N", options.jobs, 0, 4096,
             "Concurrent runs: processes, or on a GPU threads of\none; 0 for one per core (8 on a GPU)");
  add_number(worker, "--threads", "N", options.threads, 0, 4096,
             "Threads per run; 0 divides the cores among jobs");
  add_number(worker, "--validate-every", "N", command->validate_every, 0, 1000000000,
             "Epochs between validations, for learning curves;\n0 for none");
  add_settings_options(worker, command->settings, nullptr, {"device"});
  add_data_dir(worker, command->data_dir);
  worker.add_flag("--quiet", command->quiet, "Do not show progress");
  worker.footer(
      "Any number of workers, on any machines, share a store with the sweeps that plan\n"
      "its runs. A worker takes only runs whose data it finds, by name and contents.\n"
      "Runs of a sweep with --device cuda need a worker with --device cuda. After\n"
      "Ctrl-C or SIGTERM it gives its runs back.\n"
      "Examples:\n"
      "  gdkm sweep spec.toml --store postgresql://me@server/study --plan-only\n"
      "  gdkm worker postgresql://me@server/study --wait 600");
  worker.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
