#include "gdkm/fitting/committee.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/fitting/committee_file.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/fitting/mixture.hpp"
#include "gdkm/fitting/nearest_items.hpp"
#include "gdkm/fitting/parameter_loss.hpp"
#include "gdkm/fitting/prediction_sets.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::small_dataset;

Settings member_settings() {
  Settings out = testing::small_settings();
  out.training.epochs = 8;
  return out;
}

Settings with_members(const std::string& text) {
  Settings out = member_settings();
  out.members = parse_members(text);
  return out;
}

FittedModel fitted(const Settings& settings, const Dataset& dataset = small_dataset()) {
  return fit(dataset, dataset.splits.begin()->second.at(0), settings);
}

const std::string two = "layers=1,diffuse=2;nu=0.1";

TEST(Committee, OfEqualMembersIsTheSingleModel) {
  Settings alone = member_settings();
  alone.config.layers = 1;
  const FittedModel one = fitted(alone), both = fitted(with_members("layers=1;layers=1"));
  EXPECT_EQ(both.predict(small_dataset()).values, one.predict(small_dataset()).values);
  EXPECT_EQ(both.card().run.test->nll, one.card().run.test->nll);
  EXPECT_EQ(both.card().run.epochs, 2 * one.card().run.epochs);
}

TEST(Committee, PredictsTheMeanOfWhatItsMembersPredict) {
  Settings first = member_settings(), second = member_settings();
  first.preprocessing.diffuse = 2;
  first.config.layers = 1;
  second.config.nu = {0.1};
  const Dataset dataset = small_dataset();
  const auto a = fitted(first).predict(dataset).values, b = fitted(second).predict(dataset).values;
  const FittedModel committee = fitted(with_members(two));
  const Predictions together = committee.predict(dataset);
  ASSERT_EQ(together.values.size(), a.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(together.values[k], (a[k] + b[k]) / 2);
  EXPECT_NE(a, b);
  // The scores are those of the mean, and what else predictions say is that of any model.
  const auto& test = dataset.splits.begin()->second.at(0).test;
  EXPECT_EQ(committee.card().run.test->nll,
            evaluate(together.values, dataset.classes, dataset.label, test)->nll);
  EXPECT_EQ(together.label, dataset.label);
  EXPECT_EQ(std::count(together.seen.begin(), together.seen.end(), 0), std::ssize(test));
}

TEST(Committee, StoppedBetweenTwoMembersHasThoseThatHaveLearned) {
  Settings alone = member_settings();
  alone.config.layers = 1;
  const Dataset dataset = small_dataset();
  FitObserver observer;
  observer.epoch = [](const Epoch& epoch) { return epoch.number < 8; };  // the first member is done then
  const FittedModel stopped =
      fit(dataset, dataset.splits.begin()->second.at(0), with_members("layers=1;layers=2"), observer);
  EXPECT_EQ(stopped.members().size(), 1u);
  EXPECT_EQ(stopped.predict(dataset).values, fitted(alone).predict(dataset).values);
}

TEST(Committee, OfNumbersHasTheSpreadOfAMixture) {
  // Two outputs: means, then deviations.
  const auto out = mixture({{1, 5, 2, 1}, {3, 5, 2, 3}}, 2, true);
  ASSERT_EQ(out.size(), 4u);
  EXPECT_DOUBLE_EQ(out[0], 2);
  EXPECT_DOUBLE_EQ(out[1], 5);
  EXPECT_DOUBLE_EQ(out[2], std::sqrt(4 + 1)) << "they disagree by one each way";
  EXPECT_DOUBLE_EQ(out[3], std::sqrt(5));
  EXPECT_EQ(mixture({{0.25, 0.75}, {0.75, 0.25}}, 2, false), (std::vector<double>{0.5, 0.5}));
}

TEST(Committee, IsTheSameAfterSavingAndLoading) {
  const testing::TemporaryFolder folder;
  const FittedModel model = fitted(with_members(two + ";scheme=intra,inducing=10"));
  model.save(folder / "m.safetensors");
  const FittedModel again = FittedModel::load(folder / "m.safetensors");
  EXPECT_EQ(again.predict(small_dataset()).values, model.predict(small_dataset()).values);
  EXPECT_EQ(to_string(again.card().settings.members), two + ";scheme=intra,inducing=10");
  ASSERT_EQ(again.members().size(), 3u);
  EXPECT_EQ(again.members()[0].card().settings.preprocessing.diffuse, 2);
  EXPECT_EQ(again.members()[2].card().settings.config.inducing, 10);
  EXPECT_TRUE(again.was_trained_on(small_dataset()));
  expect_input_error([&] { again.predict(small_dataset("seed=7")); },
                     {"m.safetensors", "belongs to the graph"});
}

TEST(Committee, HasNoKernelButItsMembersHave) {
  const Dataset dataset = small_dataset();
  const FittedModel model = fitted(with_members(two));
  const std::vector<std::string> words{"committee", "every member has others", "members"};
  expect_input_error([&] { model.features(dataset); }, words);
  expect_input_error([&] { model.kernel(dataset, {0}, {1}); }, words);
  expect_input_error([&] { model.inducing_features(dataset); }, words);
  expect_input_error([&] { nearest_training_items(model, dataset, dataset, 2); }, words);
  EXPECT_GT(model.members().at(0).features(dataset).width, 0);
  EXPECT_TRUE(model.members().at(0).members().empty());
  Settings settings = with_members(two);
  expect_input_error([&] { ParameterLoss(dataset, dataset.splits.begin()->second.at(0), settings); },
                     {"members", "one model"});
}

TEST(Committee, GoesOnFromACheckpoint) {
  Settings settings = with_members("layers=1;nu=auto,epochs=2;layers=3");
  settings.seeds = 2;
  const StudyResult whole = run_study(settings, small_dataset(), {});
  const int each = member_settings().training.epochs;
  for (const int stop : {1, each - 1, each, each + 3, each + 13, each + 15, 2 * each + 14}) {
    StudyObserver observer;
    int steps = 0;
    observer.interrupted = [&] { return ++steps >= stop; };
    const StudyResult part = run_study(settings, small_dataset(), observer);
    ASSERT_TRUE(part.checkpoint) << stop;
    const testing::TemporaryFolder folder;
    write_checkpoint(folder / "c.safetensors", *part.checkpoint);
    StudyOptions options;
    options.resume = read_checkpoint(folder / "c.safetensors");
    const StudyResult rest = run_study(settings, small_dataset(), {}, options);
    ASSERT_EQ(rest.runs.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(rest.runs[k].test->nll, whole.runs[k].test->nll) << stop;
      EXPECT_EQ(rest.runs[k].epochs, whole.runs[k].epochs) << stop;
      EXPECT_EQ(rest.runs[k].last_loss, whole.runs[k].last_loss) << stop;
    }
    EXPECT_EQ(rest.best_model->predict(small_dataset()).values,
              whole.best_model->predict(small_dataset()).values);
  }
}

TEST(Committee, ProgressNeverFallsAndEndsAtItsTotal) {
  Settings settings = with_members("nu=auto;layers=1,epochs=3");
  settings.training.patience = 1;  // so that some end early
  StudyObserver observer;
  std::vector<std::int64_t> seen;
  observer.progress = [&](std::int64_t done, double) { seen.push_back(done); };
  const StudyResult result = run_study(settings, small_dataset(), observer);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(epochs_of(settings), 6 * member_settings().training.epochs + 3);
  EXPECT_EQ(seen.back(), epochs_of(settings));
  // A member that chose its own nu has it in its file.
  EXPECT_EQ(result.best_model->members().at(0).card().settings.config.nu.size(), 1u);
}

TEST(Committee, StoppedEarlyHasTheMembersThatBegan) {
  const Dataset dataset = small_dataset();
  const auto stopped_at = [&](int last) {
    FitObserver observer;
    observer.epoch = [&](const Epoch& epoch) { return epoch.number < last; };
    return fit(dataset, dataset.splits.begin()->second.at(0), with_members("nu=1;nu=2;nu=3"), observer);
  };
  const int each = member_settings().training.epochs;
  EXPECT_EQ(stopped_at(2).members().size(), 1u);
  EXPECT_EQ(stopped_at(each + 2).members().size(), 2u);
}

TEST(Committee, HasPredictionSetsOfItsOwn) {
  Settings settings = with_members(two);
  settings.split.conformal = 0.5;
  const FittedModel model = fitted(settings);
  ASSERT_FALSE(model.card().conformal.empty());
  EXPECT_TRUE(model.members().at(0).card().conformal.empty());
  const auto sets = prediction_sets(model.predict(small_dataset()), model.card(), 0.8);
  EXPECT_TRUE(sets.calibrated);
}

}  // namespace
}  // namespace gdkm
