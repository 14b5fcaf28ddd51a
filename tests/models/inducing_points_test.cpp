#include "gdkm/models/inducing_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "gdkm/graph/graph.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

/// n one-hot rows of `kinds` kinds; every `zero_every`-th row is zero.
Features one_hot(Index n, Index kinds, Index zero_every) {
  Features x;
  x.rows = n;
  x.cols = kinds;
  x.is_sparse = true;
  std::vector<Triplet> entries;
  for (Index r = 0; r < n; ++r) {
    if (zero_every == 0 || r % zero_every != 0) {
      entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(r % kinds), 1.0});
    }
  }
  x.sparse = csr_from_triplets(n, kinds, entries);
  return x;
}

Csr no_edges(Index n) {
  Graph graph;
  graph.nodes = n;
  return normalised_adjacency(adjacency(graph), 0);
}

class InducingPointsOf : public ::testing::TestWithParam<std::tuple<Scheme, Init>> {};

TEST_P(InducingPointsOf, RepeatedAndZeroRowsAreDistinctAndNotZero) {
  const auto [scheme, init] = GetParam();
  ModelConfig config;
  config.scheme = scheme;
  config.inducing = 30;
  const Features x = one_hot(60, 7, 5);
  const InducingPoints points = choose_inducing_points(no_edges(60), x, config, init, 1);
  ASSERT_EQ(points.inputs.size(), 30u * 7);
  for (Index a = 0; a < 30; ++a) {
    double square = 0;
    for (Index j = 0; j < 7; ++j) square += points.inputs[a * 7 + j] * points.inputs[a * 7 + j];
    EXPECT_GT(square, 1e-4) << "row " << a << " is zero";
    for (Index b = 0; b < a; ++b) {
      double distance = 0;
      for (Index j = 0; j < 7; ++j)
        distance += std::pow(points.inputs[a * 7 + j] - points.inputs[b * 7 + j], 2);
      EXPECT_GT(distance, 1e-6) << "rows " << a << " and " << b << " coincide";
    }
  }
  const std::set<std::int32_t> nodes(points.nodes.begin(), points.nodes.end());
  EXPECT_EQ(nodes.size(), scheme == Scheme::intra ? 30u : 0u) << "intra-domain points sit at different nodes";
}

TEST_P(InducingPointsOf, DependOnTheSeedAlone) {
  const auto [scheme, init] = GetParam();
  ModelConfig config;
  config.scheme = scheme;
  config.inducing = 10;
  const Features x = one_hot(200, 40, 0);
  const auto inputs = [&](std::uint64_t seed) {
    return choose_inducing_points(no_edges(200), x, config, init, seed).inputs;
  };
  EXPECT_EQ(inputs(3), inputs(3));
  EXPECT_NE(inputs(3), inputs(4));
}

INSTANTIATE_TEST_SUITE_P(Schemes, InducingPointsOf,
                         ::testing::Combine(::testing::Values(Scheme::inter, Scheme::intra),
                                            ::testing::Values(Init::kmeans, Init::random)));

TEST(InducingPoints, KMeansFindsEveryKindOfRow) {
  ModelConfig config;
  config.inducing = 12;
  const InducingPoints points =
      choose_inducing_points(no_edges(600), one_hot(600, 12, 0), config, Init::kmeans, 0);
  std::set<Index> kinds;
  for (Index r = 0; r < 12; ++r) {
    for (Index j = 0; j < 12; ++j) {
      if (points.inputs[r * 12 + j] > 0.99) kinds.insert(j);
    }
  }
  EXPECT_EQ(kinds.size(), 12u);
}

/// Where k-means has come to rest, each point is the mean of the rows that are nearest to it.
TEST(InducingPoints, KMeansEndsAtTheMeansOfTheNearestRows) {
  constexpr Index n = 150, d = 6, m = 15;
  Random random(Stream{1, Purpose::inducing, 0});
  Features dense;
  dense.rows = n;
  dense.cols = d;
  std::vector<Triplet> entries;
  for (Index r = 0; r < n; ++r) {
    for (Index j = 0; j < d; ++j) {
      dense.dense.push_back((r + j) % 3 == 0 ? 0.0f : static_cast<float>(random.normal()));
      const double value = static_cast<double>(dense.dense.back());
      if (value != 0) entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(j), value});
    }
  }
  Features sparse = dense;
  sparse.is_sparse = true;
  sparse.sparse = csr_from_triplets(n, d, entries);
  ModelConfig config;
  config.inducing = m;
  for (const Features* x : {&dense, &sparse}) {
    const auto points = choose_inducing_points(no_edges(n), *x, config, Init::kmeans, 0, {}, 100).inputs;
    std::vector<double> sum(points.size()), members(m);
    for (Index r = 0; r < n; ++r) {
      Index nearest = 0;
      double least = INFINITY;
      for (Index c = 0; c < m; ++c) {
        double distance = 0;
        for (Index j = 0; j < d; ++j)
          distance += std::pow(static_cast<double>(dense.dense[r * d + j]) - points[c * d + j], 2);
        if (distance < least) {
          least = distance;
          nearest = c;
        }
      }
      members[nearest] += 1;
      for (Index j = 0; j < d; ++j) sum[nearest * d + j] += static_cast<double>(dense.dense[r * d + j]);
    }
    for (Index c = 0; c < m; ++c) {
      ASSERT_GT(members[c], 0);
      for (Index j = 0; j < d; ++j) EXPECT_NEAR(points[c * d + j], sum[c * d + j] / members[c], 1e-6);
    }
  }
}

}  // namespace
}  // namespace gdkm
