#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "gdkm/cli/options.hpp"
#include "gdkm/cli/runs_tables.hpp"
#include "gdkm/cli/watch.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/settings/option.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct TrainCommand {
  Settings settings;
  std::string data, data_dir, save, json, resume;
  bool quiet = false;
  std::set<std::string> given;  // names of options that the user gave
  std::string command_line;     // to be shown when it is interrupted

  void check_files() const;
  void run();
  fs::path checkpoint_path() const;
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
  }
  if (!save.empty() && !json.empty() &&
      fs::absolute(save).lexically_normal() == fs::absolute(json).lexically_normal())
    throw InputError("--save and --json both name " + save + "; use two files");
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

void TrainCommand::run() {
  refuse_without_effect(given, settings);
  check_settings(settings);
  check_files();
  const Dataset dataset = load(data, folder(data_dir), settings.device.threads);
  for (const std::string& remark : dataset.remarks)
    if (!quiet) warn(remark);
  refuse_without_effect(given, settings, kind_of(dataset));
  if (settings.exact && settings.seeds > 1 && !quiet)
    warn(option("seeds") + ": an exact model draws no random numbers, so every seed gives the same result");
  StudyOptions options;
  if (!resume.empty()) options.resume = read_checkpoint(resume);

  const auto runs = static_cast<std::int64_t>(choose_splits(settings.split, dataset).size()) * settings.seeds;
  Watch watch(dataset.name, runs * epochs_of(settings), quiet);
  StudyObserver observer;
  observer.warn = watch.observer.warn;
  observer.interrupted = watch.observer.interrupted;
  observer.progress = [&](std::int64_t done, double loss) {
    watch.progress.update(done, fmt::format("loss {:.4f}", loss));
  };
  if (options.resume) watch.progress.start_at(options.resume->epochs_done(epochs_of(settings)));
  const StudyResult result = run_study(settings, dataset, observer, options);
  watch.progress.finish();

  if (result.checkpoint) {
    const fs::path path = checkpoint_path();
    write_checkpoint(path, *result.checkpoint);
    const std::string go_on =
        resume.empty() ? command_line + " --resume " + shell_word(path.string()) : command_line;
    const auto& under_way = result.checkpoint->under_way;
    const int epoch = under_way.empty() ? 0 : under_way.begin()->second.epoch;
    const std::string beside =
        under_way.size() > 1 ? fmt::format(" (and in {} more)", under_way.size() - 1) : "";
    throw Interrupted(fmt::format("stopped in run {} of {}, after {} of {} epochs{}; go on with:  {}",
                                  result.runs.size() + 1, runs, epoch, settings.training.epochs, beside,
                                  go_on));
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
  if (json != "-") fmt::print("{}", run_table(dataset.name, result.runs));
  if (!json.empty()) write_output(json, out.dump(2) + "\n");
  if (!save.empty() && result.best_model) result.best_model->save(save);
  flush_results();
  if (result.failure) {
    throw NumericalError(fmt::format("run {} of {}: {}", result.runs.size() + 1, runs, *result.failure));
  }
  if (!resume.empty()) fs::remove(resume);  // only now has it served its purpose
}

}  // namespace

void add_train(CLI::App& app, const std::string& command_line) {
  auto command = std::make_shared<TrainCommand>();
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
  add_data_dir(train, command->data_dir);

  add_text(train, "--save", "FILE", command->save, "Save the model of the best run; see --select")
      ->group("Output");
  add_text(train, "--json", "FILE|-", command->json, "Write results as JSON; - for standard output")
      ->group("Output");
  train.add_flag("--quiet", command->quiet, "No progress, no warnings")->group("Output");
  train.footer(
      "Examples:\n"
      "  gdkm train cora --nu 10 --seeds 5\n"
      "  gdkm train chameleon --nu 0.01 --inducing 400 --splits all --json results.json\n"
      "  gdkm train squirrel --scheme intra --nu 0.01 --inducing 400\n"
      "  gdkm train csbm:n=2000,homophily=0.1 --model nngp\n"
      "  gdkm train cora --model nngp --exact\n"
      "  gdkm train cora --model gcn --width 64 --seeds 5\n"
      "  gdkm train MUTAG --arch platonov --center --nu 0.01 --splits all\n"
      "  gdkm train squirrel --center --nu 0.01 --splits all --device cuda\n"
      "  gdkm train graph.npz --nu 0.1 --save model.safetensors\n"
      "Ctrl-C leaves a checkpoint; the message says how to go on.");
  train.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
