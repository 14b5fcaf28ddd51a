#include "gdkm/layers/item_rows.hpp"

#include <numeric>

#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/natural_inference.hpp"
#include "tests/layers/small_graph.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using namespace testing::small_graph;

TEST(ItemRows, AreAdjacentWhereEachFollowsTheOneBefore) {
  CpuBackend<double> backend(1);
  const ItemRows some(backend, {3, 4, 5}), all(backend, {0, 1, 2}), one(backend, {7}),
      gap(backend, {3, 5, 6}), back(backend, {5, 4, 3}), none(backend, std::vector<std::int32_t>{});
  EXPECT_TRUE(some.are_adjacent() && all.are_adjacent() && one.are_adjacent());
  EXPECT_EQ(some.first(), 3);
  EXPECT_EQ(one.first(), 7);
  EXPECT_FALSE(gap.are_adjacent() || back.are_adjacent() || none.are_adjacent());
  EXPECT_TRUE(all.are_all(3));
  EXPECT_FALSE(all.are_all(4) || some.are_all(3) || none.are_all(0));
  EXPECT_FALSE(ItemRows(Buffer<std::int32_t>(backend, std::vector<std::int32_t>{0, 1})).are_adjacent());
}

struct Stretch {
  std::int32_t first, count;
};

/// The rows of a stretch as they are, and as rows of which nothing is known, which are gathered.
std::vector<ItemRows> both_ways(Device& device, const Stretch& stretch) {
  std::vector<std::int32_t> row(static_cast<std::size_t>(stretch.count));
  std::iota(row.begin(), row.end(), stretch.first);
  return {ItemRows(device, row), ItemRows(Buffer<std::int32_t>(device, row))};
}
Buffer<std::int32_t> labels_of(Device& device, const Stretch& stretch) {
  std::vector<std::int32_t> label(static_cast<std::size_t>(stretch.count));
  for (std::size_t k = 0; k < label.size(); ++k) label[k] = static_cast<std::int32_t>(k % classes);
  return {device, label};
}

class AdjacentRows : public ::testing::TestWithParam<Stretch> {};

TEST_P(AdjacentRows, GiveTheGradientsOfGatheredOnes) {
  for (const auto& [sampling, regression] :
       {std::pair{Sampling::node, false}, {Sampling::weights, false}, {Sampling::node, true}}) {
    World world(9, 6, false, true);
    ModelConfig config;
    config.inducing = 6;
    config.sampling = sampling;
    config.regression = regression;
    Parameters<double> parameters(world.backend);
    Network<double> network(world.backend, world.inputs, parameters, config, classes, true);
    build(network, Architecture::kipf);
    parameters.allocate();
    world.randomise(parameters);
    std::vector<std::vector<double>> gradients;
    for (const ItemRows& rows : both_ways(world.backend, GetParam())) {
      world.labels = {rows, labels_of(world.backend, GetParam())};
      network.forward();
      if (regression) {
        network.backward(world.random_targets(), 1.0, 1.5);
      } else {
        network.backward(world.labels, Stream{5, Purpose::sampling, 1}, 1.0, {}, 1.5);
      }
      const auto g = parameters.gradients();
      gradients.emplace_back(g.data, g.data + g.size());
    }
    for (std::size_t k = 0; k < gradients[0].size(); ++k)
      ASSERT_NEAR(gradients[0][k], gradients[1][k], 1e-12) << "entry " << k;
  }
}

TEST_P(AdjacentRows, GiveTheNaturalStepsOfGatheredOnes) {
  const Problem problem = prepare(generate("csbm:n=23,classes=3,features=10,degree=4"), Preprocessing{}, 0);
  CpuBackend<double> backend(1);
  ModelConfig config;
  config.inducing = 8;
  std::vector<std::vector<double>> results;
  for (const ItemRows& rows : both_ways(backend, GetParam())) {
    Dkm<double> model(backend, config, problem.features.cols, classes);
    model.declare_parameters();
    model.initialise(choose_inducing_points(problem.relations, problem.features, config, Init::kmeans, 0));
    const auto inputs = make_inputs<double>(backend, problem.relations, problem.features, {}, true);
    NaturalInference<double> natural(model);
    natural.declare(GetParam().count);
    const auto network = model.network(inputs, true);
    const Labels labels{rows, labels_of(backend, GetParam())};
    Sites<double> sites = natural.sites(0);
    network->forward();
    network->start_sites(labels, sites);
    network->solve(labels, sites, natural.posterior());
    for (int round = 0; round < 2; ++round) {
      network->update(labels, Stream{3, Purpose::sampling, 0}, 5, 1, sites);
      network->add_up(labels, sites, false);
      natural.posterior().move(true);
      network->refresh();
    }
    network->backward(labels, Stream{3, Purpose::sampling, 0}, 1.0, 1.0, sites);
    results.push_back(model.parameters().get("readout.mu"));
    const auto g = model.parameters().gradients();
    results.back().insert(results.back().end(), g.data, g.data + g.size());
    results.back().push_back(network->sum_of_kernel(rows));
  }
  for (std::size_t k = 0; k < results[0].size(); ++k)
    ASSERT_NEAR(results[0][k], results[1][k], 1e-10) << "entry " << k;
}

INSTANTIATE_TEST_SUITE_P(Stretches, AdjacentRows, ::testing::Values(Stretch{0, 23}, Stretch{4, 9}),
                         [](const auto& info) { return info.param.first == 0 ? "All" : "Some"; });

}  // namespace
}  // namespace gdkm
