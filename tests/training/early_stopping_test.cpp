#include "gdkm/training/early_stopping.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/metrics.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/training/small_gcn.hpp"

namespace gdkm {
namespace {

using testing::epochs;
using testing::Small;
using testing::small_config;

TEST(EarlyStopping, StopsByPatienceAndKeepsTheBestEpoch) {
  const Small small;
  CpuBackend<float> backend(2);
  GcnConfig config = small_config();
  config.batch_norm = true;  // its moments are part of what is kept
  const auto model = make_model(backend, config, small.problem);
  Trainer<float> trainer(*model, small.problem, small.split, epochs(400, 15));
  while (!trainer.finished()) trainer.step();
  const TrainingHistory& history = trainer.history();
  ASSERT_LT(trainer.epoch(), 400);
  EXPECT_EQ(trainer.epoch(), history.best_epoch() + 15);
  const auto best = static_cast<std::size_t>(history.best_epoch() - 1);
  EXPECT_EQ(history.val_accuracy[best],
            *std::max_element(history.val_accuracy.begin(), history.val_accuracy.end()));
  const auto p = predict(*model, small.problem);
  const auto val = evaluate(p, 3, small.problem.label, small.split.val);
  EXPECT_NEAR(val->accuracy, history.val_accuracy[best], 1e-4);
  EXPECT_NEAR(val->nll, history.val_loss[best], 1e-4);
}

TEST(EarlyStopping, WithoutValidationItRunsToTheEnd) {
  Small small;
  small.split.val.clear();
  CpuBackend<float> backend(2);
  const auto model = make_model(backend, small_config(), small.problem);
  Trainer<float> trainer(*model, small.problem, small.split, epochs(12, 3));
  while (!trainer.finished()) trainer.step();
  EXPECT_EQ(trainer.epoch(), 12);
  EXPECT_TRUE(trainer.history().val_loss.empty());
}

TEST(EarlyStopping, RunsToTheEndWithoutPatienceAndStillKeepsTheBestEpoch) {
  const Small small;
  CpuBackend<double> backend(2);
  const auto model = make_model(backend, small_config(), small.problem);
  Trainer<double> trainer(*model, small.problem, small.split, epochs(60));
  std::vector<std::vector<double>> parameters;  // of every epoch but the last
  while (!trainer.finished()) {
    trainer.step();
    const View<double> v = model->parameters().values();
    parameters.emplace_back(v.data, v.data + v.size());
  }
  ASSERT_EQ(trainer.epoch(), 60);
  const auto best = static_cast<std::size_t>(trainer.history().best_epoch());
  ASSERT_LT(best, 60u) << "the test is void if the last epoch is the best";
  EXPECT_EQ(parameters.back(), parameters[best - 1]);
}

TEST(EarlyStopping, RefusesABestEpochThatIsNone) {
  const Small small;
  CpuBackend<float> backend(2);
  const auto model = make_model(backend, small_config(), small.problem);
  Trainer<float> trainer(*model, small.problem, small.split, epochs(20));
  trainer.step();
  TensorFile bad = trainer.save_state();
  bad.tensors["best_epoch"] =
      Tensor::make<std::int64_t>({1}, std::span<const std::int64_t>(std::vector<std::int64_t>{7}));
  EXPECT_THROW(trainer.restore_state(bad, "state"), InputError);
}

TrainingHistory history_of(Inference inference, Select select, int patience = 0, int count = 60,
                           bool learned_scale = true) {
  const Small small;
  CpuBackend<double> backend(2);
  ModelConfig config;
  config.inducing = 15;
  config.learned_scale = learned_scale;
  const auto model = make_model(backend, config, small.problem);
  TrainOptions options = epochs(count, patience);
  options.inference = inference;
  options.select = select;
  Trainer<double> trainer(*model, small.problem, small.split, options);
  while (!trainer.finished()) trainer.step();
  EXPECT_EQ(trainer.calibration().has_value(), inference == Inference::natural);
  return trainer.history();
}

/// Numbers that a step loses cost the rest of the training, not what was validated before.
TEST(EarlyStopping, ARunThatLosesItsNumbersEndsWithItsBestEpoch) {
  const Small small;
  CpuBackend<float> backend(2);
  ModelConfig config;
  config.inducing = 15;
  config.nu = {0.0};
  const auto model = make_model(backend, config, small.problem);
  TrainOptions options = epochs(60);
  options.rate = 1000;
  Trainer<float> trainer(*model, small.problem, small.split, options);
  while (!trainer.finished()) trainer.step();
  EXPECT_NE(trainer.history().lost.find("not finite"), std::string::npos) << trainer.history().lost;
  EXPECT_GE(trainer.history().best, 0);
  EXPECT_FALSE(trainer.history().converged);
  for (const double loss : trainer.history().loss) EXPECT_TRUE(std::isfinite(loss));
  for (const float value : model->parameters().get("readout.mu")) ASSERT_TRUE(std::isfinite(value));
  // Without a validated epoch there is nothing to end with.
  Split unvalidated = small.split;
  unvalidated.val.clear();
  const auto other = make_model(backend, config, small.problem);
  options.inference = Inference::paper;
  Trainer<float> lost(*other, small.problem, unvalidated, options);
  EXPECT_THROW(while (!lost.finished()) lost.step(), NumericalError);
}

TEST(EarlyStopping, ADkmIsValidatedBeforeTheFirstStepOftenAtFirstAndEveryTenEpochs) {
  const auto history = history_of(Inference::natural, Select::accuracy);
  EXPECT_EQ(history.val_epoch, (std::vector<std::int64_t>{0, 1, 2, 5, 10, 20, 30, 40, 50, 60}));
  ASSERT_GE(history.best, 0);
  // The kept one is within half a standard error of the highest accuracy.
  const double highest = *std::max_element(history.val_accuracy.begin(), history.val_accuracy.end());
  const auto best = static_cast<std::size_t>(history.best);
  const double error =
      50 * std::sqrt(highest / 100 * (1 - highest / 100) / static_cast<double>(Small().split.val.size()));
  EXPECT_GE(history.val_accuracy[best], highest - error - 1e-9);
}

TEST(EarlyStopping, SelectSaysWhatTheBestEpochIs) {
  const auto by_nll = history_of(Inference::natural, Select::nll);
  EXPECT_EQ(by_nll.val_loss[static_cast<std::size_t>(by_nll.best)],
            *std::min_element(by_nll.val_loss.begin(), by_nll.val_loss.end()));
  const auto strict = history_of(Inference::uncalibrated, Select::accuracy);
  EXPECT_EQ(strict.val_accuracy[static_cast<std::size_t>(strict.best)],
            *std::max_element(strict.val_accuracy.begin(), strict.val_accuracy.end()));
  const auto by_f1 = history_of(Inference::natural, Select::f1);
  EXPECT_EQ(by_f1.val_f1[static_cast<std::size_t>(by_f1.best)],
            *std::max_element(by_f1.val_f1.begin(), by_f1.val_f1.end()));
  EXPECT_TRUE(history_of(Inference::natural, Select::elbo).val_loss.empty()) << "it needs no validation";
}

TEST(EarlyStopping, EpochsAutoEndWhenTheLossNoLongerChanges) {
  // With a learned scale, which grows without bound here, the loss would explode in the end.
  const auto until = history_of(Inference::uncalibrated, Select::elbo, 0, 0, false);
  EXPECT_TRUE(until.converged);
  EXPECT_LT(until.loss.size(), 10000u);
  EXPECT_EQ(until.loss.size() % 10, 0u);
  EXPECT_LT(until.loss.back(), until.loss.front());
  EXPECT_FALSE(history_of(Inference::uncalibrated, Select::elbo, 0, 5).converged)
      << "five epochs tell nothing";
}

TEST(EarlyStopping, EpochsAutoEndWhereTheLossExplodesAgainAndAgain) {
  const auto until = history_of(Inference::uncalibrated, Select::elbo, 0, 0);
  EXPECT_LT(until.loss.size(), 10000u);
  EXPECT_LT(until.loss.back(), until.loss.front() + 1) << "what is kept is sound";
}

TEST(EarlyStopping, ADkmStopsWhenAPartOfItsPatienceGainedNothingAtEachOfThreeRates) {
  const auto history = history_of(Inference::natural, Select::nll, 200, 2000);
  ASSERT_EQ(history.lowered.size(), 2u);
  EXPECT_EQ(static_cast<std::int64_t>(history.loss.size()),
            std::max<std::int64_t>(history.best_epoch(), history.lowered[1]) + 20);
  EXPECT_TRUE(history.converged);
}

TEST(EarlyStopping, WithoutPatienceADkmKeepsItsRate) {
  EXPECT_TRUE(history_of(Inference::natural, Select::nll, 0, 300).lowered.empty());
}

/// A DKM in training, with all that a test wants to look at.
struct DkmInTraining {
  Small small;
  CpuBackend<double> backend{2};
  std::unique_ptr<Dkm<double>> model;
  std::unique_ptr<Trainer<double>> trainer;

