#include "gdkm/experiments/drawing/heat_map.hpp"

#include <gtest/gtest.h>

#include "gdkm/experiments/drawing/colours.hpp"
#include "tests/experiments/figures/heat_map_reader.hpp"

namespace gdkm {
namespace {

double lightness(double cosine) {
  const auto colour = colours::of_cosine(cosine);
  return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2];
}

TEST(Ramp, BecomesDarkerFromZeroToBothEnds) {
  for (int k = 1; k <= 100; ++k) {
    EXPECT_LT(lightness(k / 100.0), lightness((k - 1) / 100.0)) << k;
    EXPECT_LT(lightness(-k / 100.0), lightness((1 - k) / 100.0)) << k;
  }
}

TEST(HeatMap, ShowsTheCosinesEnlargedWithoutMixingThem) {
  const std::string address = heat_map({1, 0.5, 0.5, 0}, 0, 5);
  const auto maps = testing::heat_maps_in(address + "'");
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].size, 6u);
  EXPECT_EQ(maps[0].part(2, 0, 0), 1);
  EXPECT_NEAR(maps[0].part(2, 0, 1), 0.5, 0.003);
  EXPECT_EQ(maps[0].part(2, 1, 1), 0);
}

}  // namespace
}  // namespace gdkm
