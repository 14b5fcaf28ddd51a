#include "gdkm/training/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "gdkm/data/random_splits.hpp"
#include "gdkm/data/split_spec.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/version.hpp"
#include "gdkm/training/learner.hpp"

namespace gdkm {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What a checkpoint must agree with the command in: every option, and the data itself.
std::string identity(const Settings& settings, const Dataset& dataset) {
  auto json = to_json(settings);
  json["model"] = settings.model;
  json["data"] = settings.data;
  json["contents of the data"] = fingerprint(dataset);
  return json.dump();
}

void check_same(const Checkpoint& checkpoint, const Settings& settings, const Dataset& dataset) {
  const auto was = nlohmann::ordered_json::parse(checkpoint.settings),
             is = nlohmann::ordered_json::parse(identity(settings, dataset));
  for (const auto& [key, value] : is.items()) {
    const auto before = was.contains(key) ? was.at(key) : nlohmann::ordered_json();
    if (before == value) continue;
    throw InputError(
        fmt::format("--resume: the checkpoint was made with {} = {}, this command has {}; repeat the command "
                    "that was interrupted, on the same data",
                    key, before.dump(), value.dump()));
  }
}

/// The full-rank DKM follows Algorithm 1; the exact NNGP and the GCN take features as they are.
ModelConfig config_of_problem(const Settings& settings) {
  ModelConfig out = settings.config;
  if (settings.model == "gcn" || settings.exact)
    out.arch = settings.exact && settings.model == "dkm" ? Architecture::algorithm1 : Architecture::kipf;
  return out;
}

template <class T>
class Study {
 public:
  Study(const Settings& settings, const Dataset& dataset, const StudyObserver& observer)
      : settings_(settings),
        dataset_(dataset),
        observer_(observer),
        backend_(settings.threads),
        problem_(prepare(dataset, settings.preprocessing, config_of_problem(settings))),
        splits_(choose_splits(settings, dataset)),
        graph_(fingerprint(problem_.mixing)) {}

  StudyResult run(const std::optional<Checkpoint>& resume) {
    StudyResult out;
    observer_.device(backend_.description());
    if (resume) {
      out.runs = resume->finished;
      if (resume->best) out.best_model = *resume->best;
      for (const RunResult& run : out.runs) note_best(run);
    }
    const auto total = static_cast<int>(splits_.size()) * settings_.seeds;
    for (int k = static_cast<int>(out.runs.size()); k < total; ++k) {
      const bool resumed = resume && k == static_cast<int>(resume->finished.size());
      const int split = k / settings_.seeds;
      const std::uint64_t seed = settings_.training.seed + static_cast<std::uint64_t>(k % settings_.seeds);
      try {
        const auto start = Clock::now();
        const auto learner = make_learner<T>(backend_, settings_, dataset_, problem_, splits_[split], seed);
        if (resumed) learner->restore_state(resume->state, "the checkpoint");
        const double earlier = resumed ? resume->seconds : 0;
        while (!learner->finished()) {
          if (observer_.interrupted()) {
            out.checkpoint = stopped(*learner, out, earlier + seconds_since(start));
            return out;
          }
          const double loss = learner->step();
          observer_.stepped(*learner, problem_, splits_[split]);
          observer_.progress(std::int64_t{k} * epochs_of(settings_) + learner->epoch(), loss);
        }
        out.runs.push_back(evaluate_run(*learner, seed, split));
        out.runs.back().seconds = earlier + seconds_since(start);
        if (note_best(out.runs.back()) && settings_.keep_model)
          out.best_model = learner->model_file(card(out.runs.back()));
      } catch (const NumericalError& error) {
        out.failure = error.what();  // the runs before it are not lost
        return out;
      }
    }
    return out;
  }

 private:
  RunResult evaluate_run(Learner& learner, std::uint64_t seed, int split) {
    RunResult run;
    run.seed = seed;
    run.split = split;
    run.epochs = learner.epoch();
    run.first_loss = learner.losses().front();
    run.last_loss = learner.losses().back();
    const Split& s = splits_[split];
    const auto predictions = learner.predict();
    run.jitter = learner.jitter();
    const auto score = [&](const std::vector<std::int32_t>& items) {
      return problem_.is_regression()
                 ? evaluate_numbers(predictions, problem_.targets, problem_.target, items)
                 : evaluate(predictions, problem_.classes, problem_.label, items);
    };
    run.majority =
        problem_.is_regression() ? std::nan("") : majority_accuracy(problem_.label, s.train, s.test);
    run.train = score(s.train);
    run.val = score(s.val);
    run.test = score(s.test);
    observer_.evaluated(run, predictions, problem_, s);
    return run;
  }

  /// Whether the run is the best so far, by validation accuracy (training accuracy where there is no
  /// validation set).
  bool note_best(const RunResult& run) {
    const double score = run.val ? run.val->score() : (run.train ? run.train->score() : 0);
    if (score <= best_) return false;
    best_ = score;
    return true;
  }

