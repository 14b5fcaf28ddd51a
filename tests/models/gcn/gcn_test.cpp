#include "gdkm/models/gcn/gcn.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/models/graph_inputs.hpp"
#include "gdkm/support/error.hpp"
#include "tests/golden.hpp"
#include "tests/layers/central_differences.hpp"

namespace gdkm {
namespace {

using testing::Golden;

template <class T>
std::vector<T> cast(const std::vector<double>& a) {
  return std::vector<T>(a.begin(), a.end());
}

template <class T>
void expect_close(const std::vector<T>& got, const std::vector<double>& want, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t k = 0; k < got.size(); ++k) {
    ASSERT_NEAR(static_cast<double>(got[k]), want[k], tolerance) << what << " entry " << k;
  }
}

/// Inputs and the classes of some of their outputs.
template <class T>
struct Items {
  GcnInputs<T> inputs;
  Labels labels;
};

template <class T>
Labels upload_labels(Backend<T>& backend, const std::vector<std::int32_t>& rows,
                     const std::vector<std::int32_t>& label) {
  return {Buffer<std::int32_t>(backend, rows), Buffer<std::int32_t>(backend, label)};
}

/// Logits of all nodes, or of the labelled ones alone.
template <class T>
Items<T> node_items(Backend<T>& backend, const GcnConfig& config, const Relations& mixing,
                    const Features& features, const std::vector<std::int32_t>& label,
                    const std::vector<std::int32_t>& nodes, bool whole) {
  std::vector<std::int32_t> chosen, rows(nodes.size());
  for (const auto node : nodes) chosen.push_back(label[static_cast<std::size_t>(node)]);
  if (whole)
    return {make_gcn_inputs<T>(backend, config, mixing, features), upload_labels(backend, nodes, chosen)};
  std::iota(rows.begin(), rows.end(), 0);
  const Csr outputs = selection(nodes, mixing.nodes());
  return {make_gcn_inputs<T>(backend, config, mixing, features, &outputs),
          upload_labels(backend, rows, chosen)};
}

/// Graphs that own consecutive nodes; the mixing between them stays, which the gradient does not mind.
template <class T>
Items<T> graph_items(Backend<T>& backend, const GcnConfig& config, const Relations& mixing,
                     const Features& features, const std::vector<std::int32_t>& start,
                     const std::vector<std::int32_t>& label) {
  std::vector<std::int32_t> rows(label.size());
  std::iota(rows.begin(), rows.end(), 0);
  const Csr outputs = pooling_matrix(start, config.pooling);
  return {make_gcn_inputs<T>(backend, config, mixing, features, &outputs),
          upload_labels(backend, rows, label)};
}

// ---- golden values
// --------------------------------------------------------------------------------------------------

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

// ---- finite differences
// ---------------------------------------------------------------------------------------------

constexpr Index n = 24, classes = 3;

struct World {
  explicit World(bool sparse, const std::string& relations = "", std::int32_t columns = 6) {
    Random random(Stream{11, Purpose::generator, 0});
    Graph graph;
    graph.nodes = n;
    for (int k = 0; k < 40; ++k) {
      graph.edges.push_back(
          {static_cast<std::int32_t>(random.below(n)), static_cast<std::int32_t>(random.below(n))});
    }
    graph.directed = true;
    mixing = normalised_adjacency(graph, 0.2);
    if (!relations.empty()) mixing = make_relations(graph, parse_relations(relations), 0.2);
    features.rows = n;
    features.cols = columns;
    features.is_sparse = sparse;
    std::vector<Triplet> entries;
    for (std::int32_t r = 0; r < n; ++r) {
      for (std::int32_t c = 0; c < columns; ++c) {
        const auto v = static_cast<float>(random.normal());
        if (!sparse) {
          features.dense.push_back(v);
        } else if (random.uniform() < 2.4 / columns) {
          entries.push_back({r, c, v});
        }
      }
    }
    if (sparse) features.sparse = csr_from_triplets(n, columns, entries);
    for (std::int32_t r = 0; r < n; ++r) label.push_back(r % 3);
    for (std::int32_t r = 1; r < n; r += 3) nodes.push_back(r);
  }
  Relations mixing;
  Features features;
  std::vector<std::int32_t> label, nodes;
};

struct GcnCase {
  std::string name;
  GcnConfig config;
  bool sparse = true, pooled = false;
  std::string relations{};
  std::int32_t columns = 6;

