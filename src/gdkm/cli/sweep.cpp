#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/data_options.hpp"
#include "gdkm/cli/failure.hpp"
#include "gdkm/cli/interrupted.hpp"
#include "gdkm/cli/option_names.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/cli/settings_options.hpp"
#include "gdkm/experiments/sweep/run_execution.hpp"
#include "gdkm/experiments/sweep/sweep.hpp"
#include "gdkm/experiments/sweep/sweep_table.hpp"
#include "gdkm/experiments/sweep/sweep_view.hpp"
#include "gdkm/experiments/sweep/sweep_worker.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/interrupt.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct SweepCommand {
  std::string spec, store, data_dir, json, command_line;
  Settings settings;  // of which the device
  std::vector<std::string> only;
  int jobs = 0, slots = 0, threads = 0, validate_every = 0;
  bool dry_run = false, quick = false, skip_missing = false, retry_failed = false, quiet = false,
       worker = false;

  const DeviceId& device() const { return settings.device.device; }
  void run();
  void work() const;
  void report(const Sweep& sweep, const fs::path& file) const;
  SweepOptions options(const SweepSpec& spec) const;
};

/// Runs as a worker of another sweep; SPEC is then the store.
void SweepCommand::work() const {
  work_on_runs({spec, folder(data_dir), threads, device(), validate_every, std::max(1, slots)});
}

SweepOptions SweepCommand::options(const SweepSpec& parsed) const {
  SweepOptions out;
  out.store = store.empty() ? fs::path(parsed.name + ".db") : fs::path(store);
  out.data_dir = folder(data_dir);
  out.only = only;
  out.skip_missing = skip_missing;
  out.retry_failed = retry_failed;
  out.dry = dry_run;
  out.jobs = jobs;
  out.threads = threads;
  out.slots = slots;
  // This program, even if its file has been replaced since.
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none);
  const std::string name = self.empty() ? command_line.substr(0, command_line.find(' ')) : self.string();
  out.program = self.empty() ? name : "/proc/self/exe";
  out.worker_command = {name,
                        "sweep",
                        out.store.string(),
                        "--worker",
                        "--slots",
                        std::to_string(slots),
                        "--threads",
                        std::to_string(threads),
                        "--device",
                        to_string(device()),
                        "--validate-every",
                        std::to_string(parsed.validate_every)};
  if (!data_dir.empty()) out.worker_command.insert(out.worker_command.end(), {"--data-dir", data_dir});
  return out;
}

void SweepCommand::run() {
  check_device(device());
  if (worker) return work();
  check_output("--json", json, spec);
  const auto cores = std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
  if (jobs == 0) jobs = device().is_cpu() ? cores : 8;  // one run does not keep a GPU busy
  // Threads of one process share a GPU, while processes take turns. On a CPU threads gain nothing, and a
  // crash would end all runs.
  if (slots == 0) slots = device().is_cpu() ? 1 : jobs;
  if (threads == 0) threads = std::max(1, cores / jobs);
  const SweepSpec parsed = read_sweep_spec(spec, quick);
  const SweepOptions how = options(parsed);

  const InterruptGuard guard;
  SweepView view(parsed.name, quiet);
  SweepObserver observer;
  observer.interrupted = [&] { return guard.interrupted(); };
  observer.message = [&](const std::string& text) { view.message(text); };
  observer.progress = [&](const SweepState& state) { view.show(state); };
  Sweep sweep(parsed, how, observer);
  if (dry_run) {
    fmt::print("{}", plan_table(sweep, jobs));
    return;
  }
  const bool complete = sweep.run();
  view.finish();
  if (!complete) {
    throw Interrupted(
        fmt::format("stopped, {}; go on with:  {}", progress_text(sweep.state()), command_line));
  }
  report(sweep, how.store);
  if (const auto failed = sweep.total_failure()) {
    flush_results();
    const std::string what =
        fmt::format("no run of the sweep is done, {} failed; run {} on {}: {}", sweep.state().failed,
                    failed->id, failed->configuration.dataset, failed->message);
    if (failed->failure == RunFailure::numerical) throw NumericalError(what);
    throw Failure(what);
  }
}

void SweepCommand::report(const Sweep& sweep, const fs::path& file) const {
  const std::string numbers = final_json(sweep).dump(2) + "\n";
  if (json == "-") {
    fmt::print("{}", numbers);
    return;
  }
  if (!json.empty()) write_file_atomically(json, numbers);
  fmt::print("{}List the runs with:  gdkm runs list {}\n", final_table(sweep), shell_word(file.string()));
}

}  // namespace

void add_sweep(CLI::App& app, const std::string& command_line) {
  auto command = std::make_shared<SweepCommand>();
  command->command_line = command_line;
  CLI::App& sweep = *app.add_subcommand("sweep", "Run many configurations from a file; resumable");
  sweep.add_option("SPEC", command->spec, "A TOML file that says what to run\n(docs/experiments.md)")
      ->required()
      ->type_name("");
  sweep.add_option("--store", command->store, "The store of runs [the spec's name with .db]")
      ->type_name("FILE");
  sweep.add_flag("--dry-run", command->dry_run, "Print the plan and an estimate of its time");
  sweep.add_flag("--quick", command->quick, "Run the small variant of the spec's [quick] table");
  sweep.add_option("--only", command->only, "Only these data sets of the spec")
      ->type_name("NAME,..")
      ->delimiter(',');
  sweep.add_flag("--skip-missing", command->skip_missing, "Leave out data sets that cannot be read");
  sweep.add_flag("--retry-failed", command->retry_failed, "Try failed runs again");
  add_number(sweep, "--jobs", "N", command->jobs, 0, 4096,
             "Concurrent runs: processes, or on a GPU threads of\none; 0 for one per core (8 on a GPU)");
  add_number(sweep, "--threads", "N", command->threads, 0, 4096,
             "Threads per run; 0 divides the cores among jobs");
  add_settings_options(sweep, command->settings, nullptr, {"device"});
  add_data_dir(sweep, command->data_dir);
  sweep.add_option("--json", command->json, "Write the table as JSON; - for standard output")
      ->type_name("FILE|-");
  sweep.add_flag("--quiet", command->quiet, "Do not show progress");
  sweep.add_flag("--worker", command->worker)->group("");
  add_number(sweep, "--slots", "N", command->slots, 0, 4096, "")->group("");
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
