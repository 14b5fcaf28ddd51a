#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "gdkm/models/network.hpp"
#include "tests/golden.hpp"

// The sparse form of relations against dense kernels over all nodes.

namespace gdkm {
namespace {

using testing::Golden;

/// The output kernel F_t F_tᵀ of a model at ν = ∞ with a location at every node, and weights `w`, layer by
/// layer.
std::vector<double> sparse_kernel(const Relations& relations, const std::vector<RelationSpec>& specs,
                                  const Features& x, const std::vector<std::vector<double>>& w,
                                  Architecture arch = Architecture::kipf) {
  const Index n = relations.nodes(), count = relations.count();
  CpuBackend<double> backend(1);
  ModelConfig config;
  config.relations = specs;
  config.nu = {INFINITY};
  config.layers = static_cast<int>(w.size());
  config.inducing = config.layers == 1 ? n : n * count;
  config.jitter = 0;
  const auto inputs = make_inputs<double>(backend, relations, x, {});
  Parameters<double> parameters(backend);
  Network<double> network(backend, inputs, parameters, config, 2, false);
  build(network, arch);
  parameters.allocate();
  // Locations at the nodes: rows of [√w_r P_r X]_r.
  Relations scaled = relations;
  for (Index r = 0; r < count; ++r) {
    for (double& value : scaled.each[static_cast<std::size_t>(r)].matrix.value)
      value *= std::sqrt(w[0][static_cast<std::size_t>(r)]);
  }
  const Features rows = mix_by(scaled, x);
  std::vector<double> x_i(static_cast<std::size_t>(n * rows.cols), 0.0);
  for (Index r = 0; r < n; ++r) {
    for (Index k = rows.sparse.row_start[r]; k < rows.sparse.row_start[r + 1]; ++k)
      x_i[r * rows.cols + rows.sparse.col[k]] = rows.sparse.value[k];
  }
  parameters.set("X_i", x_i);
  for (std::size_t layer = 0; count > 1 && layer < w.size(); ++layer) {
    std::vector<double> raw;
    for (const double each : w[layer]) raw.push_back(std::log(each));
    parameters.set("mix" + std::to_string(layer + 1) + ".w", raw);
  }
  network.forward();
  network.factorisations().check();
  const Matrix<double> kernel(backend, n, n);
  backend.gemm(1, Op::none, network.features().f_t(), Op::transpose, network.features().f_t(), 0, kernel);
  return kernel.to_host();
}

TEST(SparseRelations, SeveralThatAreTheIdentityAllCount) {
  // Without edges gcn is I, as self is: K ← ½K + ½K.
  Golden golden("relations_exact");
  Graph graph = golden.directed_graph();
  graph.edges.clear();
  const auto one = parse_relations("self"), two = parse_relations("self,gcn");
  const auto want = sparse_kernel(make_relations(graph, one, 0), one, golden.features(), {{1}, {1}}),
             got = sparse_kernel(make_relations(graph, two, 0), two, golden.features(),
                                 {{0.5, 0.5}, {0.5, 0.5}});
  for (std::size_t k = 0; k < want.size(); ++k) ASSERT_NEAR(got[k], want[k], 1e-9) << k;
}

class EveryNodeALocation : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryNodeALocation, GivesTheDenseKernelOfOneAndTwoLayers) {
  Golden golden("relations_exact");
  std::string list = GetParam(), key = GetParam();
  for (char& c : list) c = c == '+' ? ',' : c == '_' ? ':' : c;
  const auto specs = parse_relations(list);
  const Relations relations = make_relations(golden.directed_graph(), specs, 0);
  const auto w = golden.array("w_" + key);
  const auto count = static_cast<std::size_t>(relations.count());
  // The case has five features for sixteen nodes: with the first layer in feature space it is exact, too.
  for (std::size_t layers = 1; layers <= 2; ++layers) {
    std::vector<std::vector<double>> weights;
    for (std::size_t l = 0; l < layers; ++l)
      weights.emplace_back(w.begin() + static_cast<std::ptrdiff_t>(l * count),
                           w.begin() + static_cast<std::ptrdiff_t>((l + 1) * count));
    const auto got = sparse_kernel(relations, specs, golden.features(), weights),
               want = golden.array("K_" + std::to_string(layers) + "_" + key);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < want.size(); ++k)
      ASSERT_NEAR(got[k], want[k], 1e-9) << layers << " layers, entry " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Relations, EveryNodeALocation,
                         ::testing::Values("gcn", "self_sym+und_sym", "in_sym+out_sym",
                                           "self_sym+in_row+out_row", "self_sym+und_sym+hop2_sym",
                                           "self_sym+und_sum"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '+' ? '_' : c;
                           return name;
                         });

TEST(SparseRelations, GiveTheExactKernelOfTheNetworkOfThatName) {
  Golden golden("relations_exact");
  for (const Architecture arch : {Architecture::sage, Architecture::dirgnn, Architecture::mixhop}) {
    const auto specs = parse_relations(traits_of(arch).relations);
    const Relations relations = make_relations(golden.directed_graph(), specs, 0);
    const std::vector<double> equal(specs.size(), 1 / static_cast<double>(specs.size()));
    for (int layers = 1; layers <= 2; ++layers) {
      const auto got =
          sparse_kernel(relations, specs, golden.features(), {static_cast<std::size_t>(layers), equal}, arch);
      const auto want = wide_network(name_of(arch))
                            .kernel({relations, golden.features(), layers, KernelKind::arccos})
                            .value;
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t k = 0; k < want.size(); ++k)
        ASSERT_NEAR(got[k], want[k], 1e-9) << name_of(arch) << ", " << layers << " layers, entry " << k;
    }
  }
}

}  // namespace
}  // namespace gdkm