  ModelCard card(const RunResult& run) const {
    ModelCard out;
    out.settings = settings_;
    out.settings.training.seed = run.seed;
    out.version = version;
    out.nodes = problem_.nodes();
    out.features = problem_.features.cols;
    out.classes = problem_.outputs();
    out.class_names = dataset_.class_names;
    out.graph = graph_;
    out.run = run;
    return out;
  }

  Checkpoint stopped(Learner& learner, const StudyResult& so_far, double seconds) {
    Checkpoint out;
    out.settings = identity(settings_, dataset_);
    out.finished = so_far.runs;
    if (!so_far.best_model.tensors.empty()) out.best = so_far.best_model;
    out.seconds = seconds;
    out.epoch = learner.epoch();
    out.state = learner.save_state();
    return out;
  }

  const Settings& settings_;
  const Dataset& dataset_;
  const StudyObserver& observer_;
  CpuBackend<T> backend_;
  Problem problem_;
  std::vector<Split> splits_;
  std::string graph_;
  double best_ = -std::numeric_limits<double>::infinity();
};

void warn_of_oddities(const Dataset& dataset, const std::vector<Split>& splits,
                      const StudyObserver& observer) {
  if (dataset.graph.edges.empty()) observer.warn("the graph has no edges: every node is by itself");
  if (dataset.is_regression()) return;
  std::vector<char> seen(static_cast<std::size_t>(dataset.classes), 0);
  for (const auto node : splits.front().train) seen[dataset.label[node]] = 1;
  for (int c = 0; c < dataset.classes; ++c) {
    if (!seen[c]) observer.warn(fmt::format("class {} has no training node: it will hardly be predicted", c));
  }
}

}  // namespace

std::vector<Split> choose_splits(const Settings& settings, const Dataset& dataset) {
  if (std::all_of(dataset.label.begin(), dataset.label.end(), [](std::int32_t label) { return label < 0; })) {
    throw InputError(dataset.name + ": no node has a label; label the nodes to train on");
  }
  std::vector<Split> splits;
  const auto found = dataset.splits.find(settings.split_set);
  if (!settings.split.empty()) {
    return make_splits(parse_split_spec(settings.split), dataset.label, settings.split_seed,
                       settings.splits == 0 ? 10 : settings.splits);
  }
  if (found != dataset.splits.end()) {
    splits = found->second;
  } else if (dataset.splits.empty() && settings.split_set == "public") {
    splits = random_splits(dataset.label, 0.6, 0.2, settings.splits == 0 ? 10 : settings.splits, 0);
  } else {
    std::string names;
    for (const auto& [name, set] : dataset.splits) names += (names.empty() ? "" : ", ") + name;
    throw InputError(fmt::format("--split-set {}: {} has no such splits; it has {}", settings.split_set,
                                 dataset.name, names.empty() ? "none" : names));
  }
  if (settings.splits > static_cast<int>(splits.size())) {
    throw InputError(
        fmt::format("--splits {}: {} has {} in the set '{}'; ask for at most that many, or 'all'",
                    settings.splits, dataset.name, splits.size(), settings.split_set));
  }
  if (settings.splits > 0) splits.resize(static_cast<std::size_t>(settings.splits));
  return splits;
}

StudyResult run_study(Settings settings, const Dataset& given, const StudyObserver& observer,
                      const std::optional<Checkpoint>& resume) {
  if (settings.preprocessing.adjacency.keep_direction && settings.config.scheme == Scheme::intra &&
      given.graph.directed) {
    throw InputError(
        "--directed: inducing points on the nodes of a graph (--scheme intra) need a symmetric one; use "
        "--scheme inter");
  }
  if (settings.config.scheme == Scheme::intra && given.task == Task::graph) {
    throw InputError(
        "--scheme intra: its inducing points sit on the nodes of one graph, and this data set has many; use "
        "--scheme inter");
  }
  if (settings.config.scheme == Scheme::intra && settings.training.batches.batches > 1) {
    throw InputError(
        "--batches: inducing points on nodes (--scheme intra) need the whole graph; use --scheme inter");
  }
  if (settings.model == "gcn" && given.is_regression())
    throw InputError("--model gcn: it predicts classes, and this data set has numbers; use dkm or nngp");
  const Dataset dataset = preprocess(given, settings.preprocessing);
  settings.config.regression = dataset.is_regression();
  const Index asked = settings.config.inducing;
  if (settings.is_sparse_dkm()) settings.config.inducing = std::min(asked, dataset.graph.nodes);
  if (resume) check_same(*resume, settings, dataset);
  const auto splits = choose_splits(settings, dataset);
  if (asked > settings.config.inducing) {
    observer.warn(
        fmt::format("--inducing {}: lowered to {}, the number of nodes", asked, settings.config.inducing));
  }
  if (dataset.splits.empty() && settings.split.empty()) {
    observer.warn(fmt::format("{} has no splits: using random ones, 60/20/20", dataset.name));
  }
  warn_of_oddities(dataset, splits, observer);
  if (settings.precision == Precision::float64) return Study<double>(settings, dataset, observer).run(resume);
  return Study<float>(settings, dataset, observer).run(resume);
}

}  // namespace gdkm
