#include <gtest/gtest.h>

#include <algorithm>

#include "gdkm/data/load.hpp"
#include "gdkm/dataset/summary.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

struct Row {
  const char* name;
  Index nodes, edges, features;
  int classes;
  double homophily;
  Index unlabelled, public_splits, train, val, test, geom_splits;
};

/// The table of the shared data sets' README.
constexpr Row table[] = {
    {"cora", 2708, 5278, 1433, 7, 0.8100, 0, 1, 140, 500, 1000, 10},
    {"citeseer", 3327, 4552, 3703, 6, 0.7377, 15, 1, 120, 500, 1000, 10},
    {"pubmed", 19717, 44324, 500, 3, 0.8024, 0, 1, 60, 500, 1000, 10},
    {"minesweeper", 10000, 39402, 7, 2, 0.6828, 0, 10, 5000, 2500, 2500, 0},
    {"tolokers", 11758, 519000, 10, 2, 0.5945, 0, 10, 0, 0, 0, 0},
    {"chameleon", 2277, 31371, 2325, 5, 0.2299, 0, 10, 1092, 729, 456, 0},
    {"squirrel", 5201, 198353, 2089, 5, 0.2221, 0, 10, 2496, 1664, 1041, 0},
    {"chameleon-filtered", 890, 8854, 2325, 5, 0.2361, 0, 10, 0, 0, 0, 0},
    {"squirrel-filtered", 2223, 46998, 2089, 5, 0.2072, 0, 10, 0, 0, 0, 0},
    {"blogcatalog", 5196, 171743, 8189, 6, 0.4011, 0, 10, 0, 0, 0, 0},
    {"flickr", 7575, 239738, 12047, 9, 0.2386, 0, 10, 0, 0, 0, 0},
    {"cornell5", 18660, 790777, 4735, 2, 0.5464, 1838, 5, 0, 0, 0, 0},
    {"johnshopkins55", 5180, 186586, 2406, 2, 0.5488, 418, 5, 0, 0, 0, 0},
    {"facebook-pages", 22470, 170823, 4714, 4, 0.8853, 0, 10, 0, 0, 0, 0},
};

class PublishedDatasetsTest : public ::testing::TestWithParam<Row> {};

TEST_P(PublishedDatasetsTest, CountsMatchTheTable) {
  const auto folder = testing::shared_folder() / "datasets";
  const Row& row = GetParam();
  if (!std::filesystem::is_directory(folder / row.name)) GTEST_SKIP() << folder / row.name << " is not there";
  const DatasetSummary summary = summarise(load(row.name, folder));
  EXPECT_EQ(summary.name, row.name);
  EXPECT_EQ(summary.nodes, row.nodes);
  EXPECT_EQ(summary.edges, row.edges);
  EXPECT_EQ(summary.features, row.features);
  EXPECT_EQ(summary.classes, row.classes);
  EXPECT_NEAR(summary.homophily, row.homophily, 5.1e-5);
  EXPECT_EQ(summary.unlabelled, row.unlabelled);
  for (const auto& set : summary.split_sets) {
    EXPECT_EQ(set.splits, set.name == "public" ? row.public_splits : row.geom_splits);
    if (set.name != "public" || row.train == 0) continue;
    EXPECT_EQ(set.train, row.train);
    EXPECT_EQ(set.val, row.val);
    EXPECT_EQ(set.test, row.test);
    EXPECT_TRUE(set.same_sizes);
  }
  EXPECT_EQ(summary.split_sets.size(), row.geom_splits == 0 ? 1u : 2u);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedDatasetsTest, ::testing::ValuesIn(table), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(PublishedDatasetsListTest, AllAreListed) {
  const auto folder = testing::shared_folder() / "datasets";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  std::vector<std::string> listed;
  for (const auto& found : list_datasets(folder)) listed.push_back(found.name);
  for (const Row& row : table)
    EXPECT_NE(std::find(listed.begin(), listed.end(), row.name), listed.end()) << row.name;
}

}  // namespace
}  // namespace gdkm
