#include "gdkm/data/formats/matrix_market/matrix_market.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

ThreadPool& pool() {
  static ThreadPool two(2);
  return two;
}

Graph graph_of(const std::string& banner, const std::string& rest) {
  return read_matrix_market_graph({"small.mtx", "%%MatrixMarket matrix " + banner + "\n" + rest}, pool());
}
Features features_of(const std::string& banner, const std::string& rest, Index nodes = 3) {
  return read_matrix_market_features({"small.mtx", "%%MatrixMarket matrix " + banner + "\n" + rest}, nodes,
                                     pool());
}
void expect_bad_graph(const std::string& banner, const std::string& rest, std::vector<std::string> words) {
  words.push_back("small.mtx");
  expect_input_error([&] { graph_of(banner, rest); }, words);
}
void expect_bad_features(const std::string& banner, const std::string& rest, std::vector<std::string> words) {
  words.push_back("small.mtx");
  expect_input_error([&] { features_of(banner, rest); }, words);
}

TEST(MatrixMarketTest, SymmetricIsUndirectedAndGeneralDirected) {
  for (const std::string symmetry : {"symmetric", "general"}) {
    const Graph graph = graph_of("coordinate pattern " + symmetry, "% a comment\n\n4 4 3\n2 1\n3 1\n4 4\n");
    EXPECT_EQ(graph.directed, symmetry == "general");
    EXPECT_EQ(graph.nodes, 4);
    EXPECT_TRUE(graph.weight.empty());
    ASSERT_EQ(graph.edges.size(), 3u);
    EXPECT_EQ(graph.edges[1].from, 2);
    EXPECT_EQ(graph.edges[1].to, 0);
    EXPECT_EQ(graph.edges[2].from, 3);
  }
}

TEST(MatrixMarketTest, WeightsAreKeptUnlessAllAreOne) {
  EXPECT_TRUE(graph_of("coordinate integer general", "3 3 2\n1 2 1\n2 3 1\n").weight.empty());
  EXPECT_TRUE(graph_of("coordinate real general", "3 3 2\r\n1 2 1.0\r\n2 3 1e0\r\n").weight.empty());
  const Graph graph = graph_of("Coordinate Real General", "3 3 4\n1 2 1\n2 3 0.5\n1 3 0\n3 1 2");
  EXPECT_EQ(graph.weight, (std::vector<float>{1, 0.5, 2})) << "an entry of 0 is not an edge";
  ASSERT_EQ(graph.edges.size(), 3u);
  EXPECT_EQ(graph.edges[2].from, 2);
}

TEST(MatrixMarketTest, ManyLinesKeepTheirOrderAcrossThreads) {
  std::string lines = "1000 1000 5000\n";
  for (int k = 0; k < 5000; ++k) lines += fmt::format("{} {} {}\n", k % 1000 + 1, k / 5 + 1, k + 1);
  const Graph graph = graph_of("coordinate real general", lines);
  ASSERT_EQ(graph.edges.size(), 5000u);
  for (int k = 0; k < 5000; ++k) {
    ASSERT_EQ(graph.edges[k].from, k % 1000);
    ASSERT_EQ(graph.edges[k].to, k / 5);
    ASSERT_EQ(graph.weight[k], static_cast<float>(k + 1));
  }
}

