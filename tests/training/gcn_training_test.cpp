#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/metrics.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/places.hpp"
#include "tests/training/small_gcn.hpp"

namespace gdkm {
namespace {

using testing::epochs;
using testing::Small;
using testing::small_config;

TEST(GcnTraining, LearnsWithEveryArchitectureAndNormalisation) {
  Small small;
  small.data = generate("csbm:n=300,classes=3,homophily=0.8,features=40,degree=6,signal=2");
  small.problem = prepare(small.data, Preprocessing{}, 0);
  small.split = small.data.splits.at("public")[0];
  for (const Architecture arch : {Architecture::kipf, Architecture::platonov}) {
    for (const int norms : {0, 1, 2, 3}) {
      GcnConfig config = small_config();
      config.arch = arch;
      config.batch_norm = norms % 2 == 1;
      config.row_normalise = norms >= 2;
      CpuBackend<float> backend(2);
      const auto model = make_model(backend, config, small.problem);
      Trainer<float> trainer(*model, small.problem, small.split, epochs(60));
      while (!trainer.finished()) trainer.step();
      const auto p = predict(*model, small.problem);
      const auto test = evaluate(p, 3, small.problem.label, small.split.test);
      EXPECT_GT(test->accuracy,
                majority_accuracy(small.problem.label, small.split.train, small.split.test) + 20)
          << static_cast<int>(arch) << " " << norms;
      EXPECT_LT(trainer.history().loss.back(), 0.7 * trainer.history().loss.front());
    }
  }
}

TEST(GcnTraining, LeavingOutNodesBeyondReachChangesNothing) {
  for (const char* relations : {"gcn", "self,und:row,hop2"}) {
    Small small;
    small.split.train.resize(6);
    GcnConfig config = small_config();
    small.problem.relations = make_relations(small.data.graph, parse_relations(relations), 0);
    config.relations = small.problem.relations.count();
    config.dropout = 0;  // the numbers of nodes, and so their random numbers, are others
    std::vector<TrainingHistory> history;
    for (const bool within : {true, false}) {
      CpuBackend<double> backend(2);
      TrainOptions options = epochs(15);
      options.batches.only_within_reach = within;
      const auto model = make_model(backend, config, small.problem);
      Trainer<double> trainer(*model, small.problem, small.split, options);
      while (!trainer.finished()) trainer.step();
      history.push_back(trainer.history());
    }
    ASSERT_EQ(history[0].loss.size(), 15u);
    for (std::size_t k = 0; k < 15; ++k) {
      EXPECT_NEAR(history[0].loss[k], history[1].loss[k], 1e-9);
      EXPECT_NEAR(history[0].val_loss[k], history[1].val_loss[k], 1e-9);
      EXPECT_NEAR(history[0].val_accuracy[k], history[1].val_accuracy[k], 1e-9);
    }
  }
}

TEST(GcnTraining, BlocksOfNodesPredictWhatTheWholeGraphDoes) {
  Small small;
  GcnConfig config = small_config();
  small.problem.relations = make_relations(small.data.graph, parse_relations("self,und,hop2:row"), 0);
  config.relations = 3;
  CpuBackend<double> backend(2);
  const auto model = make_model(backend, config, small.problem);
  const auto whole = predict(*model, small.problem),
             blocks = predict(*model, small.problem, {}, {.batches = 5});
  ASSERT_EQ(whole.size(), blocks.size());
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_NEAR(whole[k], blocks[k], 1e-12);
}

TEST(GcnTraining, ClassifiesGraphsInBatches) {
  // Rings of two kinds of nodes; the class is which kind there is more of.
  Random random(Stream{3, Purpose::generator, 0});
  Graph graph;
  Features features;
  features.cols = 2;
  std::vector<std::int32_t> start{0}, label;
  for (int g = 0; g < 120; ++g) {
    const auto size = static_cast<std::int32_t>(3 + random.below(6)), first = start.back();
    int ones = 0;
    for (std::int32_t k = 0; k < size; ++k) {
      graph.edges.push_back({first + k, first + (k + 1) % size});
      const bool one = random.uniform() < (g % 2 == 0 ? 0.8 : 0.2);
      ones += one ? 1 : 0;
      features.dense.push_back(one ? 1.0f : 0.0f);
      features.dense.push_back(one ? 0.0f : 1.0f);
    }
    label.push_back(2 * ones > size ? 1 : 0);
    start.push_back(first + size);
  }
  graph.nodes = features.rows = start.back();
  Problem problem;
  problem.task = Task::graph;
  problem.features = features;
  problem.graph_start = start;
  problem.label = label;
  problem.classes = 2;
  Split split;
  for (std::int32_t g = 0; g < 120; ++g) (g < 80 ? split.train : split.val).push_back(g);
  for (const auto& [arch, relations] : {std::pair{Architecture::kipf, "gcn"},
                                        {Architecture::platonov, "gcn"},
                                        {Architecture::kipf, "self,und:row"}}) {
    GcnConfig config = small_config();
    config.arch = arch;
    config.dropout = 0;
    problem.relations = make_relations(graph, parse_relations(relations), 0);
    config.relations = problem.relations.count();
    TrainOptions options = epochs(60);
    options.batches.graphs = 32;
    CpuBackend<float> backend(2);
    const auto model = make_model(backend, config, problem);
    Trainer<float> trainer(*model, problem, split, options);
    while (!trainer.finished()) trainer.step();
    const auto best = static_cast<std::size_t>(trainer.history().best_epoch()) - 1;
    EXPECT_GT(trainer.history().val_accuracy[best], 85);
    const auto p = predict(*model, problem);
    ASSERT_EQ(p.size(), 240u);
    EXPECT_NEAR(evaluate(p, 2, label, split.val)->accuracy, trainer.history().val_accuracy[best], 1e-4);
  }
}

TEST(GcnTrainingSlow, CoraReachesItsBarOnThePublicSplit) {
  const char* given = std::getenv("GDKM_DATA");
  const std::filesystem::path folder = given != nullptr
                                           ? std::filesystem::path(given)
                                           : std::filesystem::path(GDKM_SOURCE_DIR) / "../shared/datasets";
  const auto file = folder / "cora" / "cora.npz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no cora/cora.npz in $GDKM_DATA or ../shared/datasets";
  const Dataset data = read_graph_npz(file);
  const Problem problem = prepare(data, Preprocessing{}, 0);
  const Split& split = data.splits.at("public")[0];
  CpuBackend<float> backend(2);
  std::vector<double> accuracy;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    TrainOptions options;
    options.schedule = constant_rate;
    options.seed = seed;
    const auto model = make_model(backend, GcnConfig{}, problem);
    Trainer<float> trainer(*model, problem, split, options);
    while (!trainer.finished()) trainer.step();
    const auto p = predict(*model, problem);
    accuracy.push_back(evaluate(p, problem.classes, problem.label, split.test)->accuracy);
  }
  EXPECT_GE(mean_and_std(accuracy).mean, 80.5);
}

TEST(GcnTraining, HiddenFeaturesAreThoseOfAllNodes) {
  const Small small;
  CpuBackend<float> backend(2);
  const auto model = make_model(backend, small_config(), small.problem);
  const NodeFeatures features = gdkm::features(*model, small.problem, 0);
  EXPECT_EQ(features.width, 16);
  EXPECT_EQ(features.values.size(), 150u * 16u);
  EXPECT_EQ(gdkm::features(*model, small.problem, -1).values, features.values);
  EXPECT_THROW(gdkm::features(*model, small.problem, 1), InputError) << "the second layer is the output";
}

}  // namespace
}  // namespace gdkm
