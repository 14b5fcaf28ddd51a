#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "gdkm/cli/cost_table.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/cli/runs_tables.hpp"
#include "gdkm/cli/watch.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/experiments/sweep/run_log.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/fitting/study_remarks.hpp"
#include "gdkm/settings/option.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct TrainCommand {
  Settings settings;
  std::string data, data_dir, save, json, resume, store;
  bool quiet = false;
  std::optional<double> coverage;
  std::set<std::string> given;  // names of options that the user gave
  std::string command_line;     // to be shown when it is interrupted
  int dry_run = 0;              // ranks whose costs are printed, in place of training; 0: train
  double keep_every = -1;       // minutes from one checkpoint to the next; negative: not said
  LaunchedRanks* ranks = nullptr;

  void check_files() const;
  void run();
  void print_notes(const Dataset& dataset, const std::vector<RunResult>& runs) const;
  fs::path checkpoint_path() const;
  std::string go_on(const fs::path& checkpoint) const;
  void print_costs(const Dataset& dataset) const;
};

/// Asked before the work and not after it.
void TrainCommand::check_files() const {
  if (settings.exact && !save.empty())
    throw InputError(
        "--save: exact models are not saved; leave --save out, or train without --exact to predict on new "
        "data");
  if (save == "-") throw InputError("--save -: a model is a file; give its name");
  for (const std::string& input : {data, resume}) {
    check_output("--save", save, input);
    check_output("--json", json, input);
    check_store(store, input);
  }
  if (!save.empty() && !json.empty() &&
      fs::absolute(save).lexically_normal() == fs::absolute(json).lexically_normal())
    throw InputError("--save and --json both name " + save + "; use two files");
}

/// "nu chosen on validation data: 10 (split 0), 1 (split 1)".
std::string chosen_nu_text(const std::vector<RunResult>& runs) {
  std::vector<std::string> parts;
  for (const RunResult& run : runs)
    parts.push_back(fmt::format("{} (split {}, seed {})", to_text(run.nu), run.split, run.seed));
  return fmt::format("nu chosen on validation data: {}\n", fmt::join(parts, ", "));
}

/// An earlier checkpoint may hold hours of work: a new one takes a name that is free.
fs::path TrainCommand::checkpoint_path() const {
  if (!resume.empty()) return resume;
  for (int k = 1;; ++k) {
    const std::string number = k == 1 ? "" : fmt::format("-{}", k);
    const fs::path path = save.empty() ? fmt::format("gdkm-checkpoint{}.safetensors", number)
                                       : fmt::format("{}.checkpoint{}", save, number);
    if (!fs::exists(path)) return path;
  }
}

/// What a step costs each rank. Under mpirun these are its ranks, whose messages are measured.
void TrainCommand::print_costs(const Dataset& dataset) const {
  const PreparedData prepared = prepare(dataset, settings, [](const std::string& remark) { warn(remark); });
  const Split split = choose_splits(settings.split, prepared.dataset).front();
  const int count = settings.device.ranks ? settings.device.ranks->size() : dry_run;
  const MachineRates rates = measure_rates(settings);
  if (ranks->speaks()) fmt::print("{}", cost_table(step_costs(prepared, split, count), rates));
}

/// The command that goes on from a checkpoint.
std::string TrainCommand::go_on(const fs::path& checkpoint) const {
  return resume.empty() ? command_line + " --resume " + shell_word(checkpoint.string()) : command_line;
}

/// What to know before believing the scores, and what to do next.
void TrainCommand::print_notes(const Dataset& dataset, const std::vector<RunResult>& runs) const {
  std::fflush(stdout);  // notes stand below the table
  for (const RunResult& run : runs) {
    if (run.lost.empty()) continue;
    note(fmt::format("split {}, seed {}: training ended after {} epochs ({}); the model is that of epoch {}",
                     run.split, run.seed, run.epochs, run.lost, run.best_epoch));
  }
  for (const std::string& remark :
       remarks_on_scores(dataset, choose_splits(settings.split, dataset), runs, settings))
    note(remark);
  if (settings.model == ModelKind::dkm && !settings.exact && settings.members.empty() &&
      !given.contains("nu"))
    note(option("nu") + " has its default, 1; " + option("nu", "auto") +
         " chooses it by validation, and gdkm tune " + shell_word(data) + " chooses other options, too");
}

