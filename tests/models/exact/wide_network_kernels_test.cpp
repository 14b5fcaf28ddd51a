#include "gdkm/models/exact/wide_network_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gdkm/graph/graph.hpp"
#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/models/exact/exact_network.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

/// A small graph with an isolated node (the last), and features.
struct Nodes {
  Graph graph;  // directed
  Csr adjacency, mixing;
  Features x;
  Dense dense_x;

  explicit Nodes(bool sparse = true) {
    const Index n = 15, d = 8;
    Random random(Stream{5, Purpose::generator, 0});
    graph.nodes = n;
    graph.directed = true;
    for (int k = 0; k < 20; ++k) {
      graph.edges.push_back(
          {static_cast<std::int32_t>(random.below(n - 1)), static_cast<std::int32_t>(random.below(n - 1))});
    }
    adjacency = gdkm::adjacency(graph);
    mixing = normalised_adjacency(adjacency, 0);
    x.rows = n;
    x.cols = d;
    x.is_sparse = sparse;
    dense_x = Dense(n, d);
    std::vector<Triplet> entries;
    for (std::int32_t r = 0; r < n; ++r) {
      for (std::int32_t c = 0; c < d; ++c) {
        const auto v = static_cast<float>(random.normal());
        dense_x(r, c) = static_cast<double>(v);
        if (sparse) entries.push_back({r, c, static_cast<double>(v)});
        if (!sparse) x.dense.push_back(v);
      }
    }
    if (sparse) x.sparse = csr_from_triplets(n, d, entries);
  }

  Relations relations(const std::string& list) const {
    return make_relations(graph, parse_relations(list), 0);
  }
  /// The kernel of the network that users know by that name.
  Dense kernel(std::string_view name, int layers, KernelKind kind = KernelKind::arccos) const {
    const WideNetwork& network = wide_network(name);
    const auto specs = parse_relations(network.uses_graph() ? network.relations : "gcn");
    return network.kernel({make_relations(graph, specs, 0), x, layers, kind, specs.front().degree});
  }
};

/// H W with normal weights W of variance 1/(columns of H) and of a wide H: given H, the columns of H W are
/// independent draws from N(0, HHᵀ/columns). Drawing those instead of W is the same network, and far cheaper.
class Weights {
 public:
  Dense times(const Dense& h, Index width) {
    Dense covariance = gram(h);
    for (double& v : covariance.value) v /= static_cast<double>(h.cols);
    return multiply(cholesky(covariance, 0, "HHᵀ").factor, normals(h.rows, width));
  }
  /// X W with the kernel XXᵀ.
  Dense first(const Dense& x, Index width) { return multiply(x, normals(x.cols, width)); }

 private:
  Dense normals(Index rows, Index cols) {
    Dense out(rows, cols);
    const Stream stream{11, Purpose::initial, count_++};
    double block[4];
    for (std::size_t k = 0; k < out.value.size(); ++k) {
      if (k % 4 == 0) normal_block(stream, k / 4, block);
      out.value[k] = block[k % 4];
    }
    return out;
  }
  std::uint32_t count_ = 0;
};

Dense relu(Dense z) {
  for (double& v : z.value) v = std::sqrt(2.0) * std::max(v, 0.0);
  return z;
}
Dense sum(double alpha, Dense a, double beta, const Dense& b) {
  add(alpha, a, beta, b);
  return a;
}
constexpr Index width = 2000;
constexpr int networks = 150;

/// Relative Frobenius distance of `kernel` from the mean kernel of random networks. `network` returns H with
/// Z_L = H W: the mean over the last weights is taken exactly, HHᵀ/width.
double distance_from_networks(const Dense& kernel, const std::function<Dense()>& network) {
  Dense mean(kernel.rows, kernel.cols);
  for (int k = 0; k < networks; ++k)
    add(1, mean, 1.0 / networks / static_cast<double>(width), gram(network()));
  const Dense off = sum(1, kernel, -1, mean);
  return std::sqrt(inner_product(off, off) / inner_product(mean, mean));
}

TEST(WideNetworkKernels, GcnIsThatOfWideNetworks) {
  const Nodes nodes;
  Weights w;
  const auto mix = [&](const Dense& h) { return multiply(nodes.mixing, h); };
  const Dense x = mix(nodes.dense_x);
  const auto network = [&] { return mix(relu(w.times(mix(relu(w.first(x, width))), width))); };
  EXPECT_LT(distance_from_networks(gcn_kernel(nodes.mixing, nodes.x, 3), network), 0.01);
}

