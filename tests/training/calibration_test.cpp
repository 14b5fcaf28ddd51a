#include "gdkm/training/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/metrics.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

/// Logits with variances, and labels drawn from their probabilities at a known calibration.
struct Drawn {
  Logits logits{3, {}, {}};
  std::vector<std::int32_t> label;

  Drawn(Index items, const Calibration& truth, bool with_variance) {
    std::mt19937_64 engine(7);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (Index i = 0; i < items; ++i) {
      for (int c = 0; c < 3; ++c) logits.mean.push_back(3 * normal(engine));
      if (with_variance) logits.variance.push_back(std::exp(2 * normal(engine)));
    }
    const auto p = class_probabilities(logits, truth);
    for (Index i = 0; i < items; ++i) {
      double u = uniform(engine);
      std::int32_t c = 0;
      while (c < 2 && (u -= p[static_cast<std::size_t>(3 * i + c)]) > 0) ++c;
      label.push_back(c);
    }
  }
};

TEST(Calibration, FindsTheTemperatureAndTheModerationThatMadeTheLabels) {
  for (const Calibration truth : {Calibration{0.4, 1}, {2.5, 1}, {1, 20}, {3, 0.2}}) {
    const Drawn drawn(8000, truth, true);
    const Calibration found = calibrate(drawn.logits, drawn.label);
    EXPECT_NEAR(std::log(found.temperature), std::log(truth.temperature), 0.15);
    EXPECT_NEAR(std::log(found.moderation), std::log(truth.moderation), 0.5);
  }
}

TEST(Calibration, WithoutVariancesThereIsATemperatureAlone) {
  const Drawn drawn(4000, {2.5, 1}, false);
  const Calibration found = calibrate(drawn.logits, drawn.label);
  EXPECT_NEAR(found.temperature, 2.5, 0.3);
  EXPECT_EQ(found.moderation, 1);
}

TEST(Calibration, AWeightOfTwoCountsAsTwoItems) {
  const Drawn drawn(60, {2, 3}, true);
  Drawn twice = drawn;
  for (std::size_t i = 0; i < drawn.label.size(); ++i) {
    if (drawn.label[i] != 0) continue;
    const auto classes = static_cast<std::size_t>(drawn.logits.classes);
    for (std::size_t c = 0; c < classes; ++c) twice.logits.mean.push_back(drawn.logits.mean[i * classes + c]);
    twice.logits.variance.push_back(drawn.logits.variance[i]);
    twice.label.push_back(0);
  }
  const std::vector<double> weights{2, 1, 1};
  const Calibration weighted = calibrate(drawn.logits, drawn.label, {}, weights),
                    doubled = calibrate(twice.logits, twice.label);
  EXPECT_NEAR(weighted.temperature, doubled.temperature, 1e-6);
  EXPECT_NEAR(weighted.moderation, doubled.moderation, 1e-6);
  EXPECT_GT(std::abs(weighted.temperature - calibrate(drawn.logits, drawn.label).temperature), 1e-4);
}

TEST(Calibration, FewLabelsChangeLittle) {
  const Drawn drawn(6, {20, 1}, false);
  const Calibration found = calibrate(drawn.logits, drawn.label);
  EXPECT_GT(found.temperature, 1);
  EXPECT_LT(found.temperature, 3) << "six labels must not say that everything is uncertain";
  EXPECT_EQ(calibrate({3, {}, {}}, {}).temperature, 1);
}

TEST(Calibration, TheStartOfTheSearchDoesNotMatter) {
  const Drawn drawn(500, {2, 5}, true);
  const Calibration a = calibrate(drawn.logits, drawn.label),
                    b = calibrate(drawn.logits, drawn.label, {0.1, 300});
  EXPECT_NEAR(mean_nll(drawn.logits, drawn.label, a), mean_nll(drawn.logits, drawn.label, b), 1e-4);
}

TEST(Calibration, FindsTheOptimumOfThePosterior) {
  for (const Calibration truth : {Calibration{0.4, 1}, {2.5, 1}, {1, 20}, {3, 0.2}}) {
    for (const Index items : {20, 300}) {
      const Drawn drawn(items, truth, true);
      const auto cost = [&](double t, double k) {
        const double nll = mean_nll(drawn.logits, drawn.label, {std::exp(t), std::exp(k)});
        return static_cast<double>(items) * nll + 0.5 * (t * t / 0.09 + k * k);
      };
      const Calibration found = calibrate(drawn.logits, drawn.label);
      const double t = std::log(found.temperature), k = std::log(found.moderation);
      for (int i = 0; i < 16; ++i) {
        for (const double far : {0.1, 0.4}) {
          const double there = cost(t + far * std::cos(0.4 * i), k + 3 * far * std::sin(0.4 * i));
          EXPECT_GT(there, cost(t, k) - 2e-3) << "T " << truth.temperature << ", " << items << " items";
        }
      }
    }
  }
}

