#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/data_options.hpp"
#include "gdkm/cli/interrupted.hpp"
#include "gdkm/cli/option_names.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/cli/run_table.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/interrupt.hpp"
#include "gdkm/support/progress.hpp"
#include "gdkm/training/choose_splits.hpp"
#include "gdkm/training/learner.hpp"
#include "gdkm/training/study.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct TrainCommand {
  Settings settings;
  std::string nu = "1", splits = "1", data_dir, save, json, resume;
  bool fixed_scale = false, quiet = false;
  std::set<std::string> given;  // options, as the user named them
  std::string command_line;     // to be shown when it is interrupted

  void settle();
  void settle_model();
  void refuse_options_of_other_task(const Dataset& dataset) const;
  void run();
  fs::path checkpoint_path() const;
};

/// Checks what single options cannot: how they go together.
void TrainCommand::settle() {
  ModelConfig& config = settings.config;
  if (settings.model == "nngp" && given.contains("--nu")) {
    throw InputError("--nu goes with --model dkm: the nngp is the dkm at nu = inf; leave one of the two out");
  }
  config.nu = settings.model == "nngp" ? std::vector<double>{INFINITY} : parse_nu(nu);
  if (config.nu.size() != 1 && config.nu.size() != static_cast<std::size_t>(config.layers)) {
    throw InputError(fmt::format("--nu {}: {} values for {} layers; give one, or one per layer", nu,
                                 config.nu.size(), config.layers));
  }
  settle_model();
  if (config.affine && !config.center)
    throw InputError("--affine goes with --center; add it or leave both out");
  config.learned_scale = !fixed_scale;
  if (splits == "all") {
    settings.splits = 0;
  } else {
    try {
      settings.splits = std::stoi(splits);
    } catch (const std::exception&) {
      settings.splits = -1;
    }
    if (settings.splits < 1 || std::to_string(settings.splits) != splits) {
      throw InputError("--splits " + splits + ": give a number of splits, or 'all'");
    }
  }
  if (!settings.split.empty()) parse_split_spec(settings.split);
  if (save == "-") throw InputError("--save -: a model is a file; give its name");
  for (const std::string& input : {settings.data, resume}) {
    check_output("--save", save, input);
    check_output("--json", json, input);
  }
  if (!save.empty() && !json.empty() &&
      fs::absolute(save).lexically_normal() == fs::absolute(json).lexically_normal())
    throw InputError("--save and --json both name " + save + "; use two files");
}

