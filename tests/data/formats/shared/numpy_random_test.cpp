#include "gdkm/data/formats/shared/numpy_random.hpp"

#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Numbers = std::vector<std::int64_t>;

TEST(NumpyPermutationTest, IsThatOfNumpy) {
  EXPECT_EQ(NumpyRandomState(0).permutation(10), (Numbers{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}));
  EXPECT_EQ(NumpyRandomState(9).permutation(10), (Numbers{8, 4, 7, 2, 1, 9, 3, 0, 6, 5}));
  EXPECT_EQ(NumpyRandomState(4294967295u).permutation(7), (Numbers{1, 5, 0, 6, 4, 2, 3}));
  const auto long_one = NumpyRandomState(3).permutation(100000);
  EXPECT_EQ(Numbers(long_one.begin(), long_one.begin() + 5), (Numbers{79528, 53876, 9777, 6167, 22020}));
  EXPECT_EQ(Numbers(long_one.end() - 5, long_one.end()), (Numbers{48056, 59011, 77049, 67224, 71530}));
}

TEST(NumpyPermutationTest, TheNextOneGoesOnWhereTheLastEnded) {
  NumpyRandomState random(0);
  EXPECT_EQ(random.permutation(5), (Numbers{2, 0, 1, 3, 4}));
  EXPECT_EQ(random.permutation(6), (Numbers{0, 2, 1, 4, 5, 3}));
}

TEST(NumpyPermutationTest, OfNothingOrOneNoNumberIsDrawn) {
  NumpyRandomState random(0);
  EXPECT_TRUE(random.permutation(0).empty());
  EXPECT_EQ(random.permutation(1), Numbers{0});
  EXPECT_EQ(random.permutation(5), (Numbers{2, 0, 1, 3, 4}));
}

TEST(NumpyPermutationTest, SplitsTakeTheLabelledNodesInThatOrder) {
  // Nodes 1, 3, .., 19 are labelled; the orders are those of ten numbers above.
  std::vector<std::int32_t> label(20, -1);
  for (std::size_t i = 1; i < 20; i += 2) label[i] = 0;
  const auto splits = numpy_random_splits(label, 0.5, 0.25, 10);
  ASSERT_EQ(splits.size(), 10u);
  EXPECT_EQ(splits[0].train, (std::vector<std::int32_t>{3, 5, 9, 17, 19}));
  EXPECT_EQ(splits[0].val, (std::vector<std::int32_t>{13, 15}));
  EXPECT_EQ(splits[0].test, (std::vector<std::int32_t>{1, 7, 11}));
  EXPECT_EQ(splits[9].train, (std::vector<std::int32_t>{3, 5, 9, 15, 17}));
}

TEST(NumpyPermutationTest, ImpossibleFractionsAreRefused) {
  expect_input_error([] { numpy_random_splits({0, 0}, 0, 0.5, 1); }, {"train=0", "train > 0"});
  expect_input_error([] { numpy_random_splits({0, 0}, 0.8, 0.3, 1); }, {"val=0.3", "at most 1"});
  expect_input_error([] { numpy_random_splits({0, -1}, 0.6, 0.2, 1); }, {"1 labelled", "leaves none"});
}

}  // namespace
}  // namespace gdkm
