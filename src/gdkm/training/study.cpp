#include "gdkm/training/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/thread_pool.hpp"
#include "gdkm/support/version.hpp"
#include "gdkm/training/choose_splits.hpp"
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
  const Settings defaults;
  const auto was = nlohmann::ordered_json::parse(checkpoint.settings),
             is = nlohmann::ordered_json::parse(identity(settings, dataset)), usual = to_json(defaults);
  for (const auto& [key, value] : is.items()) {
    // An option that the checkpoint's program did not have was as it is by default.
    const auto before = was.contains(key)     ? was.at(key)
                        : usual.contains(key) ? usual.at(key)
                                              : nlohmann::ordered_json();
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
      }
      for (const auto& [k, early] : resume->early) finished_[k] = {early.run, early.model};
      under_way_ = resume->under_way;
      next_ = static_cast<int>(in_order_.size());
      epochs_done_ = resume->epochs_done(epochs_of(settings_));
    }
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
        while (next_ < static_cast<int>(in_order_.size()) || finished_.contains(next_)) ++next_;
        if (over_ || next_ >= total_) return;
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
    const int split = k / settings_.seeds;
    const std::uint64_t seed = settings_.training.seed + static_cast<std::uint64_t>(k % settings_.seeds);
    const auto start = Timer::now();
    const auto learner = make_learner<T>(backend, settings_, dataset_, problem_, splits_[split], seed);
    double earlier = 0;
    if (const auto state = taken(k)) {
      learner->restore_state(state->state, "the checkpoint");
      earlier = state->seconds;
    }
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
    if (settings_.keep_model && is_better(finished.run))
      finished.model = learner->model_file(card(finished.run));
    finished_.emplace(k, std::move(finished));
    // Runs count in their order, whichever is done first.
    for (auto at = finished_.begin();
         at != finished_.end() && at->first == static_cast<int>(in_order_.size()); at = finished_.erase(at)) {
      if (note_best(at->second.run) && settings_.keep_model) best_model_ = std::move(at->second.model);
      in_order_.push_back(std::move(at->second.run));
    }
  }

  /// Where run k was when it was interrupted, if it was.
  std::optional<Checkpoint::UnderWay> taken(int k) {
    const std::lock_guard lock(mutex_);
    const auto node = under_way_.extract(k);
    return node.empty() ? std::nullopt : std::optional(node.mapped());
  }
  void keep_state(Learner& learner, int k, double seconds) {
    under_way_[k] = {seconds, learner.epoch(), learner.save_state()};
  }

  StudyResult result() {
    StudyResult out;
    out.runs = in_order_;
    out.best_model = best_model_;
    if (failed_ >= 0) out.failure = failure_;
    if (!out.failure && interrupted_ && static_cast<int>(out.runs.size()) < total_) {
      Checkpoint state;
      state.settings = identity(settings_, dataset_);
      state.finished = out.runs;
      if (!best_model_.tensors.empty()) state.best = best_model_;
      state.under_way = std::move(under_way_);
      for (auto& [k, each] : finished_) state.early[k] = {std::move(each.run), std::move(each.model)};
      out.checkpoint = std::move(state);
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

  /// By validation accuracy, or training accuracy where there is no validation set. A score that is no number
  /// (R² of targets that do not vary) is the worst, but the first run is kept whatever its score.
  static double score_of(const RunResult& run) {
    const double score = run.val ? run.val->score() : (run.train ? run.train->score() : 0);
    return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
  }
  bool is_better(const RunResult& run) const { return !best_ || score_of(run) > *best_; }
  bool note_best(const RunResult& run) {
    if (!is_better(run)) return false;
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
  int total_ = 0;
  std::vector<std::unique_ptr<Backend<T>>> backends_;

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
  std::optional<double> best_;
  TensorFile best_model_;
  int failed_ = -1;
  std::string failure_;
  std::map<int, Checkpoint::UnderWay> under_way_;  // interrupted, and not taken up again
  std::exception_ptr error_;
};

void warn_of_oddities(const Dataset& dataset, const std::vector<Split>& splits,
                      const StudyObserver& observer) {
  const bool graphs = dataset.task == Task::graph;
  if (dataset.graph.edges.empty())
    observer.warn(graphs ? "no graph has an edge: every node is by itself"
                         : "the graph has no edges: every node is by itself");
  if (dataset.is_regression()) return;
  std::vector<char> seen(static_cast<std::size_t>(dataset.classes), 0);
  for (const auto node : splits.front().train) seen[dataset.label[node]] = 1;
  for (int c = 0; c < dataset.classes; ++c) {
    if (!seen[c])
      observer.warn(fmt::format("class {} has no training {}: it will hardly be predicted", c,
                                graphs ? "graph" : "node"));
  }
}

}  // namespace

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
