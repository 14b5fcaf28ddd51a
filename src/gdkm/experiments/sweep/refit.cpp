#include "gdkm/experiments/sweep/refit.hpp"

#include <algorithm>

#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

Settings settings_on(const Configuration& configuration, const ExecutionOptions& options) {
  Settings out = settings_of(configuration);
  out.device.threads = options.threads;
  out.device.device = options.device;
  return out;
}

}  // namespace

std::optional<FittedModel> refit(const Configuration& configuration, const Dataset& dataset,
                                 const ExecutionOptions& options) {
  const Settings settings = settings_on(configuration, options);
  const auto data = std::make_shared<const PreparedData>(prepare(dataset, settings));
  const Split split = choose_split(settings.split, configuration.split, data->dataset);
  FitObserver observer;
  bool stopped = false;
  observer.epoch = [&](const Epoch& epoch) {
    options.stepped(epoch.number);
    stopped = options.interrupted();
    return !stopped;
  };
  FittedModel model = fit(data, split, observer);
  return stopped ? std::nullopt : std::optional(std::move(model));
}

std::optional<FittedModel> refit_on_all(const Configuration& configuration, const RunResult& tuned,
                                        const Dataset& dataset, const ExecutionOptions& options) {
  Settings settings = settings_on(configuration, options);
  if (settings.uses_dense())
    throw InputError("GP regression chooses its noise on validation items, so that none can be trained on");
  settings.training.epochs = std::max(1, tuned.best_epoch);
  PreparedData data = prepare(dataset, settings);
  Split split = choose_split(settings.split, configuration.split, data.dataset);
  split.train.insert(split.train.end(), split.val.begin(), split.val.end());
  std::sort(split.train.begin(), split.train.end());
  split.val.clear();
  data = for_split(std::move(data), split);
  ComputeDevice device(settings.device, settings.arithmetic());
  const auto learner = make_learner(device, data, split, configuration.seed);
  while (!learner->finished()) {
    learner->step();
    options.stepped(learner->epoch());
    if (options.interrupted()) return std::nullopt;
  }
  RunResult run = evaluate(*learner, data, split, configuration.seed).run;
  run.calibration = tuned.calibration;
  const auto model_of = [&](ConformalScores scores) {
    return fitted_model(learner->model_file(make_card(data, split, run, std::move(scores))), settings.device,
                        "the model");
  };
  // Its scores are those of calibrated predictions.
  const Predictions predictions = model_of({}).predict(dataset);
  run.train = evaluate(predictions.values, data.problem, split.train);
  run.test = evaluate(predictions.values, data.problem, split.test);
  return model_of(split.conformal.empty()
                      ? ConformalScores()
                      : conformal_scores(data.problem, predictions.values, split.conformal));
}

}  // namespace gdkm
