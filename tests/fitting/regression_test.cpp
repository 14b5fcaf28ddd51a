#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/support/random.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::TemporaryFolder;

/// Numbers that depend on a node's features and its neighbours', with a little noise; node 3's is not known.
Dataset graph_of_numbers(int targets = 1) {
  Dataset out = generate("er:n=200,p=0.03,features=6,classes=2");
  const Csr mixing = normalised_adjacency(out.graph, 0);
  const Features mixed = mix(mixing, normalise(out.features, Normalisation::l2));
  Random random(Stream{1, Purpose::generator, 9});
  out.targets = targets;
  out.target.clear();
  for (Index i = 0; i < 200; ++i) {
    for (int t = 0; t < targets; ++t) {
      const double value = 100 + 20 * static_cast<double>(mixed.dense[i * 6 + t]) + 0.1 * random.normal();
      out.target.push_back(i == 3 ? std::nanf("") : static_cast<float>(value));
    }
  }
  out.label.assign(200, 0);
  out.label[3] = -1;
  out.classes = 0;
  for (auto& split : out.splits.at("public")) {
    for (auto* part : {&split.train, &split.val, &split.test}) std::erase(*part, 3);
  }
  return out;
}

Settings settings_for(ModelKind model, bool exact) {
  Settings out = testing::small_settings();
  out.model = model;
  out.exact = exact;
  out.config.inducing = 50;
  out.config.layers = 1;  // the numbers are made by one mix
  out.training.epochs = 200;
  return out;
}

TEST(Regression, DeviationsAreThoseOfValidationTargets) {
  // The targets have noise that features cannot tell, and 50 inducing points fit those of training all the
  // same.
  Dataset data = graph_of_numbers();
  Random random(Stream{2, Purpose::generator, 9});
  for (float& value : data.target) value += static_cast<float>(5 * random.normal());
  const Split& split = data.splits.at("public")[0];
  Settings settings = settings_for(ModelKind::dkm, false);
  const FittedModel calibrated = fit(data, split, settings);
  settings.training.inference = Inference::uncalibrated;
  const FittedModel plain = fit(data, split, settings);
  ASSERT_TRUE(calibrated.card().run.calibration);
  EXPECT_FALSE(plain.card().run.calibration);
  const double temperature = calibrated.card().run.calibration->temperature;
  const Predictions a = calibrated.predict(data), b = plain.predict(data);
  for (std::size_t k = 0; k < a.values.size(); k += 2) {
    ASSERT_NEAR(a.values[k], b.values[k], 1e-6 * std::abs(b.values[k])) << "means stay";
    ASSERT_NEAR(a.values[k + 1], temperature * b.values[k + 1], 1e-6 * b.values[k + 1]);
  }
  EXPECT_LT(calibrated.card().run.val->nll, plain.card().run.val->nll);
  const TemporaryFolder folder;
  calibrated.save(folder / "model.safetensors");
  EXPECT_EQ(FittedModel::load(folder / "model.safetensors").predict(data).values, a.values);
}

TEST(Regression, SparseExactAndFullRankModelsExplainTheNumbers) {
  for (const auto& [model, exact] :
       {std::pair{ModelKind::dkm, false}, {ModelKind::nngp, true}, {ModelKind::dkm, true}}) {
    Settings settings = settings_for(model, exact);
    if (exact) settings.noise = 0.01;
    const StudyResult result = run_study(settings, graph_of_numbers(), {});
    ASSERT_FALSE(result.failure) << *result.failure;
    const Metrics& test = *result.runs.front().test;
    EXPECT_GT(*test.r2, 0.8) << name_of(model) << (exact ? " exact" : "");
    EXPECT_LT(test.nll, 3.0) << name_of(model) << (exact ? " exact" : "");
  }
}

TEST(Regression, AModelIsKeptWhereValidationHasNoVariance) {
  Settings settings = settings_for(ModelKind::dkm, false);
  settings.training.epochs = 3;
  Dataset data = graph_of_numbers();
  for (Split& split : data.splits.at("public")) split.val.resize(1);
  const StudyResult result = run_study(settings, data, {});
  EXPECT_TRUE(std::isnan(*result.runs.front().val->r2));
  EXPECT_TRUE(result.best_model);
}

TEST(Regression, OtherTargetsAreOtherData) {
  Dataset data = graph_of_numbers();
  const std::string before = fingerprint(data);
  data.target[7] += 1;
  EXPECT_NE(fingerprint(data), before);
}

TEST(Regression, SeveralNumbersPerNodeAreLearntTogether) {
  const StudyResult result = run_study(settings_for(ModelKind::dkm, false), graph_of_numbers(2), {});
  EXPECT_GT(*result.runs.front().test->r2, 0.8);
}

TEST(Regression, MetricsFollowTheirDefinitions) {
  const std::vector<double> predictions{1, 2, 2, 1, 4, 0.5};  // mean, deviation
  const std::vector<float> targets{0, 2, 6};
  const std::vector<std::int32_t> rows{0, 1, 2};
  const auto metrics = evaluate_numbers(predictions, 1, targets, rows);
  const double mean = 8.0 / 3, error = 1 + 0 + 4,
               total = mean * mean + std::pow(2 - mean, 2) + std::pow(6 - mean, 2);
  EXPECT_NEAR(*metrics->r2, 1 - error / total, 1e-12);
  EXPECT_NEAR(*metrics->rmse, std::sqrt(error / 3), 1e-12);
  const double log_density =
      -(0.5 * 0.25 + std::log(2.0)) - 0 - (0.5 * 16 + std::log(0.5)) - 1.5 * std::log(2 * M_PI);
  EXPECT_NEAR(metrics->nll, -log_density / 3, 1e-12);
  EXPECT_FALSE(evaluate_numbers(predictions, 1, std::vector<double>{}, {}));
}

TEST(Regression, NumbersSurviveTheWayThroughAFile) {
  const TemporaryFolder folder;
  const Dataset before = graph_of_numbers(2);
  write_graph_npz(before, folder / "numbers.npz");
  const Dataset after = read_graph_npz(folder / "numbers.npz");
  EXPECT_EQ(after.targets, 2);
  EXPECT_EQ(after.label, before.label);
  EXPECT_TRUE(std::isnan(after.target[6]));
  EXPECT_EQ(after.target[10], before.target[10]);
}

TEST(Regression, AGcnIsRefused) {
  expect_input_error([] { run_study(settings_for(ModelKind::gcn, false), graph_of_numbers(), {}); },
                     {"model = gcn", "numbers"});
}

}  // namespace
}  // namespace gdkm
