#include "gdkm/dataset/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gdkm {
namespace {

TEST(SummaryTest, CountsDistinctEdgesAndOddNodes) {
  Dataset data;
  data.graph = {5, {{0, 1}, {1, 0}, {1, 2}, {2, 2}, {2, 3}}, {}, false, {}, {}};
  data.label = {0, 0, 1, -1, 2};
  data.classes = 3;
  data.features.rows = 5;
  data.features.cols = 2;
  data.features.dense = {1, 0, 0, 0, 2, 3, 0, 0, 0, 1};
  data.splits["public"] = {{{0, 1}, {2}, {4}}, {{0}, {2}, {4}}};
  const DatasetSummary summary = summarise(data);
  EXPECT_EQ(summary.edges, 3);
  EXPECT_EQ(summary.class_count, (std::vector<Index>{2, 1, 1}));
  EXPECT_EQ(summary.unlabelled, 1);
  EXPECT_DOUBLE_EQ(summary.homophily, 0.5);
  EXPECT_EQ(summary.isolated, 1);
  EXPECT_EQ(summary.degree_min, 0);
  EXPECT_EQ(summary.degree_max, 2);
  EXPECT_DOUBLE_EQ(summary.degree_median, 1.0);
  EXPECT_DOUBLE_EQ(summary.degree_mean, 6.0 / 5);
  EXPECT_EQ(summary.zero_feature_rows, 2);
  EXPECT_DOUBLE_EQ(summary.feature_density, 0.4);
  EXPECT_FALSE(summary.weighted);
  ASSERT_EQ(summary.split_sets.size(), 1u);
  EXPECT_EQ(summary.split_sets[0].splits, 2);
  EXPECT_EQ(summary.split_sets[0].train, 2);
  EXPECT_FALSE(summary.split_sets[0].same_sizes);
}

TEST(SummaryTest, CountsTheDistinctEdgesOfEachType) {
  Dataset data;
  data.graph = {
      3, {{0, 1}, {1, 0}, {1, 2}, {1, 2}, {2, 2}, {0, 1}}, {}, true, {0, 0, 1, 1, 0, 1}, {"a", "b", "c"}};
  data.label = {0, 0, 0};
  data.classes = 1;
  data.features = {3, 1, false, {}, {1, 1, 1}};
  using Types = std::vector<std::pair<std::string, Index>>;
  EXPECT_EQ(summarise(data).edge_types, (Types{{"a", 1}, {"b", 2}, {"c", 0}}));
  EXPECT_EQ(summarise(data, {.keep_direction = true}).edge_types, (Types{{"a", 2}, {"b", 2}, {"c", 0}}));
}

TEST(SummaryTest, SparseFeaturesAndGraphsWithoutEdges) {
  Dataset data;
  data.graph.nodes = 2;
  data.label = {0, 1};
  data.classes = 2;
  data.features.rows = 2;
  data.features.cols = 4;
  data.features.is_sparse = true;
  data.features.sparse = csr_from_triplets(2, 4, {{0, 1, 1.0}, {1, 2, 0.0}});
  const DatasetSummary summary = summarise(data);
  EXPECT_TRUE(std::isnan(summary.homophily));
  EXPECT_EQ(summary.isolated, 2);
  EXPECT_EQ(summary.zero_feature_rows, 1) << "a stored zero is a zero";
  EXPECT_DOUBLE_EQ(summary.feature_density, 1.0 / 8);
}

}  // namespace
}  // namespace gdkm