TEST(Calibration, NeverChangesTheOrderOfTheClasses) {
  const Drawn drawn(200, {1, 1}, true);
  const auto p = class_probabilities(drawn.logits, {7, 30});
  for (Index i = 0; i < 200; ++i) {
    const double *m = drawn.logits.mean.data() + 3 * i, *q = p.data() + 3 * i;
    EXPECT_EQ(std::max_element(m, m + 3) - m, std::max_element(q, q + 3) - q);
    EXPECT_NEAR(std::accumulate(q, q + 3, 0.0), 1, 1e-12);
  }
}

TEST(Calibration, LogarithmsOfProbabilitiesAreLogits) {
  const auto p = class_probabilities(as_logits({0.5, 0.25, 0.25, 1, 0, 0}, 3), {});
  EXPECT_NEAR(p[0], 0.5, 1e-12);
  EXPECT_NEAR(p[3], 1, 1e-12);
}

TEST(Calibration, AFewItemsThatAreRightDoNotMakeProbabilitiesCertain) {
  // Noise that was fitted to few targets: the model is certain, and right on six items.
  const auto certain = [](std::size_t items) {
    std::vector<double> out;
    for (std::size_t k = 0; k < items; ++k) out.insert(out.end(), {1, 1e-40});
    return out;
  };
  const auto doubt = [&](std::size_t items) {
    std::vector<std::int32_t> all(items);
    std::iota(all.begin(), all.end(), 0);
    const Calibration found = calibrate(certain(items), 2, std::vector<std::int32_t>(items, 0), all);
    return calibrated({1, 1e-40}, 2, found)[1];
  };
  EXPECT_GT(doubt(6), 1e-7);
  EXPECT_LT(doubt(6), 1.0 / 8);
  EXPECT_NEAR(doubt(1000), 0.5 / 1002, 0.3 / 1002);
}

/// Twenty labels per class: without calibration the probabilities are far too cautious.
TEST(Calibration, ImprovesTheLikelihoodOfTestNodesAndKeepsTheirClasses) {
  const Dataset data = generate("csbm:n=400,classes=3,homophily=0.8,features=30,degree=6");
  Settings settings = testing::small_settings();
  settings.training.epochs = 40;
  std::map<Inference, Metrics> test;
  for (const Inference inference : {Inference::natural, Inference::uncalibrated}) {
    settings.training.inference = inference;
    settings.training.select = Select::elbo;  // the same epoch
    const RunResult run = run_study(settings, data, {}).runs.at(0);
    EXPECT_EQ(run.calibration.has_value(), inference == Inference::natural);
    test[inference] = *run.test;
  }
  EXPECT_EQ(test[Inference::natural].accuracy, test[Inference::uncalibrated].accuracy);
  EXPECT_LE(test[Inference::natural].nll, test[Inference::uncalibrated].nll + 0.01);
  EXPECT_LT(test[Inference::natural].nll, std::log(3.0));
}

TEST(Prediction, InverseNormalInvertsTheDistributionFunction) {
  for (const double x : {-5.0, -1.3, 0.0, 0.2, 3.7})
    EXPECT_NEAR(inverse_normal(0.5 * std::erfc(-x / std::sqrt(2.0))), x, 1e-9 * (1 + std::exp(x * x / 2)));
}

