#include "gdkm/data/generators/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/pair_sampling.hpp"
#include "gdkm/dataset/summary.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

bool same(const Dataset& a, const Dataset& b) {
  const auto equal = [](const Edge& x, const Edge& y) { return x.from == y.from && x.to == y.to; };
  return a.label == b.label && a.features.dense == b.features.dense &&
         a.graph.edges.size() == b.graph.edges.size() &&
         std::equal(a.graph.edges.begin(), a.graph.edges.end(), b.graph.edges.begin(), equal) &&
         a.splits.at("public")[0].train == b.splits.at("public")[0].train;
}

/// Columns set per row: one each, whichever it is.
std::vector<Index> column_counts(const Features& x) {
  std::vector<Index> out(static_cast<std::size_t>(x.cols), 0);
  for (std::size_t k = 0; k < x.dense.size(); ++k) {
    if (x.dense[k] == 1.0f) ++out[k % x.cols];
  }
  return out;
}

TEST(GeneratorsTest, TheSameTextGivesTheSameGraphAndAnotherSeedAnother) {
  for (const std::string spec : {"minesweeper:rows=20,cols=30", "csbm:n=300", "er:n=300,p=0.05"}) {
    EXPECT_TRUE(same(generate(spec), generate(spec + ",seed=0"))) << spec;
    EXPECT_FALSE(same(generate(spec), generate(spec + ",seed=1"))) << spec;
    EXPECT_EQ(generate(spec).name, spec);
  }
}

TEST(GeneratorsTest, MinesweeperHasThePublishedStatistics) {
  const Dataset data = generate("minesweeper");
  const DatasetSummary summary = summarise(data);
  EXPECT_EQ(summary.nodes, 10000);
  EXPECT_EQ(summary.edges, 39402);
  EXPECT_EQ(data.graph.edges.size(), 39402u);
  EXPECT_EQ(summary.features, 7);
  EXPECT_EQ(summary.class_count, (std::vector<Index>{8000, 2000}));
  EXPECT_NEAR(summary.homophily, 0.68, 0.015);
  EXPECT_EQ(summary.degree_min, 3);
  EXPECT_EQ(summary.degree_max, 8);
  ASSERT_EQ(summary.split_sets.size(), 1u);
  EXPECT_EQ(summary.split_sets[0].splits, 10);
  EXPECT_EQ(summary.split_sets[0].train, 5000);
  EXPECT_EQ(summary.split_sets[0].val, 2500);
  EXPECT_EQ(summary.split_sets[0].test, 2500);
  EXPECT_EQ(column_counts(data.features)[0], 5000);
}

/// Every visible node shows its count of neighbouring mines, cut at 5, in one column; hidden ones show the
/// flag alone.
void expect_minesweeper_encoding(const Dataset& data) {
  std::vector<int> around(data.label.size(), 0);
  const Csr a = adjacency(data.graph);
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) around[r] += data.label[a.col[k]];
  }
  for (std::size_t i = 0; i < around.size(); ++i) {
    const float* row = data.features.dense.data() + 7 * i;
    const int set = row[0] == 1.0f ? 0 : 1 + std::min(around[i], 5);
    for (int j = 0; j < 7; ++j) ASSERT_EQ(row[j], j == set ? 1.0f : 0.0f) << "node " << i << " column " << j;
  }
}

TEST(GeneratorsTest, MinesweeperIsEncodedLikeThePublishedFile) {
  expect_minesweeper_encoding(generate("minesweeper:rows=40,cols=30,mines=0.5"));
  const auto file = testing::shared_folder() / "datasets/minesweeper/minesweeper.npz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const Dataset published = read_graph_npz(file), ours = generate("minesweeper:rows=100,cols=100");
  expect_minesweeper_encoding(published);
  ASSERT_EQ(published.graph.edges.size(), ours.graph.edges.size());
  for (std::size_t k = 0; k < ours.graph.edges.size(); ++k) {
    ASSERT_EQ(published.graph.edges[k].from, ours.graph.edges[k].from);
    ASSERT_EQ(published.graph.edges[k].to, ours.graph.edges[k].to);
  }
  const auto theirs = column_counts(published.features), mine = column_counts(ours.features);
  for (std::size_t j = 0; j < 7; ++j) {
    EXPECT_NEAR(static_cast<double>(mine[j]), static_cast<double>(theirs[j]), 6 * std::sqrt(theirs[j]) + 20);
  }
}

TEST(GeneratorsTest, MinesweeperGridsMayBeThin) {
  const Dataset line = generate("minesweeper:rows=1,cols=7,mines=0.3,splits=1");
  EXPECT_EQ(line.graph.edges.size(), 6u);
  EXPECT_EQ(summarise(line).class_count[1], 2);
  EXPECT_TRUE(generate("minesweeper:rows=1,cols=1").graph.edges.empty());
}

TEST(GeneratorsTest, CsbmHasTheHomophilyAndDegreeAskedFor) {
  for (const std::string homophily : {"0", "0.1", "0.25", "0.5", "0.8", "1"}) {
    for (const std::string classes : {"2", "5"}) {
      const auto summary =
          summarise(generate("csbm:n=5003,degree=12,homophily=" + homophily + ",classes=" + classes));
      const double h = std::stod(homophily), edges = 5003 * 6.0;
      EXPECT_NEAR(summary.homophily, h, 5 * std::sqrt(h * (1 - h) / edges)) << homophily;
      EXPECT_NEAR(static_cast<double>(summary.edges), edges, 5 * std::sqrt(edges));
      for (const auto count : summary.class_count)
        EXPECT_NEAR(static_cast<double>(count), 5003.0 / std::stod(classes), 1);
    }
  }
}

