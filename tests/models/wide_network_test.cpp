#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/graph/graph.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/models/network.hpp"

namespace gdkm {
namespace {

/// The average output kernel of random two-layer √2·ReLU graph convolutional networks,
/// F = Â √2 relu(ÂX W₁) W₂ / √width with standard normal weights: its expectation over W₂ is Â H Hᵀ Âᵀ /
/// width.
std::vector<double> kernel_of_random_networks(Backend<double>& backend, ConstView<double> mixed_x,
                                              const Sparse<double>& mixing, Index networks, Index width) {
  const Index n = mixed_x.rows, d = mixed_x.cols;
  const Matrix<double> weights(backend, d, width), hidden(backend, n, width), out(backend, n, width),
      kernel(backend, n, n);
  for (Index k = 0; k < networks; ++k) {
    backend.normals(Stream{17, Purpose::initial, static_cast<std::uint32_t>(k)}, weights);
    backend.gemm(1, Op::none, mixed_x, Op::none, weights, 0, hidden);
    for (Index e = 0; e < n * width; ++e) {
      double& h = hidden.view().data[e];
      h = std::sqrt(2.0) * std::max(h, 0.0);
    }
    backend.spmm(1, Op::none, mixing, hidden, 0, out);
    backend.gemm(1.0 / static_cast<double>(networks * width), Op::none, out, Op::transpose, out, 1, kernel);
  }
  return kernel.to_host();
}

TEST(WideNetworks, HaveTheKernelOfTheModelAtInfiniteNu) {
  // Inter-domain, m = n and X_i = ÂX: Nyström is exact. More features than nodes, so that K_ii is regular.
  const Index n = 40, d = 60;
  Random random(Stream{2, Purpose::generator, 0});
  Graph graph;
  graph.nodes = n;
  for (int k = 0; k < 60; ++k) {
    graph.edges.push_back(
        {static_cast<std::int32_t>(random.below(n)), static_cast<std::int32_t>(random.below(n))});
  }
  std::vector<Triplet> entries;
  for (std::int32_t r = 0; r < n; ++r) {
    for (std::int32_t c = 0; c < d; ++c) entries.push_back({r, c, random.normal()});
  }
  Features x;
  x.rows = n;
  x.cols = d;
  x.is_sparse = true;
  x.sparse = csr_from_triplets(n, d, entries);
  x = normalise(x, Normalisation::l2);
  const Csr a_hat = normalised_adjacency(adjacency(graph), 0);
  const Features mixed = mix(a_hat, x);
  std::vector<double> mixed_x(n * d);
  for (Index r = 0; r < n; ++r) {
    for (Index k = mixed.sparse.row_start[r]; k < mixed.sparse.row_start[r + 1]; ++k) {
      mixed_x[r * d + mixed.sparse.col[k]] = mixed.sparse.value[k];
    }
  }

  CpuBackend<double> backend(2);
  ModelConfig config;
  config.nu = {INFINITY};
  config.inducing = n;
  config.jitter = 0;
  const auto inputs = make_inputs<double>(backend, a_hat, x, {});
  Parameters<double> parameters(backend);
  Network<double> network(backend, inputs, parameters, config, 2, false);
  build(network, Architecture::kipf);
  parameters.allocate();
  parameters.set("X_i", mixed_x);
  network.forward();
  const Matrix<double> kernel(backend, n, n);
  backend.gemm(1, Op::none, network.features().f_t(), Op::transpose, network.features().f_t(), 0, kernel);

  const auto got = kernel.to_host();
  const auto want = kernel_of_random_networks(backend, Matrix<double>(backend, n, d, mixed_x),
                                              inputs.mixing.tt(), 100, 2000);
  double difference = 0, size = 0;
  for (std::size_t k = 0; k < want.size(); ++k) {
    difference += (got[k] - want[k]) * (got[k] - want[k]);
    size += want[k] * want[k];
  }
  EXPECT_LT(std::sqrt(difference / size), 0.01);
}

}  // namespace
}  // namespace gdkm