/// Models other than the sparse dkm have other options; those that would have no effect are refused.
void TrainCommand::settle_model() {
  ModelConfig& config = settings.config;
  const bool gcn = settings.model == "gcn", exact_nngp = settings.exact && settings.model == "nngp";
  const auto refuse = [&](std::initializer_list<const char*> options, const std::string& why) {
    for (const char* option : options) {
      if (given.contains(option)) throw InputError(fmt::format("{}: {}; leave it out", option, why));
    }
  };
  if (gcn && settings.exact)
    throw InputError("--exact goes with --model nngp or dkm; leave it out for a gcn");
  if (gcn) {
    refuse({"--nu", "--scheme", "--inducing", "--kernel", "--center", "--affine", "--fixed-scale", "--bias",
            "--temper-w", "--jitter", "--samples", "--sampling", "--init", "--batches", "--partition",
            "--network", "--noise"},
           "a gcn has nothing of the kind");
    if (config.arch != Architecture::kipf && config.arch != Architecture::platonov)
      throw InputError("--arch " + name_of(config.arch) + ": a gcn is kipf or platonov; use one of these");
  } else {
    refuse({"--width", "--dropout", "--batch-norm", "--row-normalise", "--weight-decay", "--patience"},
           "it is an option of --model gcn");
  }
  if (settings.exact) {
    refuse(
        {"--scheme", "--inducing", "--center", "--affine", "--fixed-scale", "--bias", "--temper-w",
         "--samples", "--sampling", "--init", "--batches", "--partition", "--batch-size", "--pool", "--arch"},
        "an exact model has no inducing points, no readout and one order of layers");
    if (!save.empty())
      throw InputError("--save: an exact model is nothing apart from its data; leave --save or --exact out");
    settings.keep_model = false;
  }
  if (exact_nngp) refuse({"--epochs", "--lr", "--jitter", "--noise"}, "GP regression has one step");
  if (exact_nngp && (settings.network == ExactNetwork::rbf || settings.network == ExactNetwork::linear))
    refuse({"--layers", "--lambda", "--kernel"}, "a kernel of the features alone has nothing of the kind");
  if (exact_nngp && (settings.network == ExactNetwork::sage || settings.network == ExactNetwork::gin))
    refuse({"--lambda"}, "this network does not mix with A_lambda");
  if (!exact_nngp) refuse({"--network"}, "it goes with --model nngp --exact");
  if (!settings.exact) refuse({"--noise"}, "it goes with --model dkm --exact");
  if (settings.exact && settings.device != "cpu")
    throw InputError("--device " + settings.device + ": exact models run on the CPU; leave it out");
  if (settings.exact) refuse({"--jobs"}, "an exact model uses all threads itself");
  if (settings.tf32 && (settings.device == "cpu" || settings.precision == Precision::float64))
    throw InputError("--tf32 goes with --device cuda and --precision float32; leave it out");
  if (settings.exact && settings.precision == Precision::float32)
    refuse({"--precision"}, "exact models compute in float64");
  if (settings.split.empty()) refuse({"--split-seed"}, "it goes with --split");
  if (!settings.split.empty()) refuse({"--split-set"}, "--split draws splits of its own");
  if (settings.training.batches.batches == 1) refuse({"--partition"}, "it goes with --batches");
  settings.gcn.arch = config.arch == Architecture::platonov ? Architecture::platonov : Architecture::kipf;
  settings.gcn.layers = config.layers;
  settings.gcn.pooling = config.pooling;
}