TEST(WideNetworkKernels, SageIsThatOfWideNetworks) {
  const Nodes nodes;
  Csr average = nodes.adjacency;
  for (Index r = 0; r < average.rows; ++r) {
    const Index degree = average.row_start[r + 1] - average.row_start[r];
    for (Index e = average.row_start[r]; e < average.row_start[r + 1]; ++e) {
      average.value[e] = 1 / static_cast<double>(degree);
    }
  }
  Weights w;
  const double half = std::sqrt(0.5);
  const auto network = [&] {
    const Dense& x = nodes.dense_x;
    const Dense h1 = relu(sum(half, w.first(x, width), half, w.first(multiply(average, x), width)));
    const Dense h2 = relu(sum(half, w.times(h1, width), half, multiply(average, w.times(h1, width))));
    return sum(half, w.times(h2, width), half, multiply(average, w.times(h2, width)));
  };
  EXPECT_LT(distance_from_networks(nodes.kernel("sage", 3), network), 0.01);
}

TEST(WideNetworkKernels, DirGcnIsThatOfWideNetworks) {
  const Nodes nodes;
  const Csr in = nodes.relations("in").first(), out = nodes.relations("out").first();
  EXPECT_NE(in.value.size(), nodes.adjacency.value.size()) << "one direction is not both";
  Weights w;
  const double third = std::sqrt(1.0 / 3);
  const auto layer = [&](const Dense& own, const Dense& from, const Dense& to) {
    return sum(1, sum(third, own, third, multiply(in, from)), third, multiply(out, to));
  };
  const auto next = [&](const Dense& h) {
    return layer(w.times(h, width), w.times(h, width), w.times(h, width));
  };
  const auto network = [&] {
    const Dense& x = nodes.dense_x;
    const Dense h1 = relu(layer(w.first(x, width), w.first(x, width), w.first(x, width)));
    return next(relu(next(h1)));
  };
  EXPECT_LT(distance_from_networks(nodes.kernel("dirgnn", 3), network), 0.01);
}

TEST(WideNetworkKernels, GinIsThatOfWideNetworks) {
  const Nodes nodes;
  Weights w;
  const auto aggregate = [&](const Dense& h) { return sum(1, multiply(nodes.adjacency, h), 1, h); };
  const Dense x = aggregate(nodes.dense_x);
  const auto network = [&] {
    const Dense z1 = w.times(relu(w.first(x, width)), width);
    return relu(w.times(aggregate(relu(z1)), width));
  };
  EXPECT_LT(distance_from_networks(nodes.kernel("gin", 2), network), 0.01);
}

TEST(WideNetworkKernels, GcniiIsThatOfWideNetworks) {
  const Nodes nodes;
  const GcniiOptions options{.alpha = 0.3, .beta = 0.4};
  Weights w;
  const auto network = [&] {
    const Dense h0 = relu(w.first(nodes.dense_x, width));
    const auto layer = [&](const Dense& h) {
      const Dense m = sum(1 - options.alpha, multiply(nodes.mixing, h), options.alpha, h0);
      return sum(1 - options.beta, w.times(m, width), options.beta, w.times(m, width));
    };
    return layer(relu(layer(relu(layer(h0)))));
  };
  EXPECT_LT(distance_from_networks(gcnii_kernel(nodes.mixing, nodes.x, 3, options), network), 0.01);
}

TEST(WideNetworkKernels, BaselinesAreTheirFormulas) {
  for (const bool sparse : {true, false}) {
    const Nodes nodes(sparse);
    const Dense linear = linear_kernel(nodes.x), rbf = rbf_kernel(nodes.x, 2.5);
    for (Index i = 0; i < linear.rows; ++i) {
      for (Index j = 0; j < linear.cols; ++j) {
        double product = 0, square = 0;
        for (Index c = 0; c < nodes.x.cols; ++c) {
          const double off = nodes.dense_x(i, c) - nodes.dense_x(j, c);
          product += nodes.dense_x(i, c) * nodes.dense_x(j, c);
          square += off * off;
        }
        EXPECT_NEAR(linear(i, j), product, 1e-12);
        EXPECT_NEAR(rbf(i, j), std::exp(-square / (2 * 2.5 * 2.5)), 1e-12);
      }
    }
  }
}

TEST(WideNetworkKernels, AreFoundByName) {
  const Nodes nodes;
  const auto same = [&](std::string_view name, const Dense& want) {
    EXPECT_EQ(nodes.kernel(name, 2, KernelKind::rbf).value, want.value) << name;
  };
  const auto by = [&](const std::string& list) {
    return relation_kernel(nodes.relations(list), {}, nodes.x, 2, KernelKind::rbf);
  };
  same("gcn", gcn_kernel(nodes.mixing, nodes.x, 2, KernelKind::rbf));
  same("sage", by("self,und:row"));
  same("mixhop", by("self,gcn,gcn2"));
  same("dirgnn", by("self,in,out"));
  same("gin", gin_kernel(nodes.relations("gin"), nodes.x, 2, KernelKind::rbf));
  same("h2gcn", h2gcn_kernel(nodes.relations("und,hop2"), nodes.x, 2, KernelKind::rbf));
  same("gcnii", gcnii_kernel(nodes.mixing, nodes.x, 2, {}, KernelKind::rbf));
  same("gpr", relation_kernel(nodes.relations("gcn"), {}, nodes.x, 2, KernelKind::rbf, 3));
  same("rbf", rbf_kernel(nodes.x));
  same("linear", linear_kernel(nodes.x));
  EXPECT_EQ(wide_networks().size(), names_of<ExactNetwork>().size());
  for (const std::string& name : names_of<ExactNetwork>()) EXPECT_EQ(wide_network(name).name, name);
  EXPECT_THROW(wide_network("unknown"), std::logic_error);
}