void TrainCommand::run() {
  if (coverage && !given.contains("conformal")) settings.split.conformal = 0.5;
  refuse_without_effect(given, settings);
  check_settings(settings);
  check_files();
  ranks->join(settings.device);
  if (!ranks->speaks()) {  // the first rank writes
    quiet = true;
    save.clear(), json.clear(), store.clear();
  }
  Dataset dataset = load(data, folder(data_dir), settings.device.threads, ranks->reading());
  for (const std::string& remark : dataset.remarks) {
    if (!quiet) note(remark);
  }
  refuse_without_effect(given, settings, kind_of(dataset));
  if (settings.exact && settings.seeds > 1 && !quiet)
    warn(option("seeds") + ": an exact model draws no random numbers, so every seed gives the same result");
  if (const std::string columns = described(dataset.columns); !columns.empty() && !quiet)
    note(fmt::format("{}; {}", columns,
                     option("normalise", name_of(resolved(settings.preprocessing, dataset.columns)))));
  if (dry_run > 0 && !dataset.owner.empty())
    throw InputError("--dry-run: ranks have read their own parts alone; start one process for it");
  if (dry_run > 0) return print_costs(dataset);
  StudyOptions options;
  options.coverage = coverage.value_or(usual_coverage);
  if (!resume.empty()) options.resume = read_checkpoint(resume);
  constexpr double minutes_of_ranks = 10;  // more machines, more that may fail
  options.keep_after = 60 * (keep_every >= 0 ? keep_every : settings.device.ranks ? minutes_of_ranks : 0);
  std::optional<fs::path> kept;
  options.keep = [&](const Checkpoint& state) {
    if (!ranks->speaks()) return;
    const bool first = !kept;
    if (first) kept = checkpoint_path();
    write_checkpoint(*kept, state);
    if (first && !quiet)
      note(fmt::format("keeping a checkpoint; after a failure go on with:  {}", go_on(*kept)));
  };

  const auto runs = static_cast<std::int64_t>(choose_splits(settings.split, dataset).size()) * settings.seeds;
  Watch watch(dataset.name, runs * epochs_of(settings), quiet);
  StudyObserver observer;
  observer.warn = watch.observer.warn;
  observer.interrupted = watch.observer.interrupted;
  observer.progress = [&](std::int64_t done, double loss) {
    watch.progress.update(done, fmt::format("loss {:.4f}", loss));
  };
  std::optional<RunLog> log;
  if (!store.empty()) {
    log.emplace(store, data, dataset, settings);
    observer.device = [&](const std::string& description) { log->set_device(description); };
    observer.run_ended = [&](const RunResult& run, const auto& losses) { log->add(run, losses); };
  }
  if (options.resume) watch.progress.start_at(options.resume->epochs_done(epochs_of(settings)));
  Dataset studied = dataset;
  if (!dataset.owner.empty()) dataset = without_rows(std::move(dataset));
  const StudyResult result = run_study(settings, std::move(studied), observer, options);
  watch.progress.finish();

  if (result.checkpoint) {
    const fs::path path = kept ? *kept : checkpoint_path();
    if (ranks->speaks()) write_checkpoint(path, *result.checkpoint);
    const auto& under_way = result.checkpoint->under_way;
    const int epoch = under_way.empty() ? 0 : under_way.begin()->second.epoch;
    const std::string beside =
        under_way.size() > 1 ? fmt::format(" (and in {} more)", under_way.size() - 1) : "";
    throw Interrupted(fmt::format("stopped in run {} of {}, after {} of {} epochs{}; go on with:  {}",
                                  result.runs.size() + 1, runs, epoch, settings.training.epochs, beside,
                                  go_on(path)));
  }
  // What was in force: the study lowers it so, and a saved model says so too.
  settings.config.inducing = std::min(settings.config.inducing, dataset.graph.nodes);
  nlohmann::ordered_json out{{"dataset", dataset.name},
                             {"task", dataset.task == Task::node ? "node" : "graph"},
                             {"model", name_of(settings.model)},
                             {"options", to_json(settings)},
                             {"runs", nlohmann::ordered_json::array()}};
  for (const RunResult& run : result.runs) out["runs"].push_back(to_json(run));
  out["summary"] = summary_json(result.runs);
  if (json != "-") {
    fmt::print("{}", run_table(dataset.name, result.runs));
    if (settings.chooses_nu() && settings.members.empty()) fmt::print("{}", chosen_nu_text(result.runs));
    if (const auto classes = confusion_table(result.runs, dataset.class_names); !quiet && !classes.empty())
      fmt::print("\n{}", classes);
  }
  if (!quiet) print_notes(dataset, result.runs);
  if (log && log->known() > 0 && !quiet)
    warn(fmt::format("{} has {} of these runs already; they stay as they are", StoreLocation(store).shown(),
                     log->known()));
  if (!json.empty()) write_output(json, out.dump(2) + "\n");
  if (!save.empty() && result.best_model) result.best_model->save(save);
  flush_results();
  if (result.failure) {
    throw NumericalError(fmt::format("run {} of {}: {}", result.runs.size() + 1, runs, *result.failure));
  }
  if (!ranks->speaks()) return;
  if (!resume.empty()) fs::remove(resume);  // only now has it served its purpose
  if (kept) fs::remove(*kept);
}

}  // namespace