TEST(MatrixMarketTest, CoordinateFeaturesAreSparse) {
  const Features x = features_of("coordinate real general", "3 4 5\n3 1 2\n1 4 1\n1 2 -3\n3 1 0.5\n2 2 0\n");
  EXPECT_TRUE(x.is_sparse);
  EXPECT_EQ(x.rows, 3);
  EXPECT_EQ(x.cols, 4);
  EXPECT_EQ(x.sparse.row_start, (std::vector<Index>{0, 2, 2, 3}));
  EXPECT_EQ(x.sparse.col, (std::vector<std::int32_t>{1, 3, 0}));
  EXPECT_EQ(x.sparse.value, (std::vector<double>{-3, 1, 2.5}));
  const Features one = features_of("coordinate pattern symmetric", "3 3 2\n2 1\n3 3\n");
  EXPECT_EQ(one.sparse.row_start, (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(one.sparse.col, (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_EQ(features_of("coordinate real general", "3 1 2\n1 1 2\n1 1 -2\n").sparse.nonzeros(), 0);
}

TEST(MatrixMarketTest, ArrayFeaturesAreDense) {
  const Features x = features_of("array real general", "3 2\n1\n2\n3\n4\n5\n6\n");
  EXPECT_FALSE(x.is_sparse);
  EXPECT_EQ(x.dense, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(features_of("array integer general", "3 2\n1 2 3\n4 5 6\n").dense, x.dense);
  EXPECT_EQ(features_of("array real symmetric", "3 3\n1\n2\n3\n4\n5\n6\n").dense,
            (std::vector<float>{1, 2, 3, 2, 4, 5, 3, 5, 6}));
}

TEST(MatrixMarketTest, BadHeadersAreRefused) {
  const auto bad = [](const std::string& bytes, std::vector<std::string> words) {
    words.push_back("small.mtx");
    expect_input_error([&] { read_matrix_market_graph({"small.mtx", bytes}, pool()); }, words);
  };
  bad("", {"no size line"});
  bad("1 2\n", {"line 1", "banner"});
  bad("%%MatrixMarket matrix coordinate real\n", {"line 1", "incomplete"});
  bad("%%MatrixMarket matrix coordinate real general\n% only\n", {"no size line"});
  expect_bad_graph("coordinate complex general", "1 1 0\n", {"line 1", "'complex'", "real"});
  expect_bad_graph("coordinate real skew-symmetric", "1 1 0\n", {"'skew-symmetric'", "general, symmetric"});
  expect_bad_graph("list real general", "1 1 0\n", {"'list'", "coordinate"});
  expect_bad_graph("array pattern general", "1 1\n", {"an array needs values"});
  expect_bad_graph("array real general", "1 1\n1\n", {"'array'", "coordinate"});
  expect_bad_graph("coordinate real general", "\n%\n3 x 1\n", {"line 4", "'x'", "number of columns"});
  expect_bad_graph("coordinate real general", "3 3 1 1\n", {"line 2", "unexpected"});
  expect_bad_graph("coordinate real general", "3 4 0\n", {"3 x 4", "square"});
  expect_bad_graph("coordinate real symmetric", "3 4 0\n", {"3 x 4", "symmetric"});
  expect_bad_graph("coordinate real general", "0 0 0\n", {"0 x 0", "at least 1"});
  expect_bad_graph("coordinate real general", "2147483648 2147483648 0\n", {"at most"});
  expect_bad_graph("coordinate real general", "2000000000 2000000000 0\n", {"2000000000 nodes"});
  expect_bad_graph("coordinate real general", "3 3 -1\n", {"0 entries", "says -1"});
}

TEST(MatrixMarketTest, BadEntriesAreRefusedWithTheirLine) {
  const std::string good = "3 3 3\n1 2 1\n2 3 1\n";
  const std::string type = "coordinate real general";
  expect_bad_graph(type, good + "0 1 1\n", {"line 5", "expected a row from 1 to 3, got 0"});
  expect_bad_graph(type, good + "1 4 1\n", {"line 5", "expected a column from 1 to 3, got 4"});
  expect_bad_graph(type, good + "1 1 -1\n", {"line 5", "positive weight", "got -1"});
  expect_bad_graph(type, good + "1 1 1e-300\n", {"line 5", "positive weight"});
  expect_bad_graph(type, good + "1 1 nan\n", {"line 5", "nan", "finite"});
  expect_bad_graph(type, good + "1 1 1e39\n", {"line 5", "finite"});
  expect_bad_graph(type, good + "1 1\n", {"line 5", "ends where a value"});
  expect_bad_graph(type, good + "1 1 1 1\n", {"line 5", "unexpected"});
  expect_bad_graph("coordinate pattern general", "2 2 1\n1 2 1\n", {"line 3", "unexpected"});
  expect_bad_graph(type, good, {"2 entries", "says 3", "cut short"});
  expect_bad_graph(type, good + "1 3 1\n3 1 1\n", {"4 entries", "says 3", "correct"});
}

TEST(MatrixMarketTest, BadFeaturesAreRefused) {
  expect_bad_features("coordinate real general", "4 2 0\n", {"4 rows", "3 nodes"});
  expect_bad_features("coordinate real general", "3 0 0\n", {"no feature columns"});
  expect_bad_features("coordinate real general", "3 1 1\n1 1 inf\n", {"line 3", "finite"});
  expect_bad_features("coordinate real general", "3 1 2\n1 1 3e38\n1 1 3e38\n",
                      {"row 1, column 1", "finite"});
  expect_bad_features("array real general", "3 2147483647\n1\n", {"1 entries", "says 6442450941"});
  expect_bad_features("array real general", "3 1\n1\nx\n3\n", {"line 4", "'x'", "a value"});
}

}  // namespace
}  // namespace gdkm
