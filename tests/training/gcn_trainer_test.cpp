#include "gdkm/training/gcn_trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/metrics.hpp"

namespace gdkm {
namespace {

struct Small {
  Dataset data = generate("csbm:n=150,classes=3,homophily=0.8,features=40,degree=4");
  Problem problem = prepare(data, Preprocessing{}, 0);
  Split split = data.splits.at("public")[0];
};

GcnConfig small_config() {
  GcnConfig out;
  out.width = 16;
  return out;
}

GcnTrainOptions epochs(int count, int patience = 0) {
  GcnTrainOptions out;
  out.epochs = count;
  out.patience = patience;
  return out;
}

template <class T>
std::vector<T> values(Gcn<T>& model) {
  const View<T> v = model.parameters().values();
  return std::vector<T>(v.data, v.data + v.size());
}

TEST(GcnTrainer, LearnsWithEveryArchitectureAndNormalisation) {
  Small small;
  small.data = generate("csbm:n=300,classes=3,homophily=0.8,features=40,degree=6,signal=2");
  small.problem = prepare(small.data, Preprocessing{}, 0);
  small.split = small.data.splits.at("public")[0];
  for (const GcnArch arch : {GcnArch::kipf, GcnArch::platonov}) {
    for (const int norms : {0, 1, 2, 3}) {
      GcnConfig config = small_config();
      config.arch = arch;
      config.batch_norm = norms % 2 == 1;
      config.row_normalise = norms >= 2;
      CpuBackend<float> backend(2);
      GcnTrainer<float> trainer(backend, small.problem, small.split, config, epochs(60));
      while (!trainer.finished()) trainer.step();
      const auto p = predict(trainer.model(), small.problem);
      const auto test = evaluate(p, 3, small.problem.label, small.split.test);
      EXPECT_GT(test->accuracy,
                majority_accuracy(small.problem.label, small.split.train, small.split.test) + 20)
          << static_cast<int>(arch) << " " << norms;
      EXPECT_LT(trainer.history().loss.back(), 0.7 * trainer.history().loss.front());
    }
  }
}

TEST(GcnTrainer, LeavingOutNodesBeyondReachChangesNothing) {
  Small small;
  small.split.train.resize(6);
  GcnConfig config = small_config();
  config.dropout = 0;  // the numbers of nodes, and so their random numbers, are others
  std::vector<GcnHistory> history;
  for (const bool within : {true, false}) {
    CpuBackend<double> backend(2);
    GcnTrainOptions options = epochs(15);
    options.only_within_reach = within;
    GcnTrainer<double> trainer(backend, small.problem, small.split, config, options);
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

TEST(GcnTrainer, StopsByPatienceAndKeepsTheBestEpoch) {
  const Small small;
  CpuBackend<float> backend(2);
  GcnConfig config = small_config();
  config.batch_norm = true;  // its moments are part of what is kept
  GcnTrainer<float> trainer(backend, small.problem, small.split, config, epochs(400, 15));
  while (!trainer.finished()) trainer.step();
  const GcnHistory& history = trainer.history();
  ASSERT_LT(trainer.epoch(), 400);
  EXPECT_EQ(trainer.epoch(), history.best_epoch + 15);
  const auto best = static_cast<std::size_t>(history.best_epoch - 1);
  EXPECT_EQ(history.val_accuracy[best],
            *std::max_element(history.val_accuracy.begin(), history.val_accuracy.end()));
  const auto p = predict(trainer.model(), small.problem);
  const auto val = evaluate(p, 3, small.problem.label, small.split.val);
  EXPECT_NEAR(val->accuracy, history.val_accuracy[best], 1e-4);
  EXPECT_NEAR(val->nll, history.val_loss[best], 1e-4);
}

TEST(GcnTrainer, WithoutValidationItRunsToTheEnd) {
  Small small;
  small.split.val.clear();
  CpuBackend<float> backend(2);
  GcnTrainer<float> trainer(backend, small.problem, small.split, small_config(), epochs(12, 3));
  while (!trainer.finished()) trainer.step();
  EXPECT_EQ(trainer.epoch(), 12);
  EXPECT_TRUE(trainer.history().val_loss.empty());
}

TEST(GcnTrainer, SameSeedSameResultAndAnotherSeedAnother) {
  const Small small;
  const auto train = [&](std::uint64_t seed) {
    CpuBackend<float> backend(2);
    GcnTrainOptions options = epochs(8);
    options.seed = seed;
    GcnTrainer<float> trainer(backend, small.problem, small.split, small_config(), options);
    while (!trainer.finished()) trainer.step();
    return values(trainer.model());
  };
  EXPECT_EQ(train(1), train(1));
  EXPECT_NE(train(1), train(2));
}

TEST(GcnTrainer, ContinuesFromItsStateAsIfNothingHadHappened) {
  const Small small;
  GcnConfig config = small_config();
  config.batch_norm = true;
  CpuBackend<float> backend(2);
  GcnTrainer<float> whole(backend, small.problem, small.split, config, epochs(20));
  while (!whole.finished()) whole.step();

  GcnTrainer<float> before(backend, small.problem, small.split, config, epochs(20));
  for (int k = 0; k < 11; ++k) before.step();
  const TensorFile state = before.save_state();
  GcnTrainer<float> after(backend, small.problem, small.split, config, epochs(20));
  after.restore_state(state, "state");
  EXPECT_EQ(after.epoch(), 11);
  while (!after.finished()) after.step();
  EXPECT_EQ(values(whole.model()), values(after.model()));
  EXPECT_EQ(whole.history().loss, after.history().loss);
  EXPECT_EQ(whole.history().val_loss, after.history().val_loss);
  EXPECT_EQ(whole.history().best_epoch, after.history().best_epoch);
}

TEST(GcnTrainer, RefusesADamagedState) {
  const Small small;
  CpuBackend<float> backend(2);
  GcnTrainer<float> trainer(backend, small.problem, small.split, small_config(), epochs(20));
  trainer.step();
  const TensorFile good = trainer.save_state();
  for (const auto& [name, tensor] : good.tensors) {
    TensorFile bad = good;
    bad.tensors.erase(name);
    EXPECT_THROW(trainer.restore_state(bad, "state"), InputError) << name;
  }
  TensorFile bad = good;
  bad.tensors["best_epoch"] =
      Tensor::make<std::int64_t>({1}, std::span<const std::int64_t>(std::vector<std::int64_t>{7}));
  EXPECT_THROW(trainer.restore_state(bad, "state"), InputError);
}

TEST(GcnTrainer, NothingIsAllocatedAfterTheFirstSteps) {
  const Small small;
  CpuBackend<float> backend(2);
  GcnTrainer<float> trainer(backend, small.problem, small.split, small_config(), epochs(20));
  const std::size_t before = backend.bytes_in_use();
  for (int k = 0; k < 5; ++k) trainer.step();
  EXPECT_EQ(backend.bytes_in_use(), before);
}

TEST(GcnTrainer, ClassifiesGraphsInBatches) {
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
  problem.mixing = normalised_adjacency(graph, 0);
  problem.graph_start = start;
  problem.label = label;
  problem.classes = 2;
  Split split;
  for (std::int32_t g = 0; g < 120; ++g) (g < 80 ? split.train : split.val).push_back(g);
  for (const GcnArch arch : {GcnArch::kipf, GcnArch::platonov}) {
    GcnConfig config = small_config();
    config.arch = arch;
    config.dropout = 0;
    GcnTrainOptions options = epochs(60);
    options.graphs = 32;
    CpuBackend<float> backend(2);
    GcnTrainer<float> trainer(backend, problem, split, config, options);
    while (!trainer.finished()) trainer.step();
    const auto best = static_cast<std::size_t>(trainer.history().best_epoch) - 1;
    EXPECT_GT(trainer.history().val_accuracy[best], 85);
    const auto p = predict(trainer.model(), problem);
    ASSERT_EQ(p.size(), 240u);
    EXPECT_NEAR(evaluate(p, 2, label, split.val)->accuracy, trainer.history().val_accuracy[best], 1e-4);
  }
}

TEST(GcnTrainer, FailsWithARemedyWhenTheLossIsLost) {
  const Small small;
  CpuBackend<float> backend(2);
  GcnTrainOptions options = epochs(200);
  options.rate = 1e30;
  GcnTrainer<float> trainer(backend, small.problem, small.split, small_config(), options);
  EXPECT_THROW(while (!trainer.finished()) trainer.step();, NumericalError);
}

TEST(GcnTrainerSlow, CoraReachesItsBarOnThePublicSplit) {
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
    GcnTrainOptions options;
    options.seed = seed;
    GcnTrainer<float> trainer(backend, problem, split, GcnConfig{}, options);
    while (!trainer.finished()) trainer.step();
    const auto p = predict(trainer.model(), problem);
    accuracy.push_back(evaluate(p, problem.classes, problem.label, split.test)->accuracy);
  }
  EXPECT_GE(mean_and_std(accuracy).mean, 80.5);
}

}  // namespace
}  // namespace gdkm
