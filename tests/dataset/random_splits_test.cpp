#include "gdkm/dataset/split_spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

std::vector<std::int32_t> some_labels() {
  std::vector<std::int32_t> label;
  for (int i = 0; i < 1000; ++i) label.push_back(i % 10 == 0 ? -1 : (i % 7 == 0 ? 1 : (i % 11 == 0 ? 2 : 0)));
  return label;
}

TEST(RandomSplitsTest, PartsCoverTheLabelledNodesOnceInTheProportionsAskedFor) {
  const auto label = some_labels();
  for (const Split& split : random_splits(label, 0.6, 0.2, 3, 5)) {
    EXPECT_EQ(split.train.size(), 540u);
    EXPECT_EQ(split.val.size(), 180u);
    EXPECT_EQ(split.test.size(), 180u);
    std::vector<int> seen(label.size(), 0);
    for (const auto* part : {&split.train, &split.val, &split.test}) {
      EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
      for (const auto i : *part) ++seen[i];
    }
    for (std::size_t i = 0; i < label.size(); ++i) EXPECT_EQ(seen[i], label[i] < 0 ? 0 : 1);
  }
}

TEST(RandomSplitsTest, EveryClassIsSharedOutInTheSameProportions) {
  const auto label = some_labels();
  std::array<double, 3> total{}, trained{};
  const auto splits = random_splits(label, 0.5, 0.25, 1, 0);
  for (const auto c : label) {
    if (c >= 0) ++total[c];
  }
  for (const auto i : splits[0].train) ++trained[label[i]];
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(trained[c], 0.5 * total[c], 1.0);
}

TEST(RandomSplitsTest, ASplitDependsOnSeedAndNumberAlone) {
  const auto label = some_labels();
  const auto three = random_splits(label, 0.5, 0.25, 3, 1), two = random_splits(label, 0.5, 0.25, 2, 1);
  EXPECT_EQ(three[1].train, two[1].train);
  EXPECT_NE(three[0].train, three[1].train);
  EXPECT_NE(random_splits(label, 0.5, 0.25, 1, 2)[0].train, three[0].train);
}

TEST(RandomSplitsTest, EdgeCasesOfTheFractions) {
  EXPECT_EQ(random_splits({0, 1, 0}, 1, 0, 1, 0)[0].train.size(), 3u);
  EXPECT_TRUE(random_splits({0, 1}, 0.5, 0.5, 0, 0).empty());
  expect_input_error([] { random_splits({0, 1}, 0, 0.5, 1, 0); }, {"train=0", "train > 0"});
  expect_input_error([] { random_splits({0, 1}, 0.8, 0.3, 1, 0); }, {"val=0.3", "at most 1"});
  expect_input_error([] { random_splits({0, 1}, 0.1, 0.3, 1, 0); }, {"leaves no", "larger"});
  expect_input_error([] { random_splits({-1}, 0.5, 0.3, 1, 0); }, {"leaves no"});
}

}  // namespace
}  // namespace gdkm