  explicit DkmInTraining(double rate = 0.01) {
    ModelConfig config;
    config.inducing = 15;
    model = make_model(backend, config, small.problem);
    TrainOptions options = epochs(500, 100);
    options.inference = Inference::natural;
    options.select = Select::nll;
    options.rate = rate;
    trainer = std::make_unique<Trainer<double>>(*model, small.problem, small.split, options);
  }
  std::vector<double> parameters() const {
    const View<double> v = model->parameters().values();
    return {v.data, v.data + v.size()};
  }
};

TEST(EarlyStopping, ADkmGoesBackToItsBestEpochBeforeItsRateFalls) {
  DkmInTraining dkm(0.001);
  std::vector<double> best;
  const TrainingHistory& history = dkm.trainer->history();
  while (history.lowered.empty()) {
    ASSERT_FALSE(dkm.trainer->finished());
    dkm.trainer->step();
    if (history.best_epoch() == dkm.trainer->epoch()) best = dkm.parameters();
  }
  ASSERT_GT(history.best_epoch(), 0) << "the test is void if the start is the best";
  EXPECT_GE(dkm.trainer->epoch(), history.best_epoch() + 30);
  EXPECT_LT(dkm.trainer->epoch(), history.best_epoch() + 40);
  EXPECT_EQ(dkm.parameters(), best);
}

/// Adam moves a number by its rate in the first step after a restart.
TEST(EarlyStopping, EachRateIsAQuarterOfTheOneBefore) {
  constexpr double rate = 0.001, factor_of_the_scale = 5;
  DkmInTraining dkm(rate);
  const auto scale = [&] { return dkm.model->parameters().get("readout.log_scale")[0]; };
  const TrainingHistory& history = dkm.trainer->history();
  std::vector<double> moves;
  std::size_t seen = 0;
  while (!dkm.trainer->finished()) {
    const double before = scale();
    const bool restarted = history.lowered.size() > seen;
    seen = history.lowered.size();
    dkm.trainer->step();
    if (restarted) moves.push_back(std::abs(scale() - before) / (rate * factor_of_the_scale));
  }
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_NEAR(moves[0], 1, 1e-4);
  EXPECT_NEAR(moves[1], 0.25, 1e-4);
}

TEST(EarlyStopping, ADkmResumesToTheSameBitsAfterItsRateFell) {
  DkmInTraining whole, first, second;
  while (first.trainer->history().lowered.empty()) first.trainer->step();
  first.trainer->step();  // Adam's moments are not zero
  second.trainer->restore_state(first.trainer->save_state(), "state");
  for (DkmInTraining* each : {&whole, &second}) {
    while (!each->trainer->finished()) each->trainer->step();
  }
  EXPECT_EQ(second.trainer->history().lowered, whole.trainer->history().lowered);
  EXPECT_EQ(second.trainer->history().loss, whole.trainer->history().loss);
  EXPECT_EQ(second.parameters(), whole.parameters());
}

TEST(EarlyStopping, PatienceShorterThanTheTimeBetweenValidationsWaitsForTheNext) {
  const auto history = history_of(Inference::natural, Select::nll, 3, 200);
  EXPECT_GE(history.val_epoch.size(), 2u) << "the start must not win because nothing else was looked at";
  EXPECT_EQ(static_cast<std::int64_t>(history.loss.size()), history.val_epoch.back());
}

/// Interrupted between the last step and the end of the program, a run has been finished, but for what its
/// state does not hold.
TEST(EarlyStopping, AFinishedStateIsCalibratedWhenItIsReadBack) {
  const Small small;
  CpuBackend<double> backend(2);
  ModelConfig config;
  config.inducing = 15;
  const auto model = make_model(backend, config, small.problem),
             other = make_model(backend, config, small.problem);
  TrainOptions options = epochs(20);
  options.inference = Inference::natural;
  Trainer<double> trainer(*model, small.problem, small.split, options);
  while (!trainer.finished()) trainer.step();
  Trainer<double> again(*other, small.problem, small.split, options);
  again.restore_state(trainer.save_state(), "state");
  ASSERT_TRUE(again.finished());
  ASSERT_TRUE(again.calibration().has_value());
  EXPECT_EQ(predict(*model, small.problem, trainer.calibration()),
            predict(*other, small.problem, again.calibration()));
}

TEST(EarlyStopping, ADkmOfThePaperKeepsItsLastEpoch) {
  const Small small;
  CpuBackend<float> backend(2);
  ModelConfig config;
  config.inducing = 10;
  const auto model = make_model(backend, config, small.problem);
  TrainOptions options = epochs(12, 3);
  options.inference = Inference::paper;
  Trainer<float> trainer(*model, small.problem, small.split, options);
  while (!trainer.finished()) trainer.step();
  EXPECT_EQ(trainer.epoch(), 12);
  EXPECT_TRUE(trainer.history().val_loss.empty());
}

}  // namespace
}  // namespace gdkm
