#include "gdkm/experiments/sweep/run_execution.hpp"

#include <chrono>
#include <map>

#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/store/environment.hpp"

namespace gdkm {

namespace {

std::optional<double> validation_score(Learner& learner, const PreparedData& data, const Split& split) {
  const RunResult run = evaluate(learner, data, {{}, split.val, {}}, 0).run;
  return run.val ? std::optional(run.val->score()) : std::nullopt;
}

/// The curve of a run, as far as its losses are known: a GPU may be some epochs behind with them.
class CurveRecorder {
 public:
  void note(int epoch, std::optional<double> val) { val_[epoch] = val; }
  void take(const Learner& learner) {
    for (auto known = curve_.size(); known < learner.losses().size(); ++known) {
      const int epoch = static_cast<int>(known) + 1;
      curve_.push_back({epoch, learner.losses()[known], val_[epoch]});
    }
  }
  std::vector<CurvePoint> finish(const RunResult& run) {
    if (run.val && !curve_.empty()) curve_.back().val = run.val->score();
    return std::move(curve_);
  }

 private:
  std::map<int, std::optional<double>> val_;  // by epoch
  std::vector<CurvePoint> curve_;
};

}  // namespace

void check_device(const DeviceId& device) {
  make_backend<float>({device, 1});
}

std::optional<RunOutcome> execute_run(const Configuration& configuration, const Dataset& dataset,
                                      const ExecutionOptions& options) {
  using Timer = std::chrono::steady_clock;
  Settings settings = settings_of(configuration);
  settings.device.threads = options.threads;
  settings.device.device = options.device;
  PreparedData data = prepare(dataset, settings);
  const Split split = choose_split(settings.split, configuration.split, data.dataset);
  data = for_split(std::move(data), split);
  ComputeDevice device(settings.device, settings.arithmetic());

  RunOutcome out;
  out.environment = describe_environment();
  out.environment.threads = options.threads;
  out.environment.device = device.description();
  const auto start = Timer::now();
  const auto learner = make_learner(device, data, split, configuration.seed);
  CurveRecorder curve;
  while (!learner->finished()) {
    learner->step();
    if (options.interrupted()) return std::nullopt;
    const int epoch = learner->epoch();
    if (options.validate_every > 0 && epoch % options.validate_every == 0 && !learner->finished())
      curve.note(epoch, validation_score(*learner, data, split));
    curve.take(*learner);
    options.stepped(epoch);
  }
  const Evaluation evaluation = evaluate(*learner, data, split, configuration.seed);
  out.result = evaluation.run;
  out.result.split = configuration.split;
  out.result.seconds = std::chrono::duration<double>(Timer::now() - start).count();
  out.curve = curve.finish(out.result);
  const Problem& problem = data.problem;
  if (!problem.is_regression())
    out.reliability = {reliability(evaluation.predictions, problem.classes, problem.label, split.val),
                       reliability(evaluation.predictions, problem.classes, problem.label, split.test)};
  return out;
}

}  // namespace gdkm