void TrainCommand::refuse_options_of_other_task(const Dataset& dataset) const {
  const bool graphs = dataset.task == Task::graph;
  for (const char* option : {"--bias", "--samples", "--sampling"}) {
    if (dataset.is_regression() && given.contains(option))
      throw InputError(
          fmt::format("{}: this data set has numbers to predict, which always have a bias and need no "
                      "samples; leave it out",
                      option));
  }
  for (const char* option : {"--batches", "--partition"}) {
    if (graphs && given.contains(option))
      throw InputError(
          fmt::format("{}: this data set has many graphs; --batch-size says how many go together", option));
  }
  for (const char* option : {"--pool", "--batch-size"}) {
    if (!graphs && given.contains(option))
      throw InputError(
          fmt::format("{}: it is for data sets of many graphs, and this is one; leave it out", option));
  }
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
  settle();
  const Dataset dataset = load(settings.data, folder(data_dir), settings.threads);
  refuse_options_of_other_task(dataset);
  if (settings.exact && settings.seeds > 1 && !quiet)
    warn("--seeds: an exact model draws no random numbers, and every seed gives the same");
  std::optional<Checkpoint> checkpoint;
  if (!resume.empty()) checkpoint = read_checkpoint(resume);

  const InterruptGuard guard;
  const auto runs = static_cast<std::int64_t>(choose_splits(settings, dataset).size()) * settings.seeds;
  Progress progress(dataset.name, runs * epochs_of(settings),
                    quiet ? Progress::Mode::quiet : Progress::Mode::automatic);
  StudyObserver observer;
  observer.warn = [&](const std::string& message) {
    if (quiet) return;
    progress.clear();
    warn(message);
  };
  observer.interrupted = [&] { return guard.interrupted(); };
  observer.progress = [&](std::int64_t done, double loss) {
    progress.update(done, fmt::format("loss {:.4f}", loss));
  };
  if (checkpoint) {
    progress.start_at(checkpoint->epochs_done(epochs_of(settings)));
  }
  const StudyResult result = run_study(settings, dataset, observer, checkpoint);
  progress.finish();

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
                             {"model", settings.model},
                             {"options", to_json(settings)},
                             {"runs", nlohmann::ordered_json::array()}};
  for (const RunResult& run : result.runs) out["runs"].push_back(to_json(run));
  out["summary"] = summary_json(result.runs);
  if (json == "-") {
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}", run_table(dataset.name, result.runs));
    if (!json.empty()) write_file_atomically(json, out.dump(2) + "\n");
  }
  if (!save.empty() && !result.runs.empty()) write_safetensors(save, result.best_model);
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
  Settings& s = command->settings;
  CLI::App& train = *app.add_subcommand("train", "Train and evaluate a model on a graph");
  train
      .add_option("DATA", s.data, "A data set's name, a file, a folder or a generator\n(see gdkm data list)")
      ->required()
      ->type_name("");

  add_choice<std::string>(
      train, "--model", s.model, {"dkm", "nngp", "gcn"},
      "dkm learns kernels; nngp is the dkm at nu = inf;\ngcn is the network of finite width")
      ->group("Model");
  train
      .add_flag("--exact", s.exact,
                "No inducing points: nngp is then GP regression,\ndkm of full rank (some thousand nodes)")
      ->group("Model");
  train
      .add_option("--nu", command->nu,
                  "How strongly kernels are held to the NNGP: a\nnumber >= 0, inf, or one per layer (0.1,1)")
      ->type_name("X|inf|X1,X2,..")
      ->capture_default_str()
      ->group("Model");
  add_choice(train, "--scheme", s.config.scheme, {Scheme::inter, Scheme::intra},
             "Inducing points apart from the graph, or its nodes")
      ->group("Model");
  add_number(train, "--inducing", "M", s.config.inducing, 1, 20000, "Inducing points")->group("Model");
  add_number(train, "--layers", "L", s.config.layers, 1, 64, "Layers")->group("Model");
  add_choice(train, "--arch", s.config.arch,
             {Architecture::kipf, Architecture::resid, Architecture::platonov, Architecture::algorithm1},
             "Order of layers; resid and platonov are residual")
      ->group("Model");
  train.add_flag("--center", s.config.center, "Centre kernels before every Gram layer")->group("Model");
  train.add_flag("--affine", s.config.affine, "With --center: learn a scale and a bias, too")->group("Model");
  add_choice(train, "--pool", s.config.pooling, {Pooling::mean, Pooling::sum},
             "What graphs make of their nodes")
      ->group("Model");
  add_number(train, "--lambda", "X", s.config.lambda, 0, 1, "Mix with lambda*I + (1-lambda)*A")
      ->group("Model");
  add_choice(train, "--kernel", s.config.kernel, {KernelKind::arccos, KernelKind::rbf, KernelKind::linear},
             "Kernel nonlinearity")
      ->group("Model");
  train.add_flag("--bias", s.config.bias, "Learn a constant in every output, too (regression\nalways does)")
      ->group("Model");
  train.add_flag("--fixed-scale", command->fixed_scale, "Do not learn the scale of the output kernel")
      ->group("Model");
  add_choice(train, "--network", s.network,
             {ExactNetwork::gcn, ExactNetwork::sage, ExactNetwork::gin, ExactNetwork::gcnii,
              ExactNetwork::rbf, ExactNetwork::linear},
             "With --model nngp --exact: whose kernel; rbf and\nlinear see no graph")
      ->group("Exact models");
  add_number(train, "--noise", "X", s.noise, 1e-12, 1e12, "With --model dkm --exact: the noise's variance")
      ->group("Exact models");
  add_number(train, "--width", "W", s.gcn.width, 1, 1000000, "Width of hidden layers")->group("GCN");
  add_number(train, "--dropout", "P", s.gcn.dropout, 0, 0.999,
             "Fraction of hidden values dropped in training")
      ->group("GCN");
  train.add_flag("--batch-norm", s.gcn.batch_norm, "Batch normalisation of hidden layers")->group("GCN");
  train.add_flag("--row-normalise", s.gcn.row_normalise, "Scale hidden rows to mean square 1")->group("GCN");
  add_number(train, "--weight-decay", "X", s.gcn.weight_decay, 0, 1e6, "Of all weights but the last layer's")
      ->group("GCN");
  add_number(train, "--patience", "N", s.patience, 0, 1000000000,
             "Stop after so many epochs without a better\nvalidation accuracy; 0: never")
      ->group("GCN");
  add_number(train, "--temper-w", "X", s.config.temper, 0, 1e6, "Weight of the KL of the readout weights")
      ->group("Model");
  add_number(train, "--jitter", "X", s.config.jitter, 0, 0.1,
             "Added to matrices that are factorised, relative\nto their mean diagonal; raised when needed")
      ->group("Model");

  add_number(train, "--epochs", "N", s.training.epochs, 1, 10000000, "Passes over the training data")
      ->group("Training");
  add_number(train, "--batches", "B", s.training.batches.batches, 1, 1000000,
             "Cut a large graph into so many parts, which take\nturns: memory falls with their number")
      ->group("Training");
  add_choice(train, "--partition", s.training.batches.partition, {Partition::metis, Partition::random},
             "Which nodes go into one part")
      ->group("Training");
  add_number(train, "--batch-size", "N", s.training.batches.graphs, 1, 1000000000, "Graphs in one batch")
      ->group("Training");
  add_number(train, "--lr", "X", s.training.rate, 1e-12, 1e3, "Peak learning rate")->group("Training");
  add_number(train, "--samples", "S", s.config.samples, 1, 4096,
             "Samples of the expected log-likelihood per step")
      ->group("Training");
  add_choice(train, "--sampling", s.config.sampling, {Sampling::node, Sampling::weights},
             "Sample each node's logits, or the weights")
      ->group("Training");
  add_choice(train, "--init", s.training.init, {Init::kmeans, Init::random}, "Where inducing points start")
      ->group("Training");
  add_number(train, "--seed", "S", s.training.seed, 0, 4294967295, "First seed")->group("Training");
  add_number(train, "--seeds", "K", s.seeds, 1, 100000, "Runs per split, with consecutive seeds")
      ->group("Training");
  train.add_option("--resume", command->resume, "Go on from the checkpoint of an interrupted run")
      ->type_name("FILE")
      ->group("Training");

  train.add_option("--splits", command->splits, "Use the first K splits of the data, or all")
      ->type_name("K|all")
      ->capture_default_str()
      ->group("Data");
  train.add_option("--split-set", s.split_set, "Which splits: public, or geom where the data has\nthem")
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Data");
  train
      .add_option("--split", s.split,
                  "Random splits in place of the data's own:\n60/20/20, or per-class=20,val=500,test=1000")
      ->type_name("SPEC")
      ->group("Data");
  add_number(train, "--split-seed", "S", s.split_seed, 0, 4294967295, "What random splits are drawn from")
      ->group("Data");
  add_preprocessing(train, s.preprocessing);
  add_data_dir(train, command->data_dir);

  add_choice(train, "--precision", s.precision, {Precision::float32, Precision::float64}, "Arithmetic")
      ->group("Machine");
  train.add_option("--device", s.device, "Where to compute: cpu, cuda, or cuda:N for one of\nseveral GPUs")
      ->type_name("cpu|cuda|cuda:N")
      ->capture_default_str()
      ->group("Machine");
  train.add_flag("--tf32", s.tf32, "With --device cuda: large products in TF32, faster\nand less accurate")
      ->group("Machine");
  add_number(train, "--threads", "N", s.threads, 0, 4096, "Threads; 0 for one per core")->group("Machine");
  add_number(
      train, "--jobs", "N", s.jobs, 0, 256,
      "Runs (seeds and splits) at a time; 0: one on a\nCPU, up to 8 on a GPU, by the size of the graph")
      ->group("Machine");

  train.add_option("--save", command->save, "Save the model with the best validation accuracy")
      ->type_name("FILE")
      ->group("Output");
  train.add_option("--json", command->json, "Write results as JSON; - for standard output")
      ->type_name("FILE|-")
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
  train.callback([command, &train] {
    for (const CLI::Option* option : train.get_options()) {
      if (option->count() > 0) command->given.insert(option->get_name());
    }
    command->run();
  });
}

}  // namespace gdkm::cli