TEST(GeneratorsTest, CsbmFeaturesLieAroundOneMeanPerClass) {
  const Dataset data = generate("csbm:n=8000,classes=2,features=6,signal=3");
  for (int c = 0; c < 2; ++c) {
    std::vector<double> mean(6, 0.0);
    double squares = 0;
    for (std::size_t i = 0; i < data.label.size(); ++i) {
      if (data.label[i] != c) continue;
      for (int j = 0; j < 6; ++j) {
        mean[j] += data.features.dense[6 * i + j] / 4000.0;
        squares += data.features.dense[6 * i + j] * data.features.dense[6 * i + j] / 4000.0;
      }
    }
    double length = 0;
    for (const double m : mean) length += m * m;
    EXPECT_NEAR(std::sqrt(length), 3.0, 0.1);
    EXPECT_NEAR(squares - length, 6.0, 0.3) << "unit noise in each of 6 columns";
  }
}

TEST(GeneratorsTest, ErdosRenyiDrawsEveryPairWithTheSameProbability) {
  const auto summary = summarise(generate("er:n=2000,p=0.01,classes=4"));
  const double pairs = 2000.0 * 1999 / 2;
  EXPECT_NEAR(static_cast<double>(summary.edges), 0.01 * pairs, 5 * std::sqrt(0.01 * pairs));
  EXPECT_NEAR(summary.homophily, 0.25, 0.02);
  EXPECT_EQ(summarise(generate("er:n=50,p=1")).edges, 1225);
  EXPECT_EQ(summarise(generate("er:n=50,p=0")).edges, 0);
  EXPECT_EQ(generate("er:n=1,classes=1").graph.nodes, 1);
}

TEST(GeneratorsTest, ARingHasNearNeighboursAlone) {
  const Dataset data = generate("ring:n=400,degree=8,reach=6,classes=3,features=2");
  EXPECT_EQ(data.graph.edges.size(), 1600u);
  for (const auto [from, to] : std::as_const(data.graph).edges) {
    const int steps = (to - from + 400) % 400;
    EXPECT_GE(steps, 1);
    EXPECT_LE(steps, 6);
  }
  EXPECT_EQ(*std::max_element(data.label.begin(), data.label.end()), 2);
  EXPECT_GT(edge_homophily(adjacency(data.graph), data.label), 0.8);
  EXPECT_THROW(generate("ring:n=10,reach=5"), InputError);
}

TEST(PairSamplingTest, HitsAreUniformOverThePairs) {
  Random random(Stream{7, Purpose::generator, 9});
  std::vector<int> hits(36, 0);
  for (int k = 0; k < 4000; ++k) {
    visit_pairs_at_random(6, 0.3, random, [&](std::int64_t v, std::int64_t u) { ++hits[u * 6 + v]; });
  }
  for (int u = 0; u < 6; ++u) {
    for (int v = 0; v < 6; ++v)
      EXPECT_NEAR(hits[u * 6 + v], v < u ? 1200 : 0, v < u ? 150 : 0) << u << " " << v;
  }
}

TEST(GeneratorsTest, TimeIsLinearInTheEdges) {
  // All pairs of 300,000 nodes would be 45 billion draws: hours, not seconds.
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NEAR(generate("er:n=300000,p=1e-5,features=1,splits=1").graph.edges.size(), 450000.0, 5000.0);
  EXPECT_NEAR(generate("csbm:n=300000,degree=3,features=1,splits=1").graph.edges.size(), 450000.0, 5000.0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(GeneratorsTest, BadOptionsAreRefusedWithTheGoodOnes) {
  const auto bad = [](const std::string& spec, std::vector<std::string> words) {
    expect_input_error([&] { generate(spec); }, words);
  };
  bad("csbm:nodes=3", {"csbm", "'nodes'", "n=2000", "homophily=0.8", "seed=0", "train=0.5"});
  bad("csbm:homophily=1.5", {"homophily", "0 to 1", "got '1.5'"});
  bad("csbm:homophily=nan", {"homophily", "got 'nan'"});
  bad("csbm:n=ten", {"integer", "got 'ten'"});
  bad("csbm:n=10.5", {"integer", "got '10.5'"});
  bad("csbm:n=-5", {"n: ", "got '-5'"});
  bad("csbm:n=", {"n="});
  bad("csbm:n", {"key=value"});
  bad("csbm:n=50,,seed=1", {"key=value"});
  bad("csbm:n=50,n=60", {"twice"});
  bad("csbm:n=20,degree=100", {"pairs", "lower degree"});
  bad("csbm:n=3,classes=5", {"5 classes", "3 nodes"});
  bad("csbm:classes=1,homophily=0.5", {"between", "0 pairs"});
  bad("csbm:n=1000000,degree=90000,features=1", {"too many"});
  bad("er:n=100000000,p=0.5", {"too many"});
  bad("minesweeper:rows=1000000,cols=1000000", {"too many"});
  bad("minesweeper:train=0.9,val=0.2", {"train=0.9", "at most 1"});
  bad("unheard:n=3", {"'unheard'", "minesweeper", "csbm", "er"});
}

TEST(GeneratorsTest, OnlyAKnownNameWithAColonIsAGenerator) {
  EXPECT_TRUE(is_generator("csbm:n=5"));
  EXPECT_TRUE(is_generator("minesweeper:"));
  EXPECT_FALSE(is_generator("minesweeper"));
  EXPECT_FALSE(is_generator("cora:n=5"));
  ASSERT_EQ(list_generators().size(), 4u);
  EXPECT_EQ(list_generators()[0].name, "minesweeper");
  EXPECT_EQ(list_generators()[0].options[2].key, "mines");
  EXPECT_EQ(list_generators()[0].options[2].default_value, "0.2");
}

}  // namespace
}  // namespace gdkm
