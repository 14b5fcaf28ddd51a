#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/experiments/sweep/run_execution.hpp"
#include "gdkm/experiments/sweep/sweep.hpp"
#include "gdkm/experiments/sweep/sweep_table.hpp"
#include "gdkm/experiments/sweep/sweep_view.hpp"
#include "gdkm/experiments/sweep/sweep_worker.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct SweepCommand {
  std::string spec, store, data_dir, json, command_line;
  Settings settings;  // of which the device
  SweepOptions options;
  int validate_every = 0;
  bool quick = false, quiet = false, worker = false;

  const DeviceId& device() const { return settings.device.device; }
  void run();
  void settle(const SweepSpec& spec);
  void report(const Sweep& sweep) const;
};

/// Sets what was not given.
void SweepCommand::settle(const SweepSpec& parsed) {
  int &jobs = options.jobs, &threads = options.threads, &slots = options.slots;
  const auto cores = std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
  if (jobs == 0) jobs = device().is_cpu() ? cores : 8;  // one run does not keep a GPU busy
  // Threads of one process share a GPU, while processes take turns. On a CPU threads gain nothing, and a
  // crash would end all runs.
  if (slots == 0) slots = device().is_cpu() ? 1 : jobs;
  if (threads == 0) threads = std::max(1, cores / jobs);
  options.store = store.empty() ? fs::path(parsed.name + ".db") : fs::path(store);
  options.data_dir = folder(data_dir);
  // This program, even if its file has been replaced since.
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none);
  const std::string name = self.empty() ? command_line.substr(0, command_line.find(' ')) : self.string();
  options.program = self.empty() ? name : "/proc/self/exe";
  options.worker_command = {name, "sweep", options.store.string(), "--worker"};
  const auto pass_on = [&](const std::string& option, const std::string& value) {
    options.worker_command.insert(options.worker_command.end(), {option, value});
  };
  pass_on("--slots", std::to_string(slots));
  pass_on("--threads", std::to_string(threads));
  pass_on("--device", to_string(device()));
  pass_on("--validate-every", std::to_string(parsed.validate_every));
  if (!data_dir.empty()) pass_on("--data-dir", data_dir);
}

void SweepCommand::run() {
  check_device(device());
  if (worker) {  // of another sweep; SPEC is then the store
    const ExecutionOptions execution{options.threads, device(), validate_every};
    return work_on_runs({spec, folder(data_dir), execution, std::max(1, options.slots)});
  }
  check_output("--json", json, spec);
  const SweepSpec parsed = read_sweep_spec(spec, quick);
  settle(parsed);

  const InterruptGuard guard;
  SweepView view(parsed.name, quiet);
  SweepObserver observer;
  observer.interrupted = [&] { return guard.interrupted(); };
  observer.message = [&](const std::string& text) { view.message(text); };
  observer.progress = [&](const SweepState& state) { view.show(state); };
  Sweep sweep(parsed, options, observer);
  if (options.dry) return fmt::print("{}", plan_table(sweep, options.jobs));
  const bool complete = sweep.run();
  view.finish();
  if (!complete) {
    throw Interrupted(
        fmt::format("stopped, {}; go on with:  {}", progress_text(sweep.state()), command_line));
  }
  report(sweep);
  if (const auto failed = sweep.total_failure()) {
    flush_results();
    const std::string what =
        fmt::format("no run of the sweep is done, {} failed; run {} on {}: {}", sweep.state().failed,
                    failed->id, failed->configuration.dataset, failed->message);
    if (failed->failure == RunFailure::numerical) throw NumericalError(what);
    throw Failure(what);
  }
}

void SweepCommand::report(const Sweep& sweep) const {
  if (!json.empty()) write_output(json, final_json(sweep).dump(2) + "\n");
  if (json == "-") return;
  fmt::print("{}List the runs with:  gdkm runs list {}\n", final_table(sweep),
             shell_word(options.store.string()));
}

}  // namespace

void add_sweep(CLI::App& app, const std::string& command_line) {
  auto command = std::make_shared<SweepCommand>();
  command->command_line = command_line;
  CLI::App& sweep = *app.add_subcommand("sweep", "Run many configurations from a file; resumable");
  SweepOptions& options = command->options;
  options.jobs = options.threads = options.slots = 0;  // settle() chooses
  add_argument(sweep, "SPEC", command->spec, "A TOML file that says what to run\n(docs/experiments.md)");
  add_text(sweep, "--store", "FILE", command->store, "The store of runs [the spec's name with .db]");
  sweep.add_flag("--dry-run", options.dry, "Print the plan and an estimate of its time");
  sweep.add_flag("--quick", command->quick, "Run the small variant of the spec's [quick] table");
  add_text(sweep, "--only", "NAME,..", options.only, "Only these data sets of the spec")->delimiter(',');
  sweep.add_flag("--skip-missing", options.skip_missing, "Leave out data sets that cannot be read");
  sweep.add_flag("--retry-failed", options.retry_failed, "Try failed runs again");
  add_number(sweep, "--jobs", "N", options.jobs, 0, 4096,
             "Concurrent runs: processes, or on a GPU threads of\none; 0 for one per core (8 on a GPU)");
  add_number(sweep, "--threads", "N", options.threads, 0, 4096,
             "Threads per run; 0 divides the cores among jobs");
  add_settings_options(sweep, command->settings, nullptr, {"device"});
  add_data_dir(sweep, command->data_dir);
  add_text(sweep, "--json", "FILE|-", command->json, "Write the table as JSON; - for standard output");
  sweep.add_flag("--quiet", command->quiet, "Do not show progress");
  sweep.add_flag("--worker", command->worker)->group("");
  add_number(sweep, "--slots", "N", options.slots, 0, 4096, "")->group("");
  add_number(sweep, "--validate-every", "N", command->validate_every, 0, 1000000000, "")->group("");
  sweep.footer(
      "After Ctrl-C or a crash, the same command continues; only the runs in progress\n"
      "start again. Several sweeps can share a store at the same time.\n"
      "Examples:\n"
      "  gdkm sweep experiments/paper-quick.toml --dry-run\n"
      "  gdkm sweep experiments/paper-quick.toml --jobs 2\n"
      "  gdkm sweep experiments/node-dkm.toml --only cora,citeseer --store node.db");
  sweep.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
