#include "gdkm/experiments/sweep/run_execution.hpp"

#include <cmath>
#include <map>

#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/store/environment.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/choose_splits.hpp"
#include "gdkm/training/study.hpp"

namespace gdkm {

namespace {

std::optional<double> validation_score(Learner& learner, const Problem& problem, const Split& split) {
  const auto predictions = learner.predict();
  const auto metrics = problem.is_regression()
                           ? evaluate_numbers(predictions, problem.targets, problem.target, split.val)
                           : evaluate(predictions, problem.classes, problem.label, split.val);
  return metrics ? std::optional(metrics->score()) : std::nullopt;
}

Settings settings_on(const Configuration& configuration, const ExecutionOptions& options) {
  Settings out = settings_of(configuration);
  out.threads = options.threads;
  out.device = options.device;
  out.jobs = 1;  // a sweep has workers of its own
  return out;
}

}  // namespace

Dataset with_split(const Dataset& given, Settings& settings, int split) {
  Dataset out = preprocess(given, settings.preprocessing);
  settings.preprocessing.largest_component = settings.preprocessing.degree_features = false;  // it is done
  settings.splits = split + 1;
  const auto splits = choose_splits(settings, out);
  out.splits = {{settings.split_set, {splits.at(static_cast<std::size_t>(split))}}};
  settings.split.clear();
  settings.splits = 1;
  return out;
}

void check_device(const std::string& device) {
  make_backend<float>({device, 1, false});
}

std::optional<RunOutcome> execute_run(const Configuration& configuration, const Dataset& given,
                                      const ExecutionOptions& options) {
  Settings settings = settings_on(configuration, options);
  const Dataset dataset = with_split(given, settings, configuration.split);
  RunOutcome out;
  out.environment = describe_environment();
  out.environment.threads = options.threads;
  StudyObserver observer;
  observer.interrupted = options.interrupted;
  observer.device = [&](const std::string& what) { out.environment.device = what; };
  std::map<int, std::optional<double>> val;  // by epoch
  observer.stepped = [&](Learner& learner, const Problem& problem, const Split& split) {
    const int epoch = learner.epoch();
    if (options.validate_every > 0 && epoch % options.validate_every == 0 && !learner.finished())
      val[epoch] = validation_score(learner, problem, split);
    // A GPU may be some epochs behind with its losses.
    for (auto known = out.curve.size(); known < learner.losses().size(); ++known) {
      const int of = static_cast<int>(known) + 1;
      out.curve.push_back({of, learner.losses()[known], val[of]});
    }
    options.stepped(epoch);
  };
  observer.evaluated = [&](const RunResult& run, std::span<const double> predictions, const Problem& problem,
                           const Split& split) {
    if (run.val && !out.curve.empty()) out.curve.back().val = run.val->score();
    if (problem.is_regression()) return;
    out.reliability = {reliability(predictions, problem.classes, problem.label, split.val),
                       reliability(predictions, problem.classes, problem.label, split.test)};
  };
  const StudyResult study = run_study(settings, dataset, observer);
  if (study.failure) throw NumericalError(*study.failure);
  if (study.checkpoint) return std::nullopt;
  out.result = study.runs.at(0);
  out.result.split = configuration.split;
  return out;
}

}  // namespace gdkm
