#include "gdkm/models/gcn/gcn.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/support/error.hpp"
#include "tests/golden.hpp"
#include "tests/models/gcn/small_gcn_inputs.hpp"

namespace gdkm {
namespace {

using namespace testing;

template <class T>
void expect_golden(double value_tolerance, double gradient_tolerance, bool whole) {
  Golden golden("gcn");
  CpuBackend<T> backend(2);
  GcnConfig config;
  config.width = golden.shape("W1")[1];
  config.dropout = 0;
  Gcn<T> model(backend, config, golden.shape("X")[1], golden.shape("W2")[1]);
  for (const auto& [ours, theirs] :
       {std::pair{"layer1.W", "W1"}, {"layer1.b", "b1"}, {"output.W", "W2"}, {"output.b", "b2"}}) {
    model.parameters().set(ours, cast<T>(golden.array(theirs)));
  }
  const Csr mixing = normalised_adjacency(golden.adjacency(), 0);
  const auto all = make_gcn_inputs<T>(backend, config, mixing, golden.features());
  const auto whole_network = model.network(all, false);
  whole_network->predict();
  const View<T> logits = whole_network->logits();
  expect_close(std::vector<T>(logits.data, logits.data + logits.size()), golden.array("logits"),
               value_tolerance, "logits");

  const auto batch = node_items<T>(backend, config, mixing, golden.features(), golden.integers("y"),
                                   golden.integers("train"), whole);
  const auto network = model.network(batch.inputs, true);
  network->forward(Stream{0, Purpose::dropout, 0});
  network->backward(batch.labels);
  EXPECT_NEAR(network->read_score().loss, golden.number("loss"), value_tolerance);
  for (const auto& [ours, theirs] : {std::pair{"layer1.W", "grad_W1"},
                                     {"layer1.b", "grad_b1"},
                                     {"output.W", "grad_W2"},
                                     {"output.b", "grad_b2"}}) {
    expect_close(model.parameters().get_gradient(ours), golden.array(theirs), gradient_tolerance, ours);
  }
}

TEST(GoldenGcn, ValuesAndGradientsInFloat64) {
  expect_golden<double>(1e-9, 1e-7, true);
}

TEST(GoldenGcn, LogitsOfTheLabelledNodesAloneGiveTheSame) {
  expect_golden<double>(1e-9, 1e-7, false);
}

TEST(GoldenGcn, Float32AgreesWithFloat64) {
  expect_golden<float>(1e-5, 1e-5, true);
}

TEST(Gcn, BatchNormPredictsWithRunningMoments) {
  const World world(true);
  CpuBackend<double> backend(2);
  const GcnConfig config = config_of(Architecture::kipf, 2, 0, true, false);
  Gcn<double> model(backend, config, 6, classes);
  randomise(model.parameters());
  const auto batch =
      node_items<double>(backend, config, world.mixing, world.features, world.label, world.nodes, true);
  const auto network = model.network(batch.inputs, true);
  const auto logits = [&] {
    const View<double> v = network->logits();
    return std::vector<double>(v.data, v.data + v.size());
  };
  network->predict();
  const auto untrained = logits();
  for (int k = 0; k < 200; ++k) network->forward(Stream{});
  const auto by_the_batch = logits();
  network->predict();
  expect_close(logits(), by_the_batch, 1e-7, "running moments have not settled");
  double change = 0;
  for (std::size_t k = 0; k < untrained.size(); ++k) {
    change = std::max(change, std::fabs(untrained[k] - by_the_batch[k]));
  }
  EXPECT_GT(change, 0.1);
}

TEST(Gcn, ProbabilitiesOfPooledGraphsSumToOneAndAnEmptyGraphHasThem) {
  const World world(true);
  CpuBackend<double> backend(2);
  const GcnConfig config = config_of(Architecture::platonov, 2, 0.5, false, false);
  Gcn<double> model(backend, config, 6, classes);
  const auto batch =
      graph_items<double>(backend, config, world.mixing, world.features, {0, 5, 5, 24}, {1, 0, 2});
  const auto p = class_probabilities(model, batch.inputs);
  ASSERT_EQ(p.size(), 9u);
  for (std::size_t g = 0; g < 3; ++g) EXPECT_NEAR(p[3 * g] + p[3 * g + 1] + p[3 * g + 2], 1, 1e-12);
}

TEST(Gcn, AClockOnTheDeviceCountsPassesAsTheStepOfTheStreamDoes) {
  const World world(true);
  CpuBackend<double> backend(2);
  for (const Architecture arch : {Architecture::kipf, Architecture::platonov}) {
    const GcnConfig config = config_of(arch, 3, 0.5, false, false);  // several dropouts in a pass
    Gcn<double> model(backend, config, 6, classes);
    const auto inputs = make_gcn_inputs<double>(backend, config, world.mixing, world.features);
    const auto network = model.network(inputs, true);
    const auto logits = [&](const Stream& stream) {
      network->forward(stream);
      const View<double> v = network->logits();
      return std::vector<double>(v.data, v.data + v.size());
    };
    std::uint32_t clock = 0;
    std::vector<double> last;
    for (; clock < 4; ++clock) {
      const auto by_step = logits(Stream{5, Purpose::dropout, clock});
      EXPECT_EQ(logits(Stream{5, Purpose::dropout, 0, &clock}), by_step);
      EXPECT_NE(by_step, last);
      last = by_step;
    }
  }
}

TEST(Gcn, HiddenLayersAreTheTermsOfTheEquations) {
  const World world(false);
  CpuBackend<double> backend(1);
  GcnConfig config = config_of(Architecture::kipf, 3, 0.5, false, false);
  Gcn<double> model(backend, config, 6, classes);
  const auto inputs = make_gcn_inputs<double>(backend, config, world.mixing, world.features);
  const auto network = model.network(inputs, false);
  network->predict();
  const View<double> h = network->hidden(2), logits = network->logits();
  ASSERT_EQ(h.rows, n);
  ASSERT_EQ(h.cols, config.width);
  // logits = Â H_2 W_3 + b_3
  const Matrix<double> product(backend, n, classes), mixed(backend, n, classes);
  const auto& parameters = model.parameters();
  backend.gemm(1, Op::none, h, Op::none, parameters.value(parameters.find("output.W")), 0, product);
  backend.spmm(1, Op::none, inputs.mixing.tt(), product, 0, mixed);
  expect_close(mixed.to_host(), std::vector<double>(logits.data, logits.data + logits.size()), 1e-12, "kipf");
  EXPECT_EQ(config.hidden_layers(), 2);

  config.arch = Architecture::platonov;
  Gcn<double> residual(backend, config, 6, classes);
  const auto its_inputs = make_gcn_inputs<double>(backend, config, world.mixing, world.features);
  const auto its_network = residual.network(its_inputs, false);
  its_network->predict();
  const View<double> last = its_network->hidden(3);
  backend.gemm(1, Op::none, last, Op::none,
               residual.parameters().value(residual.parameters().find("output.W")), 0, product);
  const View<double> its_logits = its_network->logits();
  expect_close(product.to_host(), std::vector<double>(its_logits.data, its_logits.data + its_logits.size()),
               1e-12, "platonov");
}

TEST(Gcn, EveryRelationHasAWeightMatrixOfItsOwn) {
  const World world(false, "self,in,out");
  CpuBackend<double> backend(1);
  GcnConfig config = config_of(Architecture::kipf, 2, 0, false, false);
  config.relations = 3;
  Gcn<double> model(backend, config, 6, classes);
  randomise(model.parameters());
  const auto inputs = make_gcn_inputs<double>(backend, config, world.mixing, world.features);
  const auto network = model.network(inputs, false);
  network->predict();
  const View<double> h = network->hidden(1), logits = network->logits();
  const auto& parameters = model.parameters();
  const View<double> w = parameters.value(parameters.find("output.W"));
  ASSERT_EQ(w.rows, 3 * config.width);
  // logits = H W_1 + P_in H W_2 + P_out H W_3 + b
  const Matrix<double> product(backend, n, classes), want(backend, n, classes);
  backend.gemm(1, Op::none, h, Op::none, w.block_rows(0, config.width), 0, want);
  for (Index r = 1; r < 3; ++r) {
    const Sparse<double> matrix(backend, world.mixing.each[static_cast<std::size_t>(r)].matrix);
    backend.gemm(1, Op::none, h, Op::none, w.block_rows(r * config.width, config.width), 0, product);
    backend.spmm(1, Op::none, matrix, product, 1, want);
  }
  backend.add_row(1, parameters.value(parameters.find("output.b")), want);
  expect_close(want.to_host(), std::vector<double>(logits.data, logits.data + logits.size()), 1e-12,
               "logits");
}

TEST(Gcn, ProductsWithManySparseFeaturesAreMixedAfterwards) {
  CpuBackend<double> backend(1);
  GcnConfig config;
  config.relations = 3;
  for (const std::int32_t columns : {6, 60}) {
    const World world(true, "self,und,hop2", columns);
    const auto inputs = make_gcn_inputs<double>(backend, config, world.mixing, world.features);
    EXPECT_EQ(inputs.mix_after, columns == 60) << columns;
    EXPECT_EQ(inputs.weight_rows(), 3 * columns);
  }
}

TEST(Gcn, WeightDecayIsForEveryWeightMatrixButTheLast) {
  CpuBackend<double> backend(1);
  Gcn<double> model(backend, config_of(Architecture::platonov, 1, 0, false, false), 6, classes);
  randomise(model.parameters());
  backend.fill(model.parameters().gradients(), 0);
  model.add_weight_decay();
  for (const auto& entry : model.parameters().entries()) {
    const bool decays = entry.name == "input.W" || entry.name == "block1.W" || entry.name == "block1.V";
    const auto value = model.parameters().get(entry.name),
               gradient = model.parameters().get_gradient(entry.name);
    for (std::size_t k = 0; k < value.size(); ++k) {
      ASSERT_DOUBLE_EQ(gradient[k], decays ? 0.3 * value[k] : 0) << entry.name;
    }
  }
}

}  // namespace
}  // namespace gdkm