/// A dense matrix of the entries of a sparse one.
Dense full(const Csr& a) {
  return multiply(a, identity(a.cols));
}
Dense both_sides(const Dense& p, const Dense& k) {
  return multiply(multiply(p, k), p, Op::none, Op::transpose);
}
double largest_difference(const Dense& a, const Dense& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.value.size(); ++k) out = std::max(out, std::fabs(a.value[k] - b.value[k]));
  return out;
}

TEST(WideNetworkKernels, EveryNumberOfRelationsGivesTheSumOfTheirKernels) {
  const Nodes nodes;
  const Dense xx = linear_kernel(nodes.x);
  for (const char* list :
       {"self", "in", "self,in", "in,out", "in,self,out", "self,in:row,out:row,und,hop2"}) {
    const Relations relations = nodes.relations(list);
    std::vector<double> w;
    Dense want(xx.rows, xx.cols);
    for (const Relation& relation : relations.each) {
      w.push_back(0.3 + 0.2 * static_cast<double>(w.size()));
      add(1, want, w.back(), both_sides(full(relation.matrix), xx));
    }
    EXPECT_LT(largest_difference(relation_kernel(relations, {w}, nodes.x, 1), want), 1e-12) << list;
  }
}

TEST(WideNetworkKernels, APolynomialIsTheSumOfItsPowers) {
  const Nodes nodes;
  const Dense a = full(nodes.mixing);
  Dense power = identity(a.rows), p(a.rows, a.cols);
  for (const double gamma : {0.1, 0.09, 0.081, 0.729}) {  // as GPR-GNN starts
    add(1, p, gamma, power);
    power = multiply(a, power);
  }
  EXPECT_LT(largest_difference(nodes.kernel("gpr", 1), both_sides(p, linear_kernel(nodes.x))), 1e-12);
}

TEST(WideNetworkKernels, H2gcnAddsNeighboursToWhatWasThere) {
  const Nodes nodes;
  const Dense und = full(nodes.relations("und").first()), hop2 = full(nodes.relations("hop2").first());
  Dense k = nodes.kernel("h2gcn", 1);
  const Dense mixed = sum(0.5, both_sides(und, k), 0.5, both_sides(hop2, k));
  EXPECT_LT(largest_difference(nodes.kernel("h2gcn", 2), sum(0.5, k, 0.5, mixed)), 1e-12);
}

TEST(WideNetworkKernels, SparseFeaturesTakeTheirOwnWay) {
  // One entry in each row of many columns: the product by columns, not by dense strips.
  Features x;
  x.rows = 40;
  x.cols = 900;
  x.is_sparse = true;
  std::vector<Triplet> entries;
  for (std::int32_t r = 0; r < 40; ++r) entries.push_back({r, (r % 20) * 30, 1.0 + r});
  x.sparse = csr_from_triplets(40, 900, entries);
  const Dense k = linear_kernel(x);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) {
      EXPECT_EQ(k(i, j),
                i % 20 == j % 20 ? (1.0 + static_cast<double>(i)) * (1.0 + static_cast<double>(j)) : 0);
    }
  }
}

TEST(WideNetworkKernels, TooManyNodesAreRefusedBeforeAnythingIsAllocated) {
  Features x;
  x.rows = 2000000;
  x.cols = 1;
  x.is_sparse = true;
  x.sparse = csr_from_triplets(x.rows, 1, {});
  try {
    linear_kernel(x);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("2000000 nodes"), std::string::npos) << error.what();
  }
}

TEST(WideNetworkKernels, TheLimitCountsMatricesThatAreNeededAtTheSameTime) {
  Graph graph;
  graph.nodes = 2000000;
  graph.directed = true;
  graph.edges.push_back({0, 1});
  Features x;
  x.rows = graph.nodes;
  x.cols = 1;
  x.is_sparse = true;
  x.sparse = csr_from_triplets(x.rows, 1, {});
  for (const auto& [list, matrices] :
       {std::pair{"in", 1}, {"in,out", 2}, {"self,in", 2}, {"self,in,out", 3}, {"in,out,und,hop2", 3}}) {
    try {
      relation_kernel(make_relations(graph, parse_relations(list), 0), {}, x, 1);
      FAIL();
    } catch (const InputError& error) {
      const std::string needs = "needs " + std::to_string(matrices) + " n x n";
      EXPECT_NE(std::string(error.what()).find(needs), std::string::npos) << list << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace gdkm
