#include "gdkm/fitting/fit.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/study_remarks.hpp"
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

std::optional<Metrics> evaluate(const std::vector<double>& predictions, const Problem& problem,
                                const std::vector<std::int32_t>& items) {
  return problem.is_regression() ? evaluate_numbers(predictions, problem.targets, problem.target, items)
                                 : evaluate(predictions, problem.classes, problem.label, items);
}

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
  run.lost = learner.history().lost;
  run.calibration = learner.calibration();
  run.nu = learner.nu();
  run.mixing = learner.mixing();
  if (!learner.losses().empty()) {  // a GPU may not have told the first one yet
    run.first_loss = learner.losses().front();
    run.last_loss = learner.losses().back();
  }
  run.jitter = learner.jitter();
  run.majority =
      problem.is_regression() ? std::nan("") : majority_accuracy(problem.label, split.train, split.test);
  if (problem.is_regression())
    run.mean_rmse = mean_rmse(problem.targets, problem.target, split.train, split.test);
  run.train = evaluate(out.predictions, problem, split.train);
  run.val = evaluate(out.predictions, problem, split.val);
  run.test = evaluate(out.predictions, problem, split.test);
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

namespace {

/// One split of some data, and what learns from it. An exact model keeps all of it.
class Fitting {
 public:
  Fitting(std::shared_ptr<const PreparedData> data, const Split& given)
      : data_(std::move(data)),
        split_(with_conformal(given, data_->settings.split)),
        start_(std::chrono::steady_clock::now()) {
    check_split(split_, data_->problem.items());
    if (depends_on_split(*data_)) data_ = std::make_shared<const PreparedData>(for_split(*data_, split_));
    device_ = std::make_unique<ComputeDevice>(settings().device, settings().arithmetic());
    learner_ = make_learner(*device_, *data_, split_, settings().training.seed);
  }

  const Settings& settings() const { return data_->settings; }
  Learner& learner() { return *learner_; }

  /// What it came to; of an exact model, with everything that it refers to.
  static FittedModel model(const std::shared_ptr<Fitting>& self) {
    Fitting& it = *self;
    Evaluation evaluation = evaluate(*it.learner_, *it.data_, it.split_, it.settings().training.seed);
    RunResult& run = evaluation.run;
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - it.start_).count();
    ModelCard card = make_card(*it.data_, it.split_, run, std::move(evaluation.conformal));
    if (it.settings().exact) {
      if (it.settings().device.device.is_cpu()) it.device_.reset();  // exact models compute without it
      return fitted_model(std::move(card), it.data_, std::shared_ptr<Learner>(self, it.learner_.get()));
    }
    return fitted_model(it.learner_->model_file(card), it.settings().device, "the model");
  }

 private:
  static Split with_conformal(const Split& given, const SplitOptions& how) {
    return how.conformal > 0 && given.conformal.empty() ? keep_apart(given, how.conformal, how.seed) : given;
  }

  std::shared_ptr<const PreparedData> data_;
  Split split_;
  std::chrono::steady_clock::time_point start_;
  std::unique_ptr<ComputeDevice> device_;
  std::unique_ptr<Learner> learner_;
};

/// `split` numbers the items of `dataset` as it is given. Preprocessing may leave nodes out, and numbers
/// splits anew.
std::shared_ptr<const PreparedData> prepared(Dataset dataset, const Split& split, const Settings& settings,
                                             const std::function<void(const std::string&)>& warn,
                                             std::vector<double> item_weight) {
  check_split(split, dataset.items());
  dataset.splits = {{"fit", {split}}};
  PreparedData out = prepare(std::move(dataset), settings, warn);
  for (PreparedData& member : out.members) member.problem.item_weight = item_weight;
  out.problem.item_weight = std::move(item_weight);
  return std::make_shared<const PreparedData>(std::move(out));
}

void check_weights(const std::vector<double>& weight, Index items, const Settings& settings) {
  if (weight.empty()) return;
  if (static_cast<Index>(weight.size()) != items)
    throw InputError(
        fmt::format("weights of items: expected one for each of {} items, got {}", items, weight.size()));
  for (std::size_t k = 0; k < weight.size(); ++k) {
    if (!(weight[k] >= 0) || !std::isfinite(weight[k]))
      throw InputError(
          fmt::format("weights of items: that of item {} is {}; they are finite and >= 0", k, weight[k]));
  }
  if (settings.uses_dense())
    throw InputError("weights of items are for models that are trained; leave them out, or train without " +
                     option(settings.exact ? "exact" : "landmarks"));
  if (settings.preprocessing.largest_component)
    throw OptionError("largest_component", "true", "it numbers nodes anew, and weights go by number",
                      "take the component as a graph of its own first");
}

const Split& split_of(const PreparedData& data) {
  return data.dataset.splits.at("fit").front();
}

}  // namespace

FittedModel fit(std::shared_ptr<const PreparedData> data, const Split& given, const FitObserver& observer) {
  const auto fitting = std::make_shared<Fitting>(std::move(data), given);
  Learner& learner = fitting->learner();
  while (!learner.finished()) {
    const double loss = learner.step();
    if (observer.epoch({learner.progress(), epochs_of(fitting->settings()), loss})) continue;
    learner.stop();
    break;
  }
  observer.trained(learner.history());
  return Fitting::model(fitting);
}

FittedModel fit(Dataset dataset, const Split& split, const Settings& settings, const FitObserver& observer,
                std::vector<double> item_weight) {
  check_weights(item_weight, dataset.items(), settings);
  const auto data = prepared(std::move(dataset), split, settings, observer.warn, std::move(item_weight));
  for (const std::string& remark : remarks_on_data(data->dataset, split_of(*data), data->settings))
    observer.warn(remark);
  return fit(data, split_of(*data), observer);
}

FittedModel restore_exact(Dataset dataset, const Split& split, const Settings& settings,
                          const TensorFile& state) {
  const auto data = prepared(std::move(dataset), split, settings, {}, {});
  const auto fitting = std::make_shared<Fitting>(data, split_of(*data));
  fitting->learner().restore_state(state, "the model");
  return Fitting::model(fitting);
}

}  // namespace gdkm
