#include "gdkm/fitting/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/fitting/learner.hpp"
#include "gdkm/fitting/study_remarks.hpp"
#include "gdkm/ranks/heartbeat.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/thread_pool.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

using Timer = std::chrono::steady_clock;

double seconds_since(Timer::time_point start) {
  return std::chrono::duration<double>(Timer::now() - start).count();
}

/// What a checkpoint must agree with the command in: every option, and the data itself.
std::string identity(const PreparedData& data) {
  auto json = to_json(data.settings);
  json["model"] = name_of(data.settings.model);
  json["data"] = data.dataset.loaded_by();
  json["contents of the data"] = fingerprint(data.dataset);
  return json.dump();
}

void check_same(const Checkpoint& checkpoint, const PreparedData& data) {
  const auto was = nlohmann::ordered_json::parse(checkpoint.settings),
             is = nlohmann::ordered_json::parse(identity(data));
  for (const auto& [key, value] : is.items()) {
    nlohmann::ordered_json before;
    if (was.contains(key)) {
      before = was.at(key);
    } else if (const Option* later = find_option(key)) {  // which the checkpoint's program did not have
      before = to_json(*later, value_before(*later, data.settings.model));
    }
    if (before == value) continue;
    throw OptionError("resume", "",
                      fmt::format("the checkpoint was made with {} = {}, this command has {}", key,
                                  before.dump(), value.dump()),
                      "repeat the command that was interrupted, on the same data");
  }
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
  int jobs = settings.uses_dense() || settings.device.ranks ? 1 : settings.jobs;
  if (jobs == 0 && !settings.device.device.is_cpu())
    jobs = static_cast<int>(
        std::clamp<Index>(fills_a_gpu / std::max<Index>(nodes_of_step(settings, problem), 1), 1, 8));
  return std::clamp(jobs, 1, std::max(runs, 1));
}

DeviceChoice device_of(const Settings& settings, int jobs) {
  DeviceChoice out = settings.device;
  if (jobs > 1 && out.device.is_cpu()) out.threads = std::max(1, ThreadPool(out.threads).size() / jobs);
  return out;
}

/// Runs of one model, some at a time, each on a backend of its own. What comes out does not depend on how
/// many share the device.
class Study {
 public:
  Study(const PreparedData& data, std::vector<Split> splits, const StudyObserver& observer,
        const StudyOptions& options)
      : data_(data),
        settings_(data.settings),
        splits_(std::move(splits)),
        observer_(observer),
        coverage_(options.coverage),
        keep_after_(options.keep_after),
        keep_(options.keep),
        keep_model_(options.keep_model && !settings_.exact),
        total_(static_cast<int>(splits_.size()) * settings_.seeds) {}

  /// Before anything is said or done: whether the device can be had.
  void open_device(const std::optional<Checkpoint>& resume) {
    const int left = total_ - (resume ? static_cast<int>(resume->finished.size()) : 0);
    const int jobs = jobs_of(settings_, data_.problem, left);
    for (int j = 0; j < jobs; ++j)
      devices_.push_back(std::make_unique<ComputeDevice>(device_of(settings_, jobs), settings_.arithmetic()));
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
    observer_.device(devices_.front()->description());
    ThreadPool(static_cast<int>(devices_.size())).run([&](int j) {
      work(*devices_[static_cast<std::size_t>(j)]);
    });
    if (error_) std::rethrow_exception(error_);
    return result();
  }

 private:
  /// Takes one run after the other until there are none, or the study is over.
  void work(ComputeDevice& device) {
    while (true) {
      int k = 0;
      {
        const std::lock_guard lock(mutex_);
        while (next_ < static_cast<int>(in_order_.size()) || finished_.contains(next_)) ++next_;
        if (over_ || next_ >= total_) return;
        k = next_++;
      }
      try {
        run_one(device, k);
      } catch (const NumericalError& error) {
        const std::lock_guard lock(mutex_);
        if (failed_ < 0 || k < failed_) failure_ = error.message();
        failed_ = failed_ < 0 ? k : std::min(failed_, k);
        over_ = true;
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        over_ = true;
      }
    }
  }

  void run_one(ComputeDevice& device, int k) {
    const int split = k / settings_.seeds;
    const std::uint64_t seed = settings_.training.seed + static_cast<std::uint64_t>(k % settings_.seeds);
    const auto start = Timer::now();
    const std::shared_ptr<const PreparedData> data = data_of(split);
    const auto learner = make_learner(device, *data, splits_[split], seed);
    double earlier = 0;
    if (const auto state = taken(k)) {
      learner->restore_state(state->state, "the checkpoint");
      earlier = state->seconds;
    }
    while (!learner->finished()) {
      const int before = learner->progress();
      const double loss = learner->step();
      const std::lock_guard lock(mutex_);
      epochs_done_ += learner->progress() - before;
      if (interrupted_now(*learner, k, earlier + seconds_since(start))) interrupted_ = over_ = true;
      if (interrupted_) return keep_state(*learner, k, earlier + seconds_since(start));
      observer_.progress(epochs_done_, loss);
    }
    Evaluation evaluation = evaluate(*learner, *data, splits_[split], seed, coverage_);
    RunResult& out = evaluation.run;
    out.split = split;
    out.seconds = earlier + seconds_since(start);
    const std::lock_guard lock(mutex_);
    observer_.run_ended(out, learner->losses());
    epochs_done_ += epochs_of(settings_) - learner->progress();  // it may have stopped early
    Finished finished{std::move(out), {}};
    if (keep_model_ && is_better(finished.run))
      finished.model = learner->model_file(
          make_card(*data, splits_[split], finished.run, std::move(evaluation.conformal)));
    finished_.emplace(k, std::move(finished));
    // Runs count in their order, whichever is done first.
    for (auto at = finished_.begin();
         at != finished_.end() && at->first == static_cast<int>(in_order_.size()); at = finished_.erase(at)) {
      if (note_best(at->second.run) && keep_model_) best_model_ = std::move(at->second.model);
      in_order_.push_back(std::move(at->second.run));
    }
  }

