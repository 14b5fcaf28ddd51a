#include "gdkm/experiments/score_difference.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gdkm {
namespace {

Metrics scored(double accuracy, double items) {
  Metrics out;
  out.accuracy = accuracy;
  out.reliability = {{3, items / 2, 0, 0}, {9, items / 2, 0, 0}};
  return out;
}

/// Runs of one model: 60 training items, and 30 or 40 test items.
class Runs {
 public:
  Runs& add(int split, std::uint64_t seed, double accuracy, bool exact = false) {
    StoredRun run;
    run.configuration.split = split;
    run.configuration.seed = seed;
    if (exact) run.configuration.options["exact"] = true;
    run.result.emplace();
    run.result->train = scored(99, 60);
    run.result->test = scored(accuracy, split % 2 == 0 ? 30 : 40);
    runs_.push_back(run);
    return *this;
  }
  std::vector<const StoredRun*> list() const {
    std::vector<const StoredRun*> out;
    for (const StoredRun& run : runs_) out.push_back(&run);
    return out;
  }

 private:
  std::vector<StoredRun> runs_;
};

TEST(ScoreDifference, AllowsForWhatSplitsHaveInCommon) {
  const Runs one = Runs().add(0, 0, 80).add(1, 0, 84), other = Runs().add(0, 0, 79).add(1, 0, 81);
  const auto difference = score_difference(one.list(), other.list());
  ASSERT_TRUE(difference);
  EXPECT_DOUBLE_EQ(difference->summary.mean, 2);
  // 35 test items for 60 training items, on average.
  EXPECT_DOUBLE_EQ(difference->error, std::sqrt(2.0) * std::sqrt(0.5 + 35.0 / 60));
  EXPECT_DOUBLE_EQ(difference->half_width(), 12.706 * difference->error);
}

TEST(ScoreDifference, TakesTheOverlapOfRunsThatCountedTheirItems) {
  const Runs one = Runs().add(0, 0, 80).add(1, 0, 84), other = Runs().add(0, 0, 79).add(1, 0, 81);
  std::vector<StoredRun> early;
  for (const StoredRun* run : one.list()) early.push_back(*run);
  early[1].result->train->reliability.clear();
  const auto some = score_difference({&early[0], &early[1]}, other.list());
  EXPECT_DOUBLE_EQ(some->error, std::sqrt(2.0) * std::sqrt(0.5 + 30.0 / 60));
  early[0].result->train->reliability.clear();
  const auto none = score_difference({&early[0], &early[1]}, other.list());
  EXPECT_DOUBLE_EQ(none->summary.mean, 2);
  EXPECT_TRUE(std::isnan(none->half_width())) << "what the splits have in common is not known";
}

TEST(ScoreDifference, OfSeedsOnOneSplitIsOfIndependentNumbers) {
  const Runs one = Runs().add(0, 0, 80).add(0, 1, 84).add(0, 2, 90),
             other = Runs().add(0, 1, 81).add(0, 0, 79).add(0, 7, 50);
  const auto difference = score_difference(one.list(), other.list());
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->summary.count, 2) << "seeds 2 and 7 have no partner";
  EXPECT_DOUBLE_EQ(difference->summary.mean, 2);
  EXPECT_DOUBLE_EQ(difference->error, 1);
}

TEST(ScoreDifference, ComparesAnExactModelWithAllSeeds) {
  const Runs seeds = Runs().add(0, 0, 80).add(0, 1, 84), exact = Runs().add(0, 0, 81, true);
  EXPECT_DOUBLE_EQ(score_difference(seeds.list(), exact.list())->summary.mean, 1);
  EXPECT_DOUBLE_EQ(score_difference(exact.list(), seeds.list())->summary.mean, -1);
  EXPECT_EQ(score_difference(exact.list(), seeds.list())->summary.count, 2);
  const Runs other_seed = Runs().add(0, 5, 84);
  EXPECT_DOUBLE_EQ(score_difference(exact.list(), other_seed.list())->summary.mean, -3);
  EXPECT_DOUBLE_EQ(score_difference(other_seed.list(), exact.list())->summary.mean, 3);
}

TEST(ScoreDifference, OfTwoExactModelsHasOneNumberPerSplit) {
  const Runs one = Runs().add(0, 0, 80, true).add(0, 1, 80, true).add(1, 0, 84, true),
             other = Runs().add(0, 0, 79, true).add(0, 7, 79, true).add(1, 5, 81, true);
  const auto difference = score_difference(one.list(), other.list());
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->summary.count, 2) << "seeds change nothing, and count once";
  EXPECT_DOUBLE_EQ(difference->summary.mean, 2);
}

TEST(ScoreDifference, OfOneRunHasNoInterval) {
  const Runs one = Runs().add(0, 0, 80), other = Runs().add(0, 0, 79), elsewhere = Runs().add(1, 0, 79);
  EXPECT_TRUE(std::isnan(score_difference(one.list(), other.list())->half_width()));
  EXPECT_FALSE(score_difference(one.list(), elsewhere.list()));
  EXPECT_FALSE(score_difference({}, other.list()));
}

}  // namespace
}  // namespace gdkm
