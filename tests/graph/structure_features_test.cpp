#include "gdkm/graph/structure_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

using Rows = std::vector<std::vector<double>>;

Rows dense_rows(const Csr& a) {
  Rows out(static_cast<std::size_t>(a.rows), std::vector<double>(static_cast<std::size_t>(a.cols), 0));
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) out[r][a.col[k]] = a.value[k];
  }
  return out;
}

void expect_near(const Rows& found, const Rows& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t r = 0; r < found.size(); ++r) {
    ASSERT_EQ(found[r].size(), expected[r].size());
    for (std::size_t c = 0; c < found[r].size(); ++c)
      EXPECT_NEAR(found[r][c], expected[r][c], 1e-12) << r << ", " << c;
  }
}

double product(const Csr& a, Index i, Index j) {
  double out = 0;
  for (Index k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
    for (Index l = a.row_start[j]; l < a.row_start[j + 1]; ++l)
      out += a.col[k] == a.col[l] ? a.value[k] * a.value[l] : 0;
  }
  return out;
}

/// 0 → 2, 1 → 2, 0 → 3, 1 → 3 (weight 3), 3 → 0.
Graph two_and_two(bool directed) {
  Graph out;
  out.nodes = 4;
  out.edges = {{0, 2}, {1, 2}, {0, 3}, {1, 3}, {3, 0}};
  out.weight = {1, 1, 1, 3, 1};
  out.directed = directed;
  return out;
}

/// The columns of that graph have the sums 2 and 4 in each block: rows (1, 1) and (1, 3) become (1/√2, 1/2)
/// and (1/√2, 3/2), and then have length 1.
const double u = std::sqrt(2.0 / 3), v = std::sqrt(1.0 / 3), w = std::sqrt(2.0 / 11), x = std::sqrt(9.0 / 11);
const Rows weighted_rows{{0, 0, u, v}, {0, 0, w, x}, {u, v, 0, 0}, {w, x, 0, 0}};

Features ones(Index rows, float value = 1) {
  Features out;
  out.rows = rows;
  out.cols = 1;
  out.dense.assign(static_cast<std::size_t>(rows), value);
  return out;
}

TEST(StructureFeatures, OfADirectedGraphAreWhatPointsAtANodeAndWhereItPoints) {
  // In: columns 0 and 1 (3 points at one node only). Out: columns 2 and 3 (one node only points at 0).
  expect_near(dense_rows(structure_of(two_and_two(true), {})), weighted_rows);
  const double a = 1 / std::sqrt(2.0);
  const AdjacencyOptions symmetric{.keep_direction = false, .use_weights = false};
  expect_near(dense_rows(structure_of(two_and_two(true), symmetric)),
              {{0, 0, a, a}, {0, 0, a, a}, {a, a, 0, 0}, {a, a, 0, 0}});
}

TEST(StructureFeatures, OfAnUndirectedGraphAreItsRows) {
  expect_near(dense_rows(structure_of(two_and_two(false), {})), weighted_rows);
}

TEST(StructureFeatures, StandBehindTheGivenFeaturesWithAnEqualShare) {
  const Graph graph = two_and_two(false);
  const Features l2 = with_structure(ones(4, 5), graph, {}, Normalisation::l2);
  EXPECT_TRUE(l2.is_sparse);
  EXPECT_EQ(l2.cols, 5);
  EXPECT_EQ(dense_rows(l2.sparse)[1][0], 1) << "given rows have length 1, too";
  EXPECT_NEAR(product(l2.sparse, 1, 1), 2, 1e-12);
  const Features sum = with_structure(ones(4, 5), graph, {}, Normalisation::sum);
  EXPECT_NEAR(dense_rows(sum.sparse)[1][3] + dense_rows(sum.sparse)[1][4], 1, 1e-12);
  EXPECT_NEAR(dense_rows(sum.sparse)[1][4] / dense_rows(sum.sparse)[1][3], 1.5 * std::sqrt(2.0), 1e-12);
  const Features none = with_structure(ones(4, 5), graph, {}, Normalisation::none);
  EXPECT_EQ(dense_rows(none.sparse)[1][0], 5) << "given features stay as they are";
  EXPECT_NEAR(product(none.sparse, 1, 1), 50, 1e-9) << "structure is as long as they are";
}