  /// After an epoch, with the lock: whether to stop. Keeps the state of the study where it is time to.
  bool interrupted_now(Learner& learner, int k, double seconds) {
    bool interrupted = observer_.interrupted();
    bool keep = keep_after_ > 0 && seconds_since(kept_) >= keep_after_ && devices_.size() == 1;
    if (Communicator* ranks = settings_.device.ranks.get()) {
      if (!heartbeat_) heartbeat_.emplace(*ranks);
      const Heartbeat::Answer all = heartbeat_->beat(interrupted, keep);
      interrupted = all.interrupted;
      keep = all.keep;
      if (!all.slow.empty()) observer_.warn(all.slow);
    }
    if (!keep || interrupted) return interrupted;
    keep_state(learner, k, seconds);
    keep_(checkpoint());
    under_way_.erase(k);
    kept_ = Timer::now();
    return false;
  }

  std::shared_ptr<const PreparedData> data_of(int split) const {
    if (!depends_on_split(data_)) return {std::shared_ptr<const PreparedData>(), &data_};
    return std::make_shared<const PreparedData>(for_split(data_, splits_[split]));
  }

  /// Where run k was when it was interrupted, if it was.
  std::optional<Checkpoint::UnderWay> taken(int k) {
    const std::lock_guard lock(mutex_);
    const auto node = under_way_.extract(k);
    return node.empty() ? std::nullopt : std::optional(node.mapped());
  }
  void keep_state(Learner& learner, int k, double seconds) {
    under_way_[k] = {seconds, learner.progress(), learner.save_state()};
  }

  StudyResult result() {
    StudyResult out;
    out.runs = in_order_;
    if (!best_model_.tensors.empty())
      out.best_model = fitted_model(best_model_, settings_.device, "the model");
    if (failed_ >= 0) out.failure = failure_;
    if (!out.failure && interrupted_ && static_cast<int>(out.runs.size()) < total_)
      out.checkpoint = checkpoint();
    return out;
  }
  Checkpoint checkpoint() const {
    Checkpoint state;
    state.settings = identity(data_);
    state.finished = in_order_;
    if (!best_model_.tensors.empty()) state.best = best_model_;
    state.under_way = under_way_;
    for (const auto& [k, each] : finished_) state.early[k] = {each.run, each.model};
    return state;
  }

  /// A score that is no number (R² of targets that do not vary) is the worst, but the first run is kept
  /// whatever its score.
  double worth_of(const RunResult& run) const {
    const double score = score_of(run, settings_.training.select).value_or(0);
    return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
  }
  bool is_better(const RunResult& run) const { return !best_ || worth_of(run) > *best_; }
  bool note_best(const RunResult& run) {
    if (!is_better(run)) return false;
    best_ = worth_of(run);
    return true;
  }

  const PreparedData& data_;
  const Settings& settings_;
  std::vector<Split> splits_;
  const StudyObserver& observer_;
  double coverage_, keep_after_;
  const std::function<void(const Checkpoint&)>& keep_;
  Timer::time_point kept_ = Timer::now();
  std::optional<Heartbeat> heartbeat_;  // of ranks
  bool keep_model_;
  int total_ = 0;
  std::vector<std::unique_ptr<ComputeDevice>> devices_;

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

}  // namespace

StudyResult run_study(const Settings& settings, Dataset dataset, const StudyObserver& observer,
                      const StudyOptions& options) {
  std::vector<std::string> remarks;  // of what only matters if the study begins
  // Ranks that read parts ask each other for numbers before all else is compared.
  if (settings.device.ranks)
    check_ranks_agree(
        *settings.device.ranks, "other parts of the graph or other relations",
        fmt::format("{} {}", fingerprint_of_share(dataset), to_string(settings.config.mixing())));
  const PreparedData data =
      prepare(std::move(dataset), settings, [&](const std::string& remark) { remarks.push_back(remark); });
  if (settings.device.ranks)
    check_ranks_agree(*settings.device.ranks, "another program, other options or other data",
                      fmt::format("gdkm {} {} {}", version, git_commit, identity(data)));
  if (options.resume) check_same(*options.resume, data);
  auto splits = choose_splits(settings.split, data.dataset);
  const Split first = splits.front();
  Study study(data, std::move(splits), observer, options);
  study.open_device(options.resume);
  for (const std::string& remark : remarks) observer.warn(remark);
  if (data.dataset.splits.empty() && !settings.split.random)
    observer.warn(fmt::format("{} has no splits: using random ones, 60/20/20", data.dataset.name));
  for (const std::string& remark : remarks_on_data(data.dataset, first, data.settings)) observer.warn(remark);
  return study.run(options.resume);
}

}  // namespace gdkm
