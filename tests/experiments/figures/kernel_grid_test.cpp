#include "gdkm/experiments/figures/kernel_grid.hpp"

#include <gtest/gtest.h>

#include "gdkm/experiments/kernel_picture.hpp"
#include "tests/experiments/figures/heat_map_reader.hpp"

namespace gdkm {
namespace {

KernelGrid grid_with(const KernelPicture& picture) {
  KernelGrid out;
  out.columns = {"one", "two"};
  out.rows = {"row"};
  out.labels = {{0, 0, 1}};
  out.cells = {{KernelGrid::Cell{picture, "first", "CKA 1"}, std::nullopt}};
  return out;
}

TEST(KernelGrid, PicturesShowTheCosinesOfTheTable) {
  for (const double least : {-1.0, 0.0}) {
    const KernelPicture picture{3, {1, 0.25, least, 0.25, 1, 0.5, least, 0.5, 1}};
    const KernelGrid grid = grid_with(picture);
    const auto maps = testing::heat_maps_in(to_svg(grid));
    ASSERT_EQ(maps.size(), 1u) << "a place that is empty has no picture";
    const ExportTable table = to_table(grid);
    ASSERT_EQ(table.rows(), 3u);
    EXPECT_EQ(table.columns[0].values[0], "first");
    EXPECT_EQ(table.columns[2].values[2], 1);
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) {
        const double cosine = table.columns[3 + c].values[r];
        EXPECT_DOUBLE_EQ(cosine, picture.cosine[3 * r + c]);
        EXPECT_NEAR(least + (1 - least) * maps[0].part(3, r, c), cosine, 0.01) << r << ' ' << c;
      }
    }
  }
}

TEST(KernelGrid, RowsHaveTheNumbersAndNamesOfTheirNodes) {
  KernelGrid grid = grid_with({3, {1, 0, 0, 0, 1, 0, 0, 0, 1}});
  grid.nodes = {{7, 40, 12}};
  grid.names = {{"ann", "bob", "eve"}};
  const ExportTable table = to_table(grid);
  ASSERT_EQ(table.columns[1].name, "node");
  EXPECT_EQ(table.columns[1].values, (std::vector<nlohmann::json>{7, 40, 12}));
  ASSERT_EQ(table.columns[2].name, "name");
  EXPECT_EQ(table.columns[2].values[1], "bob");
  EXPECT_EQ(table.columns[3].name, "class");
}

TEST(KernelGrid, CosinesDoNotDependOnTheScaleOfNodes) {
  Dense kernel(2, 2, {4, 3, 3, 9});
  const KernelPicture picture = picture_of_kernel(kernel);
  EXPECT_DOUBLE_EQ(picture.cosine[0], 1);
  EXPECT_DOUBLE_EQ(picture.cosine[1], 0.5);
}

TEST(SampledNodes, AreDistinctLabelledAndSortedByClass) {
  const std::vector<std::int32_t> label{1, 0, -1, 1, 0, 0, 2, -1, 1};
  const auto nodes = sampled_nodes(label, 5, 3);
  ASSERT_EQ(nodes.size(), 5u);
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    EXPECT_LT(std::pair(label[nodes[k - 1]], nodes[k - 1]), std::pair(label[nodes[k]], nodes[k]));
  }
  for (const auto node : nodes) EXPECT_GE(label[node], 0);
  EXPECT_EQ(sampled_nodes(label, 100, 3), (std::vector<std::int32_t>{1, 4, 5, 0, 3, 8, 6}));
  EXPECT_NE(sampled_nodes(label, 3, 3), sampled_nodes(label, 3, 4));
  EXPECT_EQ(labels_of(label, {8, 1}), (std::vector<std::int32_t>{1, 0}));
}

}  // namespace
}  // namespace gdkm
