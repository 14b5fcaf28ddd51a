#include "gdkm/training/batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gdkm/fitting/study.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::small_dataset;

TEST(Batches, SharesHaveEveryTrainingNodeOnceAndAreBalanced) {
  const Dataset data = generate("csbm:n=2000,features=4,classes=2,homophily=0.9");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  const auto& train = data.splits.at("public")[0].train;
  for (const Partition how : {Partition::metis, Partition::random}) {
    BatchOptions options;
    options.batches = 4;
    options.partition = how;
    std::multiset<std::int32_t> seen;
    for (const Batch& batch : make_batches(problem, train, {}, 2, options, 1)) {
      EXPECT_LT(batch.part.nodes.size(), 650u) << "a quarter of the nodes, or little more";
      EXPECT_TRUE(is_symmetric(batch.part.relations.each[0].matrix));
      for (std::size_t k = 0; k < batch.item.size(); ++k) {
        const auto node = batch.part.nodes[batch.item[k]];
        EXPECT_EQ(node, batch.whole[k]);
        EXPECT_EQ(batch.label[k], data.label[node]);
        seen.insert(node);
      }
    }
    EXPECT_EQ(seen, std::multiset<std::int32_t>(train.begin(), train.end()));
  }
}

TEST(Batches, MetisCutsFewerEdgesThanChance) {
  const Dataset grid = generate("minesweeper:rows=30,cols=30");
  const Csr mixing = normalised_adjacency(grid.graph, 0);
  const auto cut = [&](Partition how) {
    const auto share = partition_nodes(mixing, 4, how, 0);
    Index between = 0;
    for (const auto [u, v] : grid.graph.edges) between += share[u] != share[v] ? 1 : 0;
    return between;
  };
  EXPECT_LT(5 * cut(Partition::metis), cut(Partition::random));
}

TEST(Batches, SharesHaveAllInducingNodesWithTheMatrixOfTheWholeGraphBetweenThem) {
  const Dataset data = small_dataset();
  const Problem problem = prepare(data, Preprocessing{}, 0.3);
  const std::vector<std::int32_t> inducing{3, 40, 41, 77, 149};
  BatchOptions options;
  options.batches = 3;
  const auto& train = data.splits.at("public")[0].train;
  const Csr between = submatrix(problem.relations.first(), inducing, inducing);
  std::size_t items = 0;
  for (const Batch& batch : make_batches(problem, train, inducing, 2, options, 1)) {
    EXPECT_TRUE(std::is_sorted(batch.part.nodes.begin(), batch.part.nodes.end()));
    const auto numbers = batch.part.numbers_of(inducing);
    for (std::size_t k = 0; k < inducing.size(); ++k) EXPECT_EQ(batch.part.nodes[numbers[k]], inducing[k]);
    const Csr here = submatrix(batch.part.relations.first(), numbers, numbers);
    EXPECT_EQ(here.col, between.col);
    EXPECT_EQ(here.value, between.value);
    items += batch.item.size();
  }
  EXPECT_EQ(items, train.size()) << "an inducing node is a training item of its own share alone";
}

TEST(Batches, IntraDomainPointsLearnInBatches) {
  Settings settings = testing::small_settings();
  settings.config.scheme = Scheme::intra;
  settings.training.epochs = 40;
  const Dataset data = generate("csbm:n=600,features=30,classes=3,homophily=0.9,signal=6");
  const auto accuracy = [&](int batches) {
    settings.training.batches.batches = batches;
    const StudyResult result = run_study(settings, data, {});
    EXPECT_FALSE(result.failure) << *result.failure;
    return result.runs.at(0).test->accuracy;
  };
  EXPECT_NEAR(accuracy(3), accuracy(1), 5);
}

TEST(Batches, ASubgraphKeepsTheRowSumsOfWhatItWasCutFrom) {
  const Dataset data = small_dataset();
  const Problem problem = prepare(data, Preprocessing{}, 0.3);
  std::vector<std::int32_t> half;
  for (std::int32_t i = 0; i < 150; i += 2) half.push_back(i);
  const Part part = cut_out(problem, half);
  const auto sum = [](const Csr& a, Index r) {
    double out = 0;
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) out += a.value[k];
    return out;
  };
  double cut = 0, whole = 0;
  for (std::size_t r = 0; r < half.size(); ++r) {
    cut += sum(part.relations.each[0].matrix, static_cast<Index>(r));
    whole += sum(problem.relations.each[0].matrix, half[r]);
  }
  EXPECT_NEAR(cut / whole, 1, 0.1) << "scaled from both sides, so not exact";
}

TEST(Batches, TrainingInBatchesLearnsAndPredictionInBlocksIsExact) {
  const Dataset data = small_dataset();
  const Split& split = data.splits.at("public")[0];
  for (const std::string relations : {"gcn", "self,und,hop2:row", "poly:2"}) {
    CpuBackend<double> backend(2);
    ModelConfig config;
    config.inducing = 21;
    config.center = true;
    config.relations = parse_relations(relations);
    const Problem problem = prepare(data, Preprocessing{}, config);
    TrainOptions options;
    options.epochs = 20;
    options.batches.batches = 3;
    const auto model = make_model(backend, config, problem);
    Trainer<double> trainer(*model, problem, split, options);
    EXPECT_EQ(trainer.batches(), 3u);
    while (!trainer.finished()) trainer.step();
    EXPECT_LT(trainer.history().loss.back(), trainer.history().loss.front()) << relations;
    const auto whole = predict(*model, problem);
    const auto blocks = predict(*model, problem, std::nullopt, nullptr, options.batches);
    ASSERT_EQ(blocks.size(), whole.size());
    for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_NEAR(blocks[k], whole[k], 1e-9) << relations;
  }
}

TEST(Batches, TheGcnPredictsTheSameInBlocks) {
  const Dataset data = small_dataset();
  const Problem problem = prepare(data, Preprocessing{}, 0);
  CpuBackend<double> backend(2);
  for (const Architecture arch : {Architecture::kipf, Architecture::platonov}) {
    GcnConfig config;
    config.width = 8;
    config.arch = arch;
    config.batch_norm = true;
    const auto model = make_model(backend, config, problem);
    BatchOptions three;
    three.batches = 3;
    const auto whole = predict(*model, problem), blocks = predict(*model, problem, std::nullopt, three);
    ASSERT_EQ(blocks.size(), whole.size());
    for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_NEAR(blocks[k], whole[k], 1e-12);
  }
}

TEST(Batches, ItemsWithoutALabelAreLeftOut) {
  Dataset data = small_dataset();
  data.label[3] = data.label[7] = -1;
  const Problem problem = prepare(data, Preprocessing{}, 0);
  EXPECT_EQ(labelled(problem, {7, 2, 3, 9}), (std::vector<std::int32_t>{2, 9}));
}

TEST(Batches, OneBatchOfAllNodesIsTheFullStep) {
  const Dataset data = small_dataset();
  const Problem problem = prepare(data, Preprocessing{}, 0);
  const Split& split = data.splits.at("public")[0];
  CpuBackend<double> backend(1);
  ModelConfig config;
  config.inducing = 15;
  TrainOptions options;
  options.epochs = 3;
  const auto model = make_model(backend, config, problem), other = make_model(backend, config, problem);
  Trainer<double> within(*model, problem, split, options);
  options.batches.only_within_reach = false;
  Trainer<double> all(*other, problem, split, options);
  for (int epoch = 0; epoch < 3; ++epoch) EXPECT_NEAR(within.step(), all.step(), 1e-9);
}

}  // namespace
}  // namespace gdkm
