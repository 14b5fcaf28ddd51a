#include "gdkm/models/network.hpp"
#include "tests/layers/small_graph.hpp"

// Whole networks: the gradient of the ELBO.

namespace gdkm {
namespace {

using namespace testing::small_graph;

TEST(LargeNetwork, GradientsDoNotDependOnHowWorkIsCut) {
  // Larger than a row block, a strip of columns, a chunk of labels, and what one thread keeps for itself.
  const Index nodes = 1300, width = 90;
  Random random(Stream{6, Purpose::generator, 0});
  Graph graph;
  graph.nodes = nodes;
  for (int k = 0; k < 4000; ++k) {
    graph.edges.push_back(
        {static_cast<std::int32_t>(random.below(nodes)), static_cast<std::int32_t>(random.below(nodes))});
  }
  Features x;
  x.rows = nodes;
  x.cols = width;
  for (Index k = 0; k < nodes * width; ++k) x.dense.push_back(static_cast<float>(random.normal()));
  std::vector<std::int32_t> row, label, sites;
  for (std::int32_t r = 0; r < nodes; r += 2) {
    row.push_back(r);
    label.push_back(r % 3);
  }
  for (std::int32_t j = 0; j < 70; ++j) sites.push_back(3 * j);
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    const auto gradients = [&](int threads, Sampling sampling) {
      CpuBackend<double> backend(threads);
      ModelConfig config;
      config.scheme = scheme;
      config.inducing = 70;
      config.nu = {0.3};
      config.sampling = sampling;
      const auto inputs = make_inputs<double>(backend, normalised_adjacency(adjacency(graph), 0.1),
                                              normalise(x, Normalisation::l2),
                                              scheme == Scheme::intra ? sites : std::vector<std::int32_t>{});
      Parameters<double> parameters(backend);
      Network<double> network(backend, inputs, parameters, config, 3, true);
      build(network, Architecture::kipf);
      parameters.allocate();
      Random start(Stream{8, Purpose::initial, 0});
      for (const auto& entry : parameters.entries()) {
        std::vector<double> value;
        for (Index k = 0; k < entry.rows * entry.cols; ++k) value.push_back(0.1 * start.normal());
        parameters.set(entry.name, value);
      }
      const Labels labels{Buffer<std::int32_t>(backend, row), Buffer<std::int32_t>(backend, label)};
      network.forward();
      network.backward(labels, Stream{2, Purpose::sampling, 0}, 1.0);
      const auto g = parameters.gradients();
      return std::vector<double>(g.data, g.data + g.size());
    };
    for (const Sampling sampling : {Sampling::node, Sampling::weights}) {
      const auto one = gradients(1, sampling), three = gradients(3, sampling);
      double largest = 0;
      for (const double v : one) largest = std::max(largest, std::fabs(v));
      ASSERT_GT(largest, 0);
      for (std::size_t k = 0; k < one.size(); ++k)
        ASSERT_NEAR(one[k], three[k], 1e-8 * largest) << "entry " << k;
    }
  }
}

struct NetworkCase {
  std::string name;
  ModelConfig config;
  Index width;
  bool pools = false;
  bool regression = false;
  bool weighted = false;  // items count by their classes
};

NetworkCase network_case(const std::string& name, Scheme scheme, Sampling sampling, int layers, double nu,
                         KernelKind kernel, bool learned_scale, Index width) {
  ModelConfig config;
  config.scheme = scheme;
  config.sampling = sampling;
  config.layers = layers;
  config.nu = {nu};
  config.kernel = kernel;
  config.learned_scale = learned_scale;
  config.inducing = 6;
  config.samples = 3;
  config.temper = 0.7;
  config.jitter = 0;
  return {name, config, width};
}

class NetworkGradient : public ::testing::TestWithParam<NetworkCase> {};

TEST_P(NetworkGradient, AgreesWithFiniteDifferences) {
  const NetworkCase& c = GetParam();
  World world(c.width, c.config.inducing, c.config.scheme == Scheme::intra, true, c.config.mixes_inputs(),
              c.config.mixing());
  if (c.pools) world.make_graphs();
  if (c.weighted) world.labels.weights = {{2, 0.3}, {5, 2.5}, {world.labels.count() - 7, 1.2}};
  Parameters<double> parameters(world.backend);
  Network<double> network(world.backend, world.inputs, parameters, c.config, classes, true);
  build(network, c.config.arch);
  parameters.allocate();
  world.randomise(parameters);
  const Targets<double> targets = world.random_targets();
  const Stream stream{5, Purpose::sampling, 1};
  const auto value = [&] {
    network.forward();
    if (c.regression) {
      network.backward(targets, 1.0, 1.5);
    } else {
      network.backward(world.labels, stream, 1.0, {}, 1.5);
    }
    return network.objective().elbo;
  };
  value();
  // The gradients are overwritten by every evaluation: keep them.
  Parameters<double> kept(world.backend);
  for (const auto& entry : parameters.entries()) kept.declare(entry.name, entry.rows, entry.cols);
  kept.allocate();
  std::copy_n(parameters.gradients().data, parameters.size(), kept.gradients().data);
  for (const auto& entry : parameters.entries()) kept.set(entry.name, parameters.get(entry.name));
  expect_gradients(kept, [&] {
    std::copy_n(kept.values().data, kept.size(), parameters.values().data);
    return value();
  });
}

/// Every architecture, scheme, centering and rank of the inputs, and what stands on top of them.
std::vector<NetworkCase> family() {
  std::vector<NetworkCase> out;
  for (const std::string& name : names_of<Architecture>()) {
    const Architecture arch = *value_named<Architecture>(name);
    for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
      // Architectures that differ in relations share the rest; two cases each keep the tests short.
      const bool has_relations = std::string(traits_of(arch).relations) != "gcn";
      if (scheme == Scheme::intra && has_relations) continue;
      for (const std::string centering : {"plain", "centred", "affine"}) {
        for (const Index width : {9, 4}) {
          if (has_relations && (centering == "centred" || width == 4)) continue;
          const std::string title = name + (scheme == Scheme::inter ? "_inter_" : "_intra_") + centering +
                                    (width == 4 ? "_few_features" : "");
          NetworkCase each =
              network_case(title, scheme, Sampling::node, 2, 0.5, KernelKind::arccos, true, width);
          each.config.arch = arch;
          each.config.edge_types = 2;
          if (each.config.relation_count() > 1) each.config.inducing = 3 * each.config.relation_count();
          each.config.center = centering != "plain";
          each.config.affine = centering == "affine";
          out.push_back(each);
          if (scheme == Scheme::intra || width == 4 || has_relations) continue;
          each.name = title + "_of_graphs";
          each.pools = true;
          out.push_back(each);
          each.name = title + "_of_graphs_with_bias";
          each.config.bias = true;
          out.push_back(each);
          each.config.bias = false;
          each.name = title + "_of_numbers";
          each.pools = false;
          each.regression = each.config.regression = true;
          out.push_back(each);
        }
      }
    }
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Family, NetworkGradient, ::testing::ValuesIn(family()),
                         [](const auto& info) { return info.param.name; });

/// Relations in every place of a network, with weights learned or not.
std::vector<NetworkCase> with_relations() {
  std::vector<NetworkCase> out;
  const auto add = [&](const std::string& name, const std::string& relations, Architecture arch,
                       Index width) {
    NetworkCase each =
        network_case(name, Scheme::inter, Sampling::node, 2, 0.5, KernelKind::arccos, true, width);
    each.config.arch = arch;
    each.config.edge_types = 2;
    each.config.relations = parse_relations(relations);
    each.config.inducing = 3 * each.config.relation_count();
    out.push_back(each);
  };
  add("self_in_out", "self,in,out", Architecture::kipf, 9);
  add("without_self", "in:row,out:sum", Architecture::kipf, 9);
  add("one_that_is_not_gcn", "und", Architecture::kipf, 9);
  add("self_last", "hop2,und:row,self", Architecture::platonov, 9);
  add("types", "self,types", Architecture::resid, 9);
  add("few_features", "self,in,out", Architecture::kipf, 1);
  add("algorithm1", "self,und", Architecture::algorithm1, 9);
  add("polynomial", "poly:3", Architecture::kipf, 9);
  add("polynomial_of_few_features", "poly:2", Architecture::kipf, 3);
  add("polynomial_platonov", "poly:2", Architecture::platonov, 9);
  add("weights", "self,in,out", Architecture::kipf, 9);
  out.back().name += "_fixed";
  out.back().config.learned_relations = false;
  add("three_layers", "self,in,out", Architecture::kipf, 9);
  out.back().config.layers = 3;
  add("one_layer", "self,in,out", Architecture::kipf, 9);
  out.back().config.layers = 1;
  return out;
}

INSTANTIATE_TEST_SUITE_P(Relations, NetworkGradient, ::testing::ValuesIn(with_relations()),
                         [](const auto& info) { return info.param.name; });

NetworkCase with_bias(NetworkCase each) {
  each.config.bias = true;
  each.name += "_with_bias";
  return each;
}

NetworkCase with_weights_of_items(NetworkCase each) {
  each.weighted = true;
  each.name += "_with_weights_of_items";
  return each;
}

INSTANTIATE_TEST_SUITE_P(
    Networks, NetworkGradient,
    ::testing::Values(
        with_weights_of_items(network_case("inter_node", Scheme::inter, Sampling::node, 2, 0.5,
                                           KernelKind::arccos, true, 9)),
        with_weights_of_items(with_bias(network_case("inter_weights", Scheme::inter, Sampling::weights, 2,
                                                     0.5, KernelKind::arccos, true, 9))),
        network_case("inter_node", Scheme::inter, Sampling::node, 2, 0.5, KernelKind::arccos, true, 9),
        network_case("inter_weights", Scheme::inter, Sampling::weights, 2, 0.5, KernelKind::arccos, true, 9),
        with_bias(network_case("inter_weights", Scheme::inter, Sampling::weights, 2, 0.5, KernelKind::arccos,
                               true, 9)),
        network_case("intra_node", Scheme::intra, Sampling::node, 2, 0.5, KernelKind::arccos, true, 9),
        network_case("intra_weights_fixed_scale", Scheme::intra, Sampling::weights, 2, 2, KernelKind::rbf,
                     false, 9),
        network_case("nu_zero", Scheme::inter, Sampling::node, 2, 0, KernelKind::rbf, true, 9),
        network_case("nu_infinite", Scheme::inter, Sampling::node, 2, INFINITY, KernelKind::arccos, true, 9),
        network_case("one_layer", Scheme::inter, Sampling::node, 1, 0.5, KernelKind::arccos, true, 9),
        network_case("three_layers", Scheme::inter, Sampling::node, 3, 0.5, KernelKind::arccos, false, 9),
        network_case("three_layers_intra", Scheme::intra, Sampling::node, 3, 0.5, KernelKind::linear, true,
                     9),
        network_case("few_features", Scheme::inter, Sampling::node, 2, 0.5, KernelKind::arccos, true, 4),
        network_case("few_features_intra", Scheme::intra, Sampling::node, 2, 0.5, KernelKind::arccos, true,
                     4),
        network_case("few_features_one_layer", Scheme::inter, Sampling::node, 1, 0.5, KernelKind::arccos,
                     true, 4)),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gdkm
