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

/// One of the processes that a sweep starts; SPEC is then the store.
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
  // The program that runs now, even when another has since been built in its place.
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
  if (jobs == 0) jobs = device().is_cpu() ? cores : 8;  // runs on a GPU leave it idle in between
  // Processes take turns on a GPU, while threads of one share it. On a CPU they gain nothing, and a crash
  // would take all.
  if (slots == 0) slots = device().is_cpu() ? 1 : jobs;
  if (threads == 0) threads = std::max(1, cores / jobs);
  const SweepSpec parsed = read_sweep_spec(spec, quick);
  const SweepOptions how = options(parsed);

  const InterruptGuard guard;
  SweepView view(parsed.name, quiet);
  SweepObserver observer;
  observer.interrupted = [&] { return guard.interrupted(); };
  observer.say = [&](const std::string& message) { view.say(message); };
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
  if (const auto failed = sweep.failure_of_all()) {
    flush_results();
    const std::string what =
        fmt::format("no run of the sweep was done, {} failed; run {} on {}: {}", sweep.state().failed,
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
  fmt::print("{}The runs, to look at:  gdkm runs list {}\n", final_table(sweep), shell_word(file.string()));
}

}  // namespace

void add_sweep(CLI::App& app, const std::string& command_line) {
  auto command = std::make_shared<SweepCommand>();
  command->command_line = command_line;
  CLI::App& sweep = *app.add_subcommand("sweep", "Many runs from one file, stored, resumable");
  sweep.add_option("SPEC", command->spec, "What to run: a TOML file (docs/experiments.md)")
      ->required()
      ->type_name("");
  sweep.add_option("--store", command->store, "Where runs are kept; the spec's name with .db\nby default")
      ->type_name("FILE");
  sweep.add_flag("--dry-run", command->dry_run, "Print the plan and its estimated time, run nothing");
  sweep.add_flag("--quick", command->quick, "The small variant, as [quick] of the spec says");
  sweep.add_option("--only", command->only, "Only these data sets of the spec")
      ->type_name("NAME,..")
      ->delimiter(',');
  sweep.add_flag("--skip-missing", command->skip_missing, "Leave out data sets that are not to be found");
  sweep.add_flag("--retry-failed", command->retry_failed, "Try runs again that failed");
  add_number(
      sweep, "--jobs", "N", command->jobs, 0, 4096,
      "Runs at the same time: a process each, or on a GPU\nthreads of one; 0 for one per core (8 on a GPU)");
  add_number(sweep, "--threads", "N", command->threads, 0, 4096, "Threads of each; 0 shares out the cores");
  add_settings_options(sweep, command->settings, nullptr, {"device"});
  add_data_dir(sweep, command->data_dir);
  sweep.add_option("--json", command->json, "Write the table as JSON; - for standard output")
      ->type_name("FILE|-");
  sweep.add_flag("--quiet", command->quiet, "No progress");
  sweep.add_flag("--worker", command->worker)->group("");
  add_number(sweep, "--slots", "N", command->slots, 0, 4096, "")->group("");
  add_number(sweep, "--validate-every", "N", command->validate_every, 0, 1000000000, "")->group("");
  sweep.footer(
      "Ctrl-C, a crash or a kill loses nothing but the runs under way: the same command\n"
      "goes on where it stopped. Several may work on one store at the same time.\n"
      "Examples:\n"
      "  gdkm sweep experiments/paper-quick.toml --dry-run\n"
      "  gdkm sweep experiments/paper-quick.toml --jobs 2\n"
      "  gdkm sweep experiments/node-dkm.toml --only cora,citeseer --store node.db");
  sweep.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