  World world() const { return World(sparse, relations, columns); }
};

/// The same network with relations.
GcnCase related(const std::string& relations, GcnCase of, std::int32_t columns = 6) {
  of.relations = relations;
  of.config.relations = static_cast<Index>(parse_relations(relations).size());
  of.columns = columns;
  return of;
}

GcnConfig config_of(Architecture arch, int layers, double dropout, bool batch_norm, bool row_normalise,
                    Index width = 5) {
  GcnConfig out;
  out.arch = arch;
  out.layers = layers;
  out.width = width;
  out.dropout = dropout;
  out.batch_norm = batch_norm;
  out.row_normalise = row_normalise;
  out.weight_decay = 0.3;
  return out;
}

GcnConfig sums(GcnConfig config) {
  config.pooling = Pooling::sum;
  return config;
}

template <class T>
Items<T> batch_of(Backend<T>& backend, const GcnCase& c, const World& world) {
  if (!c.pooled) {
    return node_items<T>(backend, c.config, world.mixing, world.features, world.label, world.nodes,
                         c.config.batch_norm);
  }
  return graph_items<T>(backend, c.config, world.mixing, world.features, {0, 5, 6, 15, 24}, {1, 0, 0, 2});
}

void randomise(Parameters<double>& parameters) {
  Random random(Stream{12, Purpose::initial, 0});
  for (const auto& entry : parameters.entries()) {
    std::vector<double> value;
    for (Index k = 0; k < entry.rows * entry.cols; ++k) value.push_back(0.5 * random.normal());
    parameters.set(entry.name, value);
  }
}

class GcnGradient : public ::testing::TestWithParam<GcnCase> {};

TEST_P(GcnGradient, AgreesWithFiniteDifferences) {
  const GcnCase& c = GetParam();
  const World world = c.world();
  CpuBackend<double> backend(2);
  Gcn<double> model(backend, c.config, c.columns, classes);
  auto& parameters = model.parameters();
  randomise(parameters);
  const auto batch = batch_of<double>(backend, c, world);
  const auto network = model.network(batch.inputs, true);
  const auto value = [&] {
    network->forward(Stream{2, Purpose::dropout, 3});
    network->score(batch.labels);
    return network->read_score().loss;
  };
  network->forward(Stream{2, Purpose::dropout, 3});
  network->backward(batch.labels, 2.0);
  std::map<std::string, double> largest;
  testing::central_differences(parameters, 1e-6, value,
                               [&](const auto& entry, std::size_t k, double gradient, double numeric) {
                                 ASSERT_NEAR(gradient, 2 * numeric, 1e-7) << entry.name << " entry " << k;
                                 largest[entry.name] = std::max(largest[entry.name], std::fabs(gradient));
                               });
  for (const auto& entry : parameters.entries())
    EXPECT_GT(largest[entry.name], 0) << entry.name << " receives nothing";
}

TEST_P(GcnGradient, Float32AgreesWithFloat64) {
  const GcnCase& c = GetParam();
  const World world = c.world();
  CpuBackend<double> exact(2);
  CpuBackend<float> single(2);
  Gcn<double> model(exact, c.config, c.columns, classes);
  Gcn<float> rounded(single, c.config, c.columns, classes);
  randomise(model.parameters());
  for (const auto& entry : model.parameters().entries()) {
    rounded.parameters().set(entry.name, cast<float>(model.parameters().get(entry.name)));
  }
  const auto batch = batch_of<double>(exact, c, world);
  const auto batch32 = batch_of<float>(single, c, world);
  const auto network = model.network(batch.inputs, true);
  const auto network32 = rounded.network(batch32.inputs, true);
  network->forward(Stream{2, Purpose::dropout, 3});
  network->backward(batch.labels);
  network32->forward(Stream{2, Purpose::dropout, 3});
  network32->backward(batch32.labels);
  EXPECT_NEAR(network32->read_score().loss, network->read_score().loss, 1e-5);
  EXPECT_EQ(network32->read_score().accuracy, network->read_score().accuracy);
  for (const auto& entry : model.parameters().entries()) {
    expect_close(rounded.parameters().get_gradient(entry.name), model.parameters().get_gradient(entry.name),
                 1e-4, entry.name);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, GcnGradient,
    ::testing::Values(
        GcnCase{"kipf", config_of(Architecture::kipf, 2, 0, false, false)},
        GcnCase{"kipf_dense", config_of(Architecture::kipf, 2, 0.5, false, false), false},
        GcnCase{"kipf_one_layer", config_of(Architecture::kipf, 1, 0.5, false, false)},
        GcnCase{"kipf_three_layers", config_of(Architecture::kipf, 3, 0.3, false, false)},
        GcnCase{"kipf_batch_norm", config_of(Architecture::kipf, 3, 0.3, true, false)},
        GcnCase{"kipf_row_normalise", config_of(Architecture::kipf, 2, 0.3, false, true)},
        GcnCase{"kipf_both_norms", config_of(Architecture::kipf, 3, 0, true, true)},
        GcnCase{"kipf_narrow", config_of(Architecture::kipf, 2, 0, false, false, 2)},
        GcnCase{"kipf_mean_pooled", config_of(Architecture::kipf, 2, 0, false, false), true, true},
        GcnCase{"kipf_one_layer_sum_pooled", sums(config_of(Architecture::kipf, 1, 0, false, false)), true,
                true},
        GcnCase{"platonov", config_of(Architecture::platonov, 2, 0, false, false)},
        GcnCase{"platonov_dense", config_of(Architecture::platonov, 2, 0.4, false, true), false},
        GcnCase{"platonov_both_norms", config_of(Architecture::platonov, 2, 0.4, true, true)},
        GcnCase{"platonov_sum_pooled", sums(config_of(Architecture::platonov, 1, 0.2, true, false)), true,
                true},
        related("self,in,out", {"relations", config_of(Architecture::kipf, 2, 0, false, false)}),
        related("self,in,out:row",
                {"relations_dense", config_of(Architecture::kipf, 3, 0.3, false, false), false}),
        related("in,self,gcn", {"relations_batch_norm", config_of(Architecture::kipf, 3, 0.3, true, true)}),
        related("self,und,hop2",
                {"relations_of_many_features", config_of(Architecture::kipf, 2, 0, false, false)}, 60),
        related("in,out", {"relations_one_layer", config_of(Architecture::kipf, 1, 0, false, false)}, 60),
        related("self,in,out", {"relations_narrow", config_of(Architecture::kipf, 3, 0, true, false, 2)}),
        related("self,in,out",
                {"relations_mean_pooled", config_of(Architecture::kipf, 2, 0, false, false), true, true}),
        related("self,in,out",
                {"relations_platonov", config_of(Architecture::platonov, 2, 0.4, true, true)})),
    [](const auto& tested) { return tested.param.name; });

// ---- what a model promises
// ------------------------------------------------------------------------------------------

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