TEST(StructureFeatures, OfSparseAndDenseFeaturesAreTheSame) {
  Features given = ones(4, 5);
  given.dense[2] = 0;
  Features sparse;
  sparse.rows = 4;
  sparse.cols = 1;
  sparse.is_sparse = true;
  sparse.sparse = csr_from_triplets(4, 1, {{0, 0, 5}, {1, 0, 5}, {3, 0, 5}});
  for (const auto how : {Normalisation::l2, Normalisation::sum, Normalisation::none}) {
    const Graph graph = two_and_two(true);
    const Csr a = with_structure(given, graph, {}, how).sparse,
              b = with_structure(sparse, graph, {}, how).sparse;
    EXPECT_EQ(a.row_start, b.row_start);
    EXPECT_EQ(a.col, b.col);
    EXPECT_EQ(a.value, b.value);
  }
}

TEST(StructureFeatures, OfAGraphWithoutEdgesAreNone) {
  Graph graph;
  graph.nodes = 4;
  EXPECT_EQ(with_structure(ones(4), graph, {}, Normalisation::l2).cols, 1);
}

/// Inner products of hashed rows are those of the rows on average, within the stated variance.
TEST(StructureFeatures, OfALargeGraphKeepInnerProducts) {
  Graph graph;
  graph.nodes = 20'000;
  Random random(Stream{1, Purpose::generator, 0});
  // The first 200 nodes share many of their 40 neighbours in pairs, others few.
  for (std::int32_t node = 0; node < 200; ++node) {
    for (int k = 0; k < 40; ++k) {
      const auto fresh = static_cast<std::int32_t>(200 + random.below(19'800));
      const auto shared = static_cast<std::int32_t>(200 + 40 * (node / 2) + k);
      graph.edges.push_back({node, k % 2 == 0 ? shared : fresh});
    }
  }
  for (std::int32_t node = 200; node < 20'000; ++node)
    graph.edges.push_back({node, static_cast<std::int32_t>(200 + random.below(19'800))});
  const Csr hashed = structure_of(graph, {});
  ASSERT_EQ(hashed.cols, most_structure_columns);
  Csr exact = adjacency(graph);
  std::vector<int> count(20'000, 0);
  for (const auto c : exact.col) ++count[static_cast<std::size_t>(c)];
  ASSERT_GT(std::count_if(count.begin(), count.end(), [](int n) { return n >= 2; }), most_structure_columns);
  for (Index r = 0; r < exact.rows; ++r) {
    double length = 0;
    for (Index k = exact.row_start[r]; k < exact.row_start[r + 1]; ++k) {
      const int nodes = count[static_cast<std::size_t>(exact.col[k])];
      exact.value[k] = nodes >= 2 ? 1 / std::sqrt(nodes) : 0;
      length += exact.value[k] * exact.value[k];
    }
    for (Index k = exact.row_start[r]; k < exact.row_start[r + 1]; ++k) exact.value[k] /= std::sqrt(length);
  }
  double bias = 0, variance = 0;
  int pairs = 0;
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double error = product(hashed, i, j) - product(exact, i, j);
      bias += error;
      variance += error * error;
      ++pairs;
    }
  }
  bias /= pairs;
  variance /= pairs;
  const double most = 2.0 / static_cast<double>(most_structure_columns);
  EXPECT_LT(variance, most);
  EXPECT_GT(variance, 0) << "something was hashed";
  EXPECT_LT(std::fabs(bias), 4 * std::sqrt(most / pairs));
  EXPECT_EQ(structure_of(graph, {}).value, hashed.value) << "the hash is fixed";
}

}  // namespace
}  // namespace gdkm
