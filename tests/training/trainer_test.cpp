#include "gdkm/training/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/predictor.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::small_dataset;
using testing::small_settings;

template <class T>
TrainingHistory train(const Problem& problem, const Split& split, const ModelConfig& config,
                      TrainOptions options, std::vector<double>* probabilities = nullptr) {
  CpuBackend<T> backend(2);
  const auto model = make_model(backend, config, problem);
  Trainer<T> trainer(*model, problem, split, options);
  while (!trainer.finished()) trainer.step();
  if (probabilities != nullptr) *probabilities = predict(*model, problem, trainer.calibration());
  return trainer.history();
}

TEST(Trainer, LossFallsAndAccuracyBeatsTheMajority) {
  const Dataset data = small_dataset("signal=2");
  Settings settings = small_settings();
  settings.training.epochs = 60;
  const RunResult run = run_study(settings, data, {}).runs.at(0);
  EXPECT_LT(run.last_loss, run.first_loss);
  EXPECT_GT(run.test->accuracy, run.majority + 20);
}

TEST(Trainer, LeavingOutNodesBeyondReachChangesNothing) {
  Dataset data = generate("csbm:n=150,classes=3,homophily=0.8,features=40,degree=2");
  Split split = data.splits.at("public")[0];
  split.train.resize(6);
  const Problem problem = prepare(data, Preprocessing{}, 0.2);
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    ModelConfig config = small_settings().config;
    config.scheme = scheme;
    config.inducing = 10;
    TrainOptions options = small_settings().training;
    const auto within = train<double>(problem, split, config, options);
    options.batches.only_within_reach = false;
    const auto all = train<double>(problem, split, config, options);
    ASSERT_EQ(within.loss.size(), all.loss.size());
    for (std::size_t k = 0; k < all.loss.size(); ++k)
      EXPECT_NEAR(within.loss[k], all.loss[k], 1e-9 * all.loss[k]);
  }
  CpuBackend<double> backend(1);
  ModelConfig config = small_settings().config;
  config.inducing = 10;
  const auto model = make_model(backend, config, problem);
  const Trainer<double> trainer(*model, problem, split, TrainOptions{});
  EXPECT_LT(trainer.nodes_in_use(), 100) << "the test is void if everything is within reach";
}

TEST(Trainer, PredictionsOfTwinNodesAreTheSame) {
  // Two isolated nodes with the same features: whatever is random must not tell them apart.
  Dataset data = small_dataset();
  erase_if(data.graph.edges,
           [](const Edge& e) { return e.from == 3 || e.to == 3 || e.from == 140 || e.to == 140; });
  std::copy_n(data.features.dense.begin() + 3 * 40, 40, data.features.dense.begin() + 140 * 40);
  const Problem problem = prepare(data, Preprocessing{}, 0);
  std::vector<double> p;
  train<float>(problem, data.splits.at("public")[0], small_settings().config, small_settings().training, &p);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(p[3 * 3 + c], p[140 * 3 + c]);
}

// ---- numerics that do not fail
// -------------------------------------------------------------------------------------

struct Hardship {
  std::string name;
  void (*inflict)(Dataset&);
};

class Numerics : public ::testing::TestWithParam<Hardship> {};

TEST_P(Numerics, EveryRunIsSoundInBothPrecisions) {
  Dataset data = small_dataset("signal=2");
  GetParam().inflict(data);
  const Split& split = data.splits.at("public")[0];
  const Problem problem = prepare(data, Preprocessing{}, 0);
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    for (const double nu : {0.0, 0.01, 1.0, 100.0, static_cast<double>(INFINITY)}) {
      ModelConfig config = small_settings().config;
      config.scheme = scheme;
      config.nu = {nu};
      config.inducing = 30;
      TrainOptions options;
      options.epochs = 20;
      // At the first of several rates the loss may rise, but what is kept is sound.
      std::vector<double> kept;
      const auto phases = train<float>(problem, split, config, options, &kept);
      EXPECT_LT(phases.val_loss[static_cast<std::size_t>(phases.best)],
                std::log(static_cast<double>(problem.classes)) + 0.1);
      EXPECT_TRUE(std::all_of(kept.begin(), kept.end(), [](double p) { return std::isfinite(p); }));
      options.patience = 0;
      std::vector<double> single, exact;
      const auto history = train<float>(problem, split, config, options, &single);
      const auto reference = train<double>(problem, split, config, options, &exact);
      const std::string where = name_of(scheme) + ", nu " + std::to_string(nu);
      EXPECT_LE(history.jitter, 1e-3) << where;
      // It starts near the optimum, and stays there where nothing is to be learned.
      EXPECT_LE(history.loss.back(), history.loss.front() + 0.01) << where;
      EXPECT_NEAR(history.loss.back(), reference.loss.back(), 0.01 * std::fabs(reference.loss.back()) + 1e-6)
          << where;
      const auto accuracy = [&](const std::vector<double>& p) {
        return evaluate(p, problem.classes, problem.label, split.train)->accuracy;
      };
      EXPECT_NEAR(accuracy(single), accuracy(exact), 100.0 / static_cast<double>(split.train.size()) * 2.01)
          << where;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Hard, Numerics,
    ::testing::Values(
        Hardship{"plain", [](Dataset&) {}},
        Hardship{"duplicate_rows",
                 [](Dataset& d) {
                   for (Index r = 0; r < d.features.rows; ++r) {
                     std::copy_n(d.features.dense.begin() + (r % 4) * 40, 40,
                                 d.features.dense.begin() + r * 40);
                   }
                 }},
        Hardship{"zero_rows", [](Dataset& d) { std::fill_n(d.features.dense.begin(), 60 * 40, 0.0f); }},
        Hardship{"isolated_nodes",
                 [](Dataset& d) { erase_if(d.graph.edges, [](const Edge& e) { return e.from < 100; }); }},
        Hardship{"no_edges", [](Dataset& d) { d.graph.edges.clear(); }},
        Hardship{"one_class",
                 [](Dataset& d) {
                   std::fill(d.label.begin(), d.label.end(), 0);
                   d.classes = 1;
                 }},
        Hardship{"huge_features",
                 [](Dataset& d) {
                   for (float& v : d.features.dense) v *= 1e15f;
                 }},
        Hardship{"tiny_features",
                 [](Dataset& d) {
                   for (float& v : d.features.dense) v *= 1e-15f;
                 }}),
    [](const auto& info) { return info.param.name; });

TEST(NumericsOfFewFeatures, TrainInBothSchemes) {
  const Dataset data = generate("minesweeper:rows=12,cols=12");
  Settings settings = small_settings();
  settings.config.inducing = 50;
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    settings.config.scheme = scheme;
    const RunResult run = run_study(settings, data, {}).runs.at(0);
    EXPECT_LE(run.jitter, 1e-3);
    EXPECT_LT(run.last_loss, run.first_loss);
  }
}

}  // namespace
}  // namespace gdkm
