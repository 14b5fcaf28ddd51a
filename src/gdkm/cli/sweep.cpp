#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/cli/worker_command.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/experiments/sweep/refit.hpp"
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
  std::string spec, store, data_dir, json, save, command_line;
  std::vector<std::string> set;
  Invocation self;
  Settings settings;  // of which the device
  SweepOptions options;
  int validate_every = 0;
  bool quick = false, quiet = false, worker = false;

  const DeviceId& device() const { return settings.device.device; }
  void run();
  void report(const Sweep& sweep) const;
  void check_save(const SweepSpec& parsed) const;
  void save_best(const Sweep& sweep) const;
};

void SweepCommand::run() {
  check_device(device());
  if (worker) {  // of another sweep; SPEC is then the store
    const ExecutionOptions execution{options.threads, device(), validate_every};
    return work_on_runs({spec, folder(data_dir), execution, std::max(1, options.slots)});
  }
  check_output("--json", json, spec);
  const SweepSpec parsed = with_options(read_sweep_spec(spec, quick), set);
  check_save(parsed);
  options.store = store.empty() ? parsed.name + ".db" : store;
  if (!device().is_cpu()) options.needs = "cuda";
  settle_workers(options, self, data_dir, device(), parsed.validate_every);

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
  if (!save.empty()) save_best(sweep);
}

/// Asked before the work and not after it.
void SweepCommand::check_save(const SweepSpec& parsed) const {
  if (save.empty()) return;
  if (save == "-") throw InputError("--save -: a model is a file; give its name");
  check_output("--save", save, spec);
  std::set<std::string> names(options.only.begin(), options.only.end());
  if (names.empty()) {
    for (const StudySpec& study : parsed.studies) names.insert(study.datasets.begin(), study.datasets.end());
  }
  if (names.size() > 1)
    throw InputError(fmt::format(
        "--save {}: the sweep has several data sets, and a model belongs to one; choose it with --only {}",
        save, *names.begin()));
}

void SweepCommand::save_best(const Sweep& sweep) const {
  std::optional<StageChain::BestRun> best;
  for (const auto& chain : sweep.chains()) {
    const auto run = chain->best_savable_run();
    if (run && (!best || run->mean > best->mean)) best = run;
  }
  if (!best)
    throw Failure("--save " + save + ": no model of the sweep can be saved, as all of them are exact");
  const Configuration& run = best->configuration;
  const Dataset dataset = load(run.dataset, options.data_dir, options.threads);
  const InterruptGuard guard;
  ExecutionOptions execution{options.threads, device(), 0};
  execution.interrupted = [&] { return guard.interrupted(); };
  const auto model = refit(run, dataset, execution);
  if (!model)
    throw Interrupted("stopped while the best model was trained once more; go on with:  " + command_line);
  model->save(save);
  if (json != "-")
    fmt::print("{} has the model of split {}, seed {}, which validates best.\n", save, run.split, run.seed);
}

void SweepCommand::report(const Sweep& sweep) const {
  if (!json.empty()) write_output(json, final_json(sweep).dump(2) + "\n");
  if (json == "-") return;
  fmt::print("{}List the runs with:  gdkm runs list {}\n", final_table(sweep),
             shell_word(options.store.shown()));
}

}  // namespace

void add_sweep(CLI::App& app, const std::string& command_line, const Invocation& self) {
  auto command = std::make_shared<SweepCommand>();
  command->command_line = command_line;
  command->self = self;
  CLI::App& sweep = *app.add_subcommand("sweep", "Run many configurations from a file; resumable");
  SweepOptions& options = command->options;
  options.jobs = options.threads = options.slots = 0;  // settle_workers() chooses
  add_argument(sweep, "SPEC", command->spec, "A TOML file that says what to run\n(docs/experiments.md)");
  add_text(sweep, "--store", "FILE|URL", command->store,
           "The store of runs [the spec's name with .db], or\npostgresql://user@host/database");
  sweep.add_flag("--dry-run", options.dry, "Print the plan and an estimate of its time");
  sweep.add_flag_callback(
      "--plan-only", [&options] { options.start_workers = false; },
      "Execute nothing; leave the runs to gdkm worker");
  sweep.add_flag("--quick", command->quick, "Run the small variant of the spec's [quick] table");
  add_text(sweep, "--set", "KEY=VALUE", command->set,
           "An option for the whole sweep, as if it\nstood in the spec: inference=paper");
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
  add_text(sweep, "--save", "FILE", command->save,
           "Save the best model, by validation; it is trained\nonce more");
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
      "  gdkm sweep experiments/node-dkm.toml --only cora,citeseer --store node.db\n"
      "  gdkm sweep experiments/node-dkm.toml --set inference=paper\n"
      "  gdkm sweep experiments/node-dkm.toml --only cora --save cora.safetensors");
  sweep.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
