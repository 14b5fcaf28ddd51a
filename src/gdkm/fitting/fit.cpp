#include "gdkm/fitting/fit.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

void check_split(const Split& split, Index items) {
  for (const auto* part : {&split.train, &split.val, &split.test, &split.conformal}) {
    for (const auto item : *part) {
      if (item < 0 || item >= items)
        throw InputError(fmt::format("the split names item {}, and there are {}; use numbers from 0 to {}",
                                     item, items, items - 1));
    }
  }
  if (split.train.empty()) throw InputError("the split has no items to train on; give some");
}

}  // namespace

Evaluation evaluate(Learner& learner, const PreparedData& data, const Split& split, std::uint64_t seed,
                    double coverage) {
  const Problem& problem = data.problem;
  Evaluation out;
  out.predictions = learner.predict();
  RunResult& run = out.run;
  run.seed = seed;
  run.epochs = learner.epoch();
  run.best_epoch = learner.best_epoch();
  run.converged = learner.converged();
  run.calibration = learner.calibration();
  run.nu = learner.nu();
  run.mixing = learner.mixing();
  if (!learner.losses().empty()) {  // a GPU may not have told the first one yet
    run.first_loss = learner.losses().front();
    run.last_loss = learner.losses().back();
  }
  run.jitter = learner.jitter();
  const auto score = [&](const std::vector<std::int32_t>& items) {
    return problem.is_regression() ? evaluate_numbers(out.predictions, problem.targets, problem.target, items)
                                   : evaluate(out.predictions, problem.classes, problem.label, items);
  };
  run.majority =
      problem.is_regression() ? std::nan("") : majority_accuracy(problem.label, split.train, split.test);
  if (problem.is_regression())
    run.mean_rmse = mean_rmse(problem.targets, problem.target, split.train, split.test);
  run.train = score(split.train);
  run.val = score(split.val);
  run.test = score(split.test);
  if (split.conformal.empty()) return out;
  out.conformal = conformal_scores(problem, out.predictions, split.conformal);
  std::vector<double> thresholds;
  for (const auto& scores : out.conformal) thresholds.push_back(conformal_threshold(scores, coverage));
  run.coverage = measure_coverage(problem, out.predictions, split.test, thresholds);
  if (!run.coverage) return out;
  run.coverage->asked = coverage;
  run.coverage->calibration_items = static_cast<std::int64_t>(out.conformal.front().size());
  return out;
}

FittedModel fit(std::shared_ptr<const PreparedData> data, const Split& given, const FitObserver& observer) {
  using Timer = std::chrono::steady_clock;
  check_split(given, data->problem.items());
  const SplitOptions& how = data->settings.split;
  const Split split =
      how.conformal > 0 && given.conformal.empty() ? keep_apart(given, how.conformal, how.seed) : given;
  if (depends_on_split(*data)) data = std::make_shared<const PreparedData>(for_split(*data, split));
  const auto start = Timer::now();
  const Settings& settings = data->settings;
  ComputeDevice device(settings.device, settings.precision);
  // An exact model keeps its learner, which refers to the split.
  const auto kept = std::make_shared<const Split>(split);
  std::shared_ptr<Learner> learner = make_learner(device, *data, *kept, settings.training.seed);
  while (!learner->finished()) {
    const double loss = learner->step();
    if (observer.epoch({learner->epoch(), epochs_of(settings), loss})) continue;
    learner->stop();
    break;
  }
  Evaluation evaluation = evaluate(*learner, *data, split, settings.training.seed);
  RunResult& run = evaluation.run;
  run.seconds = std::chrono::duration<double>(Timer::now() - start).count();
  ModelCard card = make_card(*data, split, run, std::move(evaluation.conformal));
  if (settings.exact) {
    const std::shared_ptr<Learner> with_split(learner.get(), [learner, kept](Learner*) {});
    return fitted_model(std::move(card), std::move(data), with_split);
  }
  return fitted_model(learner->model_file(card), settings.device, "the model");
}

FittedModel fit(Dataset dataset, const Split& split, const Settings& settings, const FitObserver& observer) {
  check_split(split, dataset.items());
  // Preprocessing may leave nodes out, and numbers splits anew.
  dataset.splits = {{"fit", {split}}};
  auto data = std::make_shared<const PreparedData>(prepare(std::move(dataset), settings, observer.warn));
  return fit(data, data->dataset.splits.at("fit").front(), observer);
}

}  // namespace gdkm
