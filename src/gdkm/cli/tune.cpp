#include "gdkm/experiments/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/cli/train_command.hpp"
#include "gdkm/cli/tune_results.hpp"
#include "gdkm/cli/worker_command.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/experiments/sweep/refit.hpp"
#include "gdkm/experiments/sweep/sweep_view.hpp"
#include "gdkm/experiments/tune/tune_report.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/terminal.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct TuneCommand {
  std::string data, data_dir, budget = "10m", metric, store, save, report, json, command_line;
  Invocation self;
  Settings settings;            // of which splits and device
  std::set<std::string> given;  // names of options that the user gave
  TuneOptions options;
  bool quiet = false, refit_all = false;

  const DeviceId& device() const { return settings.device.device; }
  void run();
  void finish(const Tune& tune, const Dataset& dataset, const InterruptGuard& guard);
  FittedModel refitted(const Configuration& configuration, const ContenderRuns& runs, const Dataset& dataset,
                       const InterruptGuard& guard) const;
  std::string how_refitted(bool is_winner, const FittedModel& model) const;
  void name_files(const Dataset& dataset);
  void choose_metric(const Dataset& dataset);
  Settings settings_of_winner(const Tune& tune, const TuneResult& result) const;
};

/// The name of a data set as part of a file's name.
std::string file_stem(const Dataset& dataset) {
  const std::string name = dataset.name.substr(0, dataset.name.find(':'));  // that of a generator
  std::string out;
  for (const char c : fs::path(name).stem().string())
    out += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '_';
  return out.empty() ? "graph" : out;
}

void TuneCommand::name_files(const Dataset& dataset) {
  const std::string stem = file_stem(dataset);
  if (store.empty()) store = stem + "-tune.db";
  if (save.empty()) save = stem + "-tune.safetensors";
  if (report.empty()) report = stem + "-tune.html";
  check_store(store, data);
  check_output("--save", save, data);
  check_output("--report", report, data);
  check_output("--json", json, data);
  options.sweep.store = store;
}

void TuneCommand::choose_metric(const Dataset& dataset) {
  const bool numbers = dataset.is_regression();
  if (metric.empty()) {
    options.metric = numbers ? Select::r2 : Select::accuracy;
    return;
  }
  const std::vector<Select> all = numbers
                                      ? std::vector{Select::r2, Select::nll}
                                      : std::vector{Select::accuracy, Select::auc, Select::nll, Select::f1};
  const auto named = value_named<Select>(metric);
  if (!named || std::find(all.begin(), all.end(), *named) == all.end()) {
    std::vector<std::string> names;
    for (const Select each : all) names.push_back(name_of(each));
    throw OptionError(
        "metric", metric,
        fmt::format("for {} expected one of {}", numbers ? "numbers" : "classes", fmt::join(names, ", ")),
        "");
  }
  options.metric = *named;
}

/// With the seeds and splits that the comparison had, so that `gdkm train` gives the same scores.
Settings TuneCommand::settings_of_winner(const Tune& tune, const TuneResult& result) const {
  Settings out = settings_of(tune.configuration(result.winner));
  out.seeds = 1;
  out.split.count = 1;
  for (const RunResult& run : result.runs_of(result.winner).runs) {
    out.seeds = std::max(out.seeds, static_cast<int>(run.seed) + 1);
    out.split.count = std::max(out.split.count, run.split + 1);
  }
  out.device.threads = options.sweep.threads;
  out.device.device = device();
  return out;
}

void TuneCommand::run() {
  options.budget = parse_budget(budget);
  check_device(device());
  const Dataset dataset = load(data, folder(data_dir), options.sweep.threads);
  for (const std::string& remark : dataset.remarks) {
    if (!quiet) note(remark);
  }
  name_files(dataset);
  choose_metric(dataset);
  settle_workers(options.sweep, self, data_dir, device(), 0);
  options.data = data;
  refuse_without_effect(given, settings, kind_of(dataset));
  for (const std::string& name : given) {
    const Option& option = *find_option(name);
    if (option.identifies) options.common[name] = to_json(option, option.get(settings));
  }

  const InterruptGuard guard;
  SweepView view("tune", quiet);
  SweepObserver observer;
  observer.interrupted = [&] { return guard.interrupted(); };
  observer.message = [&](const std::string& text) { view.message(text); };
  observer.progress = [&](const SweepState& state) { view.show(state); };
  Tune tune(dataset, options, observer);
  const bool over = tune.run();
  view.finish();
  if (!over) {
    throw Interrupted(fmt::format("stopped with {} of the budget left; go on with:  {}",
                                  duration_text(std::max(0.0, tune.clock().left())), command_line));
  }
  finish(tune, dataset, guard);
}

/// The winner, or the best of those that can be saved.
const Contender& savable(const TuneResult& result, const TuneSummary& summary) {
  for (const FinalistSummary& each : summary.finalists) {
    if (can_be_saved(each.contender)) return each.contender;
  }
  return result.winner;
}