/// The quadrature of uncalibrated probabilities against a simulation, through the whole model.
TEST(Prediction, QuadratureIsWithinOneHundredthOfASimulation) {
  const Dataset data = testing::small_dataset();
  const Problem problem = prepare(data, Preprocessing{}, 0);
  CpuBackend<double> backend(2);
  ModelConfig config;
  config.inducing = 10;
  const auto model = make_model(backend, config, problem);
  TrainOptions options;
  options.epochs = 3;
  Trainer<double> trainer(*model, problem, data.splits.at("public")[0], options);
  while (!trainer.finished()) trainer.step();
  for (const double log_scale : {1.0, 4.0}) {
    model->parameters().set("readout.log_scale", {log_scale});
    const auto p = predict(*model, problem);
    EXPECT_EQ(p, predict(*model, problem)) << "no chance is involved";
    const auto inputs = make_inputs<double>(backend, problem.relations, problem.features, {}, true);
    const auto network = model->network(inputs, false);
    network->forward();
    std::vector<std::int32_t> all(static_cast<std::size_t>(problem.nodes()));
    std::iota(all.begin(), all.end(), 0);
    const Logits logits = logits_of(*model, *network, all, Marginals<double>(*model, *network));
    std::mt19937_64 engine(3);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < 20; ++i) {
      std::vector<double> mean(3, 0.0);
      constexpr int draws = 40000;
      for (int k = 0; k < draws; ++k) {
        double e[3], sum = 0;
        for (std::size_t c = 0; c < 3; ++c)
          sum += e[c] = std::exp(logits.mean[3 * i + c] + std::sqrt(logits.variance[i]) * normal(engine));
        for (std::size_t c = 0; c < 3; ++c) mean[c] += e[c] / sum / draws;
      }
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(p[3 * i + c], mean[c], 0.01) << "node " << i;
      const auto m = logits.mean.begin() + static_cast<std::ptrdiff_t>(3 * i),
                 q = p.begin() + static_cast<std::ptrdiff_t>(3 * i);
      EXPECT_EQ(std::max_element(m, m + 3) - m, std::max_element(q, q + 3) - q) << "the largest mean";
    }
  }
}

TEST(Metrics, PooledCalibrationErrorIsThatOfAllRowsTogether) {
  // Two runs of one row each, both with confidence 0.6: one right, one wrong.
  const std::vector<double> p{0.6, 0.4};
  const std::vector<std::int32_t> right{0}, wrong{1}, row{0};
  const Metrics a = *evaluate(p, 2, right, row), b = *evaluate(p, 2, wrong, row);
  const std::vector<const Metrics*> both{&a, &b};
  EXPECT_NEAR(0.5 * (a.ece + b.ece), 0.5, 1e-12);
  EXPECT_NEAR(*pooled_ece(both), 0.1, 1e-12);
  EXPECT_FALSE(pooled_ece({}).has_value());
}

TEST(CalibrationOfNumbers, FindsTheDeviationThatTargetsWereDrawnWith) {
  Random random(Stream{5, Purpose::generator, 1});
  std::vector<double> predictions;
  std::vector<float> observed;
  for (int item = 0; item < 1000; ++item) {
    predictions.insert(predictions.end(), {10, -3, 1, 0.5});  // two means and two deviations
    observed.push_back(static_cast<float>(10 + 4 * random.normal()));
    observed.push_back(item % 2 == 0 ? NAN : static_cast<float>(-3 + 2 * random.normal()));
  }
  const Calibration found = calibrate_numbers(predictions, 2, observed);
  EXPECT_NEAR(found.temperature, 4, 0.2);
  EXPECT_EQ(found.moderation, 1);
  const auto scaled = calibrated_numbers(predictions, 2, found);
  EXPECT_EQ(scaled[0], 10);
  EXPECT_DOUBLE_EQ(scaled[2], found.temperature);
  EXPECT_DOUBLE_EQ(scaled[7], 0.5 * found.temperature);
}

TEST(CalibrationOfNumbers, IsSoundWithFewTargetsAndWithNone) {
  EXPECT_EQ(calibrate_numbers({1, 1}, 1, {NAN}).temperature, 1);
  EXPECT_EQ(calibrate_numbers({}, 1, {}).temperature, 1);
  const double one = calibrate_numbers({0, 1}, 1, {10}).temperature;  // alone: 10
  EXPECT_GT(one, 2);
  EXPECT_LT(one, 8);
  const double exact = calibrate_numbers({7, 1}, 1, {7}).temperature;
  EXPECT_GT(exact, 0.1);
  EXPECT_LT(exact, 1);
  std::vector<double> many;
  for (int k = 0; k < 100; ++k) many.insert(many.end(), {7, 1});
  EXPECT_GT(calibrate_numbers(many, 1, std::vector<float>(100, 7)).temperature, 1e-7)
      << "targets that are met exactly do not make deviations vanish";
  EXPECT_TRUE(std::isfinite(calibrate_numbers({0, 1e-9}, 1, {1e6}).temperature));
}

}  // namespace
}  // namespace gdkm
