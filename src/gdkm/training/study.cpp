#include "gdkm/training/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "gdkm/data/random_splits.hpp"
#include "gdkm/data/split_spec.hpp"
#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/thread_pool.hpp"
#include "gdkm/support/version.hpp"
#include "gdkm/training/learner.hpp"

namespace gdkm {

namespace {

using Timer = std::chrono::steady_clock;

double seconds_since(Timer::time_point start) {
  return std::chrono::duration<double>(Timer::now() - start).count();
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

/// Nodes that one step sees, about.
Index nodes_of_step(const Settings& settings, const Problem& problem) {
  const BatchOptions& batches = settings.training.batches;
  if (problem.task == Task::node) return problem.nodes() / std::max(1, batches.batches);
  const double share =
      static_cast<double>(batches.graphs) / static_cast<double>(std::max<Index>(1, problem.items()));
  return static_cast<Index>(std::min(1.0, share) * static_cast<double>(problem.nodes()));
}

/// How many runs share the device: a small graph fills a few per cent of a GPU, while a CPU is full with one.
int jobs_of(const Settings& settings, const Problem& problem, int runs) {
  constexpr Index fills_a_gpu = 100000;
  int jobs = settings.jobs;
  if (jobs == 0 && settings.device != "cpu")
    jobs = static_cast<int>(
        std::clamp<Index>(fills_a_gpu / std::max<Index>(nodes_of_step(settings, problem), 1), 1, 8));
  return std::clamp(jobs, 1, std::max(runs, 1));
}

DeviceChoice device_of(const Settings& settings, int jobs) {
  DeviceChoice out;
  out.device = settings.device;
  out.tf32 = settings.tf32;
  out.threads = settings.threads;
  if (jobs > 1 && settings.device == "cpu") {
    out.threads = std::max(1, ThreadPool(settings.threads).size() / jobs);
  }
  return out;
}

/// Runs of one model, some at a time, each on a backend of its own. What comes out does not depend on how
/// many share the device.
template <class T>
class Study {
 public:
  Study(const Settings& settings, const Dataset& dataset, const StudyObserver& observer)
      : settings_(settings),
        dataset_(dataset),
        observer_(observer),
        problem_(prepare(dataset, settings.preprocessing, config_of_problem(settings))),
        splits_(choose_splits(settings, dataset)),
        graph_(fingerprint(problem_.mixing)),
        total_(static_cast<int>(splits_.size()) * settings.seeds) {}

  /// Before anything is said or done: whether the device can be had.
  void open_device(const std::optional<Checkpoint>& resume) {
    const int left = total_ - (resume ? static_cast<int>(resume->finished.size()) : 0);
    const int jobs = jobs_of(settings_, problem_, left);
    for (int j = 0; j < jobs; ++j) backends_.push_back(make_backend<T>(device_of(settings_, jobs)));
  }

  StudyResult run(const std::optional<Checkpoint>& resume) {
    if (resume) {
      if (resume->best) best_model_ = *resume->best;
      for (const RunResult& run : resume->finished) {
        note_best(run);
        in_order_.push_back(run);
        ++next_;
      }
      epochs_done_ = std::int64_t{next_} * epochs_of(settings_) + resume->epoch;
    }
    resume_ = resume ? &*resume : nullptr;
    resumed_ = next_;
    observer_.device(backends_.front()->description());
    ThreadPool(static_cast<int>(backends_.size())).run([&](int j) {
      work(*backends_[static_cast<std::size_t>(j)]);
    });
    if (error_) std::rethrow_exception(error_);
    return result();
  }

 private:
  /// Takes one run after the other until there are none, or the study is over.
  void work(Backend<T>& backend) {
    while (true) {
      int k = 0;
      {
        const std::lock_guard lock(mutex_);
        if (over_ || next_ == total_) return;
        k = next_++;
      }
      try {
        run_one(backend, k);
      } catch (const NumericalError& error) {
        const std::lock_guard lock(mutex_);
        if (failed_ < 0 || k < failed_) failure_ = error.what();
        failed_ = failed_ < 0 ? k : std::min(failed_, k);
        over_ = true;
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        over_ = true;
      }
    }
  }

  void run_one(Backend<T>& backend, int k) {
    const bool resumed = resume_ != nullptr && k == resumed_;
    const int split = k / settings_.seeds;
    const std::uint64_t seed = settings_.training.seed + static_cast<std::uint64_t>(k % settings_.seeds);
    const auto start = Timer::now();
    const auto learner = make_learner<T>(backend, settings_, dataset_, problem_, splits_[split], seed);
    if (resumed) learner->restore_state(resume_->state, "the checkpoint");
    const double earlier = resumed ? resume_->seconds : 0;
    while (!learner->finished()) {
      const int before = learner->epoch();
      const double loss = learner->step();
      const std::lock_guard lock(mutex_);
      epochs_done_ += learner->epoch() - before;
      if (observer_.interrupted()) interrupted_ = over_ = true;
      observer_.stepped(*learner, problem_, splits_[split]);
      if (interrupted_) return keep_state(*learner, k, earlier + seconds_since(start));
      observer_.progress(epochs_done_, loss);
    }
    RunResult out = evaluate_run(*learner, seed, split);
    out.seconds = earlier + seconds_since(start);
    const std::lock_guard lock(mutex_);
    epochs_done_ += epochs_of(settings_) - learner->epoch();  // it may have stopped early
    Finished finished{std::move(out), {}};
    if (settings_.keep_model && score_of(finished.run) > best_)
      finished.model = learner->model_file(card(finished.run));
    finished_.emplace(k, std::move(finished));
    // Runs count in their order, whichever is done first.
    for (auto at = finished_.begin();
         at != finished_.end() && at->first == static_cast<int>(in_order_.size()); at = finished_.erase(at)) {
      if (note_best(at->second.run) && settings_.keep_model) best_model_ = std::move(at->second.model);
      in_order_.push_back(std::move(at->second.run));
    }
  }

  /// Of the runs that were interrupted, the first is kept; those that were under way beside it begin anew.
  void keep_state(Learner& learner, int k, double seconds) {
    if (state_of_ >= 0 && state_of_ < k) return;
    state_of_ = k;
    state_ = {};
    state_.seconds = seconds;
    state_.epoch = learner.epoch();
    state_.state = learner.save_state();
  }

  StudyResult result() {
    StudyResult out;
    out.runs = in_order_;
    out.best_model = best_model_;
    if (failed_ >= 0) out.failure = failure_;
    if (!out.failure && interrupted_ && static_cast<int>(out.runs.size()) < total_) {
      // Only what follows the finished runs can go on from where it was.
      if (state_of_ != static_cast<int>(out.runs.size()))
        throw std::logic_error("[run_study] the first unfinished run was not kept");
      state_.settings = identity(settings_, dataset_);
      state_.finished = out.runs;
      if (!best_model_.tensors.empty()) state_.best = best_model_;
      out.checkpoint = std::move(state_);
    }
    return out;
  }

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
    const std::lock_guard lock(mutex_);
    observer_.evaluated(run, predictions, problem_, s);
    return run;
  }

  /// By validation accuracy, or training accuracy where there is no validation set.
  static double score_of(const RunResult& run) {
    return run.val ? run.val->score() : (run.train ? run.train->score() : 0);
  }
  bool note_best(const RunResult& run) {
    if (score_of(run) <= best_) return false;
    best_ = score_of(run);
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
    out.task = dataset_.task;
    out.graphs = dataset_.task == Task::graph ? dataset_.items() : 0;
    out.columns = dataset_.columns;
    out.graph = graph_;
    out.run = run;
    return out;
  }

  const Settings& settings_;
  const Dataset& dataset_;
  const StudyObserver& observer_;
  Problem problem_;
  std::vector<Split> splits_;
  std::string graph_;
  int total_ = 0, resumed_ = 0;
  std::vector<std::unique_ptr<Backend<T>>> backends_;
  const Checkpoint* resume_ = nullptr;

  std::mutex mutex_;  // of all below, and of the observer
  int next_ = 0;
  bool over_ = false, interrupted_ = false;
  std::int64_t epochs_done_ = 0;
  struct Finished {
    RunResult run;
    TensorFile model;
  };
  std::map<int, Finished> finished_;  // while an earlier one is not
  std::vector<RunResult> in_order_;
  double best_ = -std::numeric_limits<double>::infinity();
  TensorFile best_model_;
  int failed_ = -1, state_of_ = -1;
  std::string failure_;
  Checkpoint state_;
  std::exception_ptr error_;
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
    throw InputError(dataset.name +
                     (dataset.task == Task::graph
                          ? ": no graph has a class; give one to those to train on, in DS_graph_labels.txt"
                          : ": no node has a label; label the nodes to train on"));
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
  const auto go = [&](auto study) {
    study->open_device(resume);
    if (asked > settings.config.inducing) {
      observer.warn(
          fmt::format("--inducing {}: lowered to {}, the number of nodes", asked, settings.config.inducing));
    }
    if (dataset.splits.empty() && settings.split.empty()) {
      observer.warn(fmt::format("{} has no splits: using random ones, 60/20/20", dataset.name));
    }
    warn_of_oddities(dataset, splits, observer);
    return study->run(resume);
  };
  if (settings.precision == Precision::float64)
    return go(std::make_unique<Study<double>>(settings, dataset, observer));
  return go(std::make_unique<Study<float>>(settings, dataset, observer));
}

}  // namespace gdkm