void add_train(CLI::App& app, const std::string& command_line, LaunchedRanks& ranks) {
  auto command = std::make_shared<TrainCommand>();
  command->ranks = &ranks;
  command->command_line = command_line;
  CLI::App& train = *app.add_subcommand("train", "Train and evaluate a model on a graph");
  add_argument(train, "DATA", command->data,
               "A data set's name, a file, a folder or a generator\n(see gdkm data list)");
  add_choice(train, "--model", command->settings.model,
             "dkm learns kernels; nngp is the dkm at nu = inf;\ngcn is the network of finite width")
      ->group("Model");
  add_settings_options(train, command->settings, &command->given);
  add_text(train, "--resume", "FILE", command->resume, "Go on from the checkpoint of an interrupted run")
      ->group("Training");
  train
      .add_option(
          "--dry-run", command->dry_run,
          "Train nothing; print the memory, messages and time\nthat a step takes of each of so many ranks")
      ->type_name("RANKS")
      ->check(CLI::Range(1, 4096))
      ->group("Output");
  train
      .add_option("--keep-every", command->keep_every,
                  "Write a checkpoint every so many minutes, 0 for\nnever (default: 10 under mpirun, else 0)")
      ->type_name("MIN")
      ->check(CLI::Range(0.0, 1e6))
      ->group("Training");
  add_data_dir(train, command->data_dir);

  add_text(train, "--save", "FILE", command->save, "Save the model of the best run; see --select")
      ->group("Output");
  add_text(train, "--json", "FILE|-", command->json, "Write results as JSON; - for standard output")
      ->group("Output");
  add_text(train, "--store", "FILE|URL", command->store, "Keep the runs in a store, as gdkm sweep does")
      ->group("Output");
  add_number(train, "--coverage", "C", command->coverage, 0.001, 0.999,
             "Measure how often prediction sets hold the truth\nwhen asked for this; keeps half of the "
             "validation\ndata apart unless --conformal says otherwise")
      ->group("Output");
  train.add_flag("--quiet", command->quiet, "No progress, no warnings, no table of classes")->group("Output");
  train.footer(
      "Examples:\n"
      "  gdkm train cora --nu 10 --seeds 5\n"
      "  gdkm train cora --nu auto --store cora.db\n"
      "  gdkm train chameleon --nu 0.01 --inducing 400 --splits all --json results.json\n"
      "  gdkm train squirrel --scheme intra --nu 0.01 --inducing 400\n"
      "  gdkm train csbm:n=2000,homophily=0.1 --model nngp\n"
      "  gdkm train cora --model nngp --exact\n"
      "  gdkm train cora --model gcn --width 64 --seeds 5\n"
      "  gdkm train MUTAG --arch platonov --center --nu 0.01 --splits all\n"
      "  gdkm train squirrel --center --nu 0.01 --splits all --device cuda\n"
      "  gdkm train graph.npz --nu 0.1 --save model.safetensors\n"
      "  gdkm train chameleon --class-weights balanced --select f1\n"
      "  gdkm train chameleon --splits all --coverage 0.9\n"
      "  mpirun -n 4 gdkm train graph.npz --nu 0.1    four processes share the graph\n"
      "Ctrl-C leaves a checkpoint; the message says how to go on.");
  train.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
