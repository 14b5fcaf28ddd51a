#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/natural_inference.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

/// The sums that rounds outside steps leave behind are those that the next step of any batch needs.
TEST(DkmBatches, AStepOfOneBatchAfterRoundsOfAllKeepsTheReadout) {
  const Dataset data = testing::small_dataset("signal=2");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  CpuBackend<double> backend(2);
  ModelConfig config;
  config.inducing = 8;
  const auto model = make_model(backend, config, problem);
  model->declare_parameters();
  model->initialise(choose_inducing_points(problem.relations, problem.features, config, Init::kmeans, 0));
  const auto inputs = make_inputs<double>(backend, problem.relations, problem.features, {}, true);
  NaturalInference<double> natural(*model);
  std::vector<Labels> labels;
  std::vector<std::unique_ptr<Network<double>>> networks;
  for (int batch = 0; batch < 2; ++batch) {
    std::vector<std::int32_t> items, label;
    for (std::int32_t i = 30 * batch; i < 30 * batch + 30; ++i) {
      items.push_back(i);
      label.push_back(problem.label[static_cast<std::size_t>(i)]);
    }
    labels.push_back({Buffer<std::int32_t>(backend, items), Buffer<std::int32_t>(backend, label)});
    networks.push_back(model->network(inputs, true));
    natural.declare(30);
  }
  std::vector<Sites<double>> sites{natural.sites(0), natural.sites(1)};
  for (std::size_t k = 0; k < 2; ++k) {
    networks[k]->forward();
    networks[k]->start_sites(labels[k], sites[k]);
    networks[k]->solve(labels[k], sites[k], natural.posterior());
  }
  for (int round = 0; round < 60; ++round) {
    for (const auto& network : networks) network->refresh();
    for (std::size_t k = 0; k < 2; ++k) {
      networks[k]->update(labels[k], Stream{3, Purpose::sampling, 0}, 50, 1, sites[k]);
      networks[k]->add_up(labels[k], sites[k], false);
    }
    natural.posterior().move(true);
  }
  const auto before = model->parameters().get("readout.mu");
  networks[0]->solve(labels[0], sites[0], natural.posterior());
  const auto after = model->parameters().get("readout.mu");
  double largest = 0;
  for (const double x : before) largest = std::max(largest, std::abs(x));
  ASSERT_GT(largest, 0.1);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k], before[k], 0.01 * largest) << k;
}

/// Every batch comes once in an epoch. The mean of their gradients is that of the whole, also where one has
/// few labels; weights n / n_batch would favour these.
TEST(DkmBatches, GradientsOfUnequalBatchesAverageToThatOfTheWhole) {
  Dataset data = generate("csbm:n=60,classes=2,homophily=0.9,features=10,degree=4");
  Problem problem = prepare(data, Preprocessing{}, 0);
  std::vector<Triplet> inside;  // two components, of 20 and 40 nodes
  for (Index r = 0; r < 60; ++r) {
    for (Index k = problem.relations.each[0].matrix.row_start[r];
         k < problem.relations.each[0].matrix.row_start[r + 1]; ++k) {
      if ((problem.relations.each[0].matrix.col[k] < 20) == (r < 20))
        inside.push_back({static_cast<std::int32_t>(r), problem.relations.each[0].matrix.col[k],
                          problem.relations.each[0].matrix.value[k]});
    }
  }
  problem.relations = csr_from_triplets(60, 60, inside);
  for (Index i = 0; i < 60; ++i)
    problem.target.push_back(static_cast<float>(std::sin(static_cast<double>(i))));
  problem.targets = 1;
  const std::vector<std::int32_t> train{1, 25, 30, 35, 41, 47, 50, 55};
  TrainOptions options;
  options.inference = Inference::paper;  // regression, so without random numbers
  ModelConfig config;
  config.inducing = 6;
  CpuBackend<double> backend(1);
  const auto gradient_of = [&](const std::vector<std::vector<std::int32_t>>& parts) {
    const auto model = make_model(backend, config, problem);
    const auto trainable = make_trainable(*model, problem, train, options);
    std::vector<std::unique_ptr<TrainingBatch<double>>> batches;
    for (const auto& nodes : parts) {
      Batch batch{cut_out(problem, nodes), {}, {}, {}};
      for (const auto node : train) {
        if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) batch.whole.push_back(node);
      }
      batch.item = batch.part.numbers_of(batch.whole);
      batch.label.assign(batch.whole.size(), 0);
      batches.push_back(trainable->upload(problem, batch));
    }
    std::vector<double> sum;
    const std::uint32_t turn = 0;
    for (const auto& batch : batches) {
      batch->build();
      batch->compute_gradients(&turn);
      const auto g = model->parameters().get_gradient("readout.mu");
      sum.resize(g.size(), 0.0);
      for (std::size_t k = 0; k < g.size(); ++k) sum[k] += g[k] / static_cast<double>(batches.size());
    }
    return sum;
  };
  std::vector<std::int32_t> first, second, all;
  for (std::int32_t i = 0; i < 60; ++i) {
    (i < 20 ? first : second).push_back(i);
    all.push_back(i);
  }
  const auto whole = gradient_of({all}), parts = gradient_of({first, second});
  ASSERT_EQ(whole.size(), parts.size());
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_NEAR(parts[k], whole[k], 1e-10) << k;
}

TEST(DkmBatches, InducingPointsOfGraphsStartFromTrainingGraphsAlone) {
  Problem problem;
  problem.task = Task::graph;
  problem.features.rows = 30;
  problem.features.cols = 3;
  for (std::int32_t g = 0; g < 10; ++g) {
    problem.graph_start.push_back(3 * g);
    problem.label.push_back(g % 2);
    // Only graphs from the sixth on have the third feature.
    for (int i = 0; i < 3; ++i) {
      const bool late = g >= 6;
      problem.features.dense.insert(problem.features.dense.end(), {late ? 0.f : static_cast<float>(i + 1),
                                                                   late ? 0.f : 1.f, late ? 1.f : 0.f});
    }
  }
  problem.graph_start.push_back(30);
  problem.classes = 2;
  std::vector<Triplet> loops;
  for (std::int32_t i = 0; i < 30; ++i) loops.push_back({i, i, 1.0});
  problem.relations = csr_from_triplets(30, 30, loops);
  CpuBackend<double> backend(1);
  ModelConfig config;
  config.inducing = 3;
  const auto model = make_model(backend, config, problem);
  const auto trainable = make_trainable(*model, problem, {0, 1, 2, 3, 4, 5}, TrainOptions{});
  const auto x = model->parameters().get("X_i");
  for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(x[3 * r + 2], 0) << "from a graph that is not for training";
}

}  // namespace
}  // namespace gdkm