void TuneCommand::finish(const Tune& tune, const Dataset& dataset, const InterruptGuard& guard) {
  const TuneResult result = tune.result();
  if (result.finalists.empty())
    throw Failure("no run of the search is done; see why with:  gdkm runs list " +
                  shell_word(options.sweep.store.shown()));
  const TuneSummary summary = summarise(result, options.metric);
  const Contender& kept = savable(result, summary);
  const Configuration configuration = tune.configuration(kept);
  const FittedModel model = refitted(configuration, result.runs_of(kept), dataset, guard);
  model.save(save);

  TuneReportTexts texts{
      data, options.sweep.store.shown(), save, how_refitted(kept == result.winner, model), "", ""};
  texts.train_command = train_command(data, data_dir, settings_of_winner(tune, result), kind_of(dataset));
  texts.predict_command = "gdkm predict " + shell_word(save) + " " + shell_word(data) +
                          (data_dir.empty() ? "" : " --data-dir " + shell_word(data_dir));
  constexpr std::size_t listed = 12;
  const Split split = choose_split(settings_of(configuration).split, 0, dataset);
  write_output(report, tune_report(texts, tune.task(), options.metric, result, summary,
                                   doubtful_items(model.predict(dataset), dataset, split, listed)));
  if (!json.empty()) {
    auto out = tune_json(result, summary, options.metric);
    out["command"] = texts.train_command;
    out["model"] = save;
    write_output(json, out.dump(2) + "\n");
  }
  if (json == "-") return;
  fmt::print("{}{}\n{}\nRepeat the winner:  {}\nUse the model:      {}\nRead the report:    {}\n",
             tune_table(summary, options.metric, tune.task().regression),
             verdict(tune.task(), options.metric, result, summary), texts.how_refitted, texts.train_command,
             texts.predict_command, report);
}

FittedModel TuneCommand::refitted(const Configuration& configuration, const ContenderRuns& runs,
                                  const Dataset& dataset, const InterruptGuard& guard) const {
  ExecutionOptions execution{options.sweep.threads, device(), 0};
  execution.interrupted = [&] { return guard.interrupted(); };
  const bool on_all = refit_all && !settings_of(configuration).uses_dense();
  const auto model = on_all ? refit_on_all(configuration, runs.runs.front(), dataset, execution)
                            : refit(configuration, dataset, execution);
  if (!model)
    throw Interrupted("stopped while the winner was trained once more; go on with:  " + command_line);
  return *model;
}

std::string TuneCommand::how_refitted(bool is_winner, const FittedModel& model) const {
  std::string out =
      is_winner ? "The model in " + save
                : "Exact models cannot be saved, so the model in " + save + " is the best of the others:";
  out += is_winner ? "" : " it";
  if (!refit_all || model.card().settings.uses_dense())
    return out + " is the one of the first split, trained on its training items.";
  return out + fmt::format(
                   " was trained on training and validation items of the first split, for {} epochs, as "
                   "many as the tuned one had seen; its calibration is that of the tuned one.",
                   model.card().run.epochs);
}

}  // namespace

void add_tune(CLI::App& app, const std::string& command_line, const Invocation& self) {
  auto command = std::make_shared<TuneCommand>();
  command->command_line = command_line;
  command->self = self;
  CLI::App& tune = *app.add_subcommand("tune", "Choose settings for a graph, refit, save, report");
  SweepOptions& sweep = command->options.sweep;
  sweep.jobs = sweep.threads = sweep.slots = 0;  // settle_workers() chooses
  add_argument(tune, "DATA", command->data,
               "A data set's name, a file, a folder or a generator\n(see gdkm data list)");
  add_text(tune, "--budget", "TIME", command->budget, "How long to search: 30s, 10m, 2h")
      ->capture_default_str();
  add_text(tune, "--metric", "NAME", command->metric,
           "What settings are chosen by, on validation data:\naccuracy (default), auc, nll or f1; for "
           "numbers\nr2 (default) or nll");
  add_settings_options(tune, command->settings, &command->given,
                       {"split_set", "split", "split_seed", "conformal", "class_weights", "device"});
  add_number(tune, "--jobs", "N", sweep.jobs, 0, 4096, "Runs at a time; 0 for one per core")
      ->group("Machine");
  add_number(tune, "--threads", "N", sweep.threads, 0, 4096,
             "Threads per run; 0 divides the cores among jobs")
      ->group("Machine");
  add_data_dir(tune, command->data_dir);
  add_text(tune, "--store", "FILE|URL", command->store, "The store of runs [the data's name with -tune.db]")
      ->group("Output");
  add_text(tune, "--save", "FILE", command->save, "The model [the data's name with -tune.safetensors]")
      ->group("Output");
  add_text(tune, "--report", "FILE", command->report, "The report [the data's name with -tune.html]")
      ->group("Output");
  add_text(tune, "--json", "FILE|-", command->json, "Write results as JSON; - for standard output")
      ->group("Output");
  tune.add_flag(
      "--refit-all", command->refit_all,
      "Train the model that is saved on validation items,\ntoo, for as many epochs as without them");
  tune.add_flag("--new-graphs", command->options.new_graphs, "Only models that can predict on other graphs");
  tune.add_flag("--quiet", command->quiet, "Do not show progress")->group("Output");
  tune.footer(
      "Compares models and options by validation scores, the default among them, saves\n"
      "the best model and writes a report about it. docs/tune.md says what is tried.\n"
      "After Ctrl-C or a crash the same command goes on; the store counts time used.\n"
      "Examples:\n"
      "  gdkm tune cora\n"
      "  gdkm tune graph.npz --budget 30m --save model.safetensors --report graph.html\n"
      "  gdkm tune minesweeper --metric auc --budget 10m\n"
      "  gdkm tune csbm:n=500,homophily=0.2,signal=5 --budget 30s --split 60/20/20");
  tune.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
