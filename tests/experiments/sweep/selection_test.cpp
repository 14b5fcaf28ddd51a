#include "gdkm/experiments/sweep/selection.hpp"

#include <gtest/gtest.h>

namespace gdkm {
namespace {

CandidateRuns runs(const std::vector<double>& by_seed, int failed = 0) {
  CandidateRuns out;
  for (std::size_t seed = 0; seed < by_seed.size(); ++seed)
    out.val.push_back({static_cast<std::int64_t>(seed), 0, by_seed[seed]});
  out.failed = failed;
  return out;
}

TEST(Selection, TakesTheBestMean) {
  EXPECT_EQ(best_candidate({runs({80, 82}), runs({90, 75}), runs({81, 81})}), 1u);
}

TEST(Selection, TakesTheFirstOfEqualsWhateverTheOrderOfRuns) {
  EXPECT_EQ(best_candidate({runs({80, 82}), runs({82, 80}), runs({81, 81})}), 0u);
  CandidateRuns shuffled = runs({0.1, 0.2, 0.3, 0.4, 0.7}), same = shuffled;
  std::reverse(shuffled.val.begin(), shuffled.val.end());
  EXPECT_EQ(best_candidate({shuffled, same}), 0u);
  EXPECT_EQ(best_candidate({same, shuffled}), 0u);
}

TEST(Selection, RoundingDoesNotDecide) {
  // The same five scores on other splits: their sums differ in the last digit.
  const CandidateRuns a = runs({0.1, 0.2, 0.3, 0.4, 0.7}), b = runs({0.7, 0.4, 0.3, 0.2, 0.1});
  EXPECT_EQ(best_candidate({a, b}), 0u);
  EXPECT_EQ(best_candidate({b, a}), 0u);
  EXPECT_EQ(best_candidate({runs({90.25}), runs({90.25 + 1e-12}), runs({90.26})}), 2u);
  EXPECT_EQ(best_candidate({runs({90.25}), runs({90.25 + 1e-12})}), 0u);
}

TEST(Selection, PrefersSettingsThatNeverFailed) {
  EXPECT_EQ(best_candidate({runs({70, 70}), runs({90}, 1)}), 0u);
  EXPECT_EQ(best_candidate({runs({70}, 1), runs({90}, 1)}), 1u);
  EXPECT_EQ(best_candidate({runs({}, 2), runs({70}, 1)}), 1u);
  EXPECT_EQ(best_candidate({runs({}, 2), runs({}, 1)}), std::nullopt);
}

TEST(Selection, ComparesByTheRunsThatAllContendersHave) {
  // A budget ended before the second seed of the second candidate, and before the third altogether.
  EXPECT_EQ(best_candidate({runs({80, 99}), runs({85}), runs({})}), 1u);
}

TEST(Selection, WeighsSplitsAlike) {
  CandidateRuns a, b;
  a.val = {{0, 0, 60}, {1, 0, 60}, {2, 0, 60}, {0, 1, 90}};
  b.val = {{0, 0, 70}, {1, 0, 70}, {2, 0, 70}, {0, 1, 78}};
  EXPECT_EQ(best_candidate({b, a}), 1u) << "75 against 74, though the mean over runs is lower";
}

}  // namespace
}  // namespace gdkm
