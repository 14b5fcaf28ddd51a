#include "gdkm/training/confusion_matrix.hpp"

#include <gtest/gtest.h>

#include "gdkm/training/metrics.hpp"

namespace gdkm {
namespace {

ConfusionMatrix matrix(int classes, std::vector<std::int64_t> count) {
  ConfusionMatrix out(classes);
  out.count = std::move(count);
  return out;
}

// Worked out by hand: class 0 has F1 2·5/(2·5+1+2), class 1 2·3/(2·3+3+1), and class 2 is never predicted.
TEST(ConfusionMatrix, ScoresAreThoseOfTheirDefinitions) {
  const ConfusionMatrix m = matrix(3, {5, 2, 0,  //
                                       1, 3, 0,  //
                                       0, 1, 0});
  EXPECT_EQ(m.occurrences(0), 7);
  EXPECT_EQ(m.predictions(1), 6);
  EXPECT_NEAR(m.f1(0), 10.0 / 13, 1e-15);
  EXPECT_NEAR(m.f1(1), 6.0 / 10, 1e-15);
  EXPECT_EQ(m.f1(2), 0);
  EXPECT_NEAR(m.f1_macro(), (10.0 / 13 + 0.6) / 3, 1e-15);
  EXPECT_NEAR(m.f1_weighted(), (7 * 10.0 / 13 + 4 * 0.6) / 12, 1e-15);
  EXPECT_NEAR(m.balanced_accuracy(), 100 * (5.0 / 7 + 3.0 / 4 + 0) / 3, 1e-12);
}

TEST(ConfusionMatrix, ClassesThatNeitherOccurNorArePredictedDoNotCount) {
  // Class 1 is predicted and never occurs: it counts in F1 and has no recall. Class 2 does not matter at all.
  const ConfusionMatrix m = matrix(3, {3, 1, 0,  //
                                       0, 0, 0,  //
                                       0, 0, 0});
  EXPECT_NEAR(m.f1_macro(), (6.0 / 7 + 0) / 2, 1e-15);
  EXPECT_NEAR(m.f1_weighted(), 6.0 / 7, 1e-15);
  EXPECT_NEAR(m.balanced_accuracy(), 75, 1e-12);
}

TEST(ConfusionMatrix, RowsAreTrueClassesAndColumnsPredictedOnes) {
  const std::vector<double> p{0.9, 0.1, 0.2, 0.8, 0.4, 0.6, 0.7, 0.3};
  const auto metrics =
      evaluate(p, 2, std::vector<std::int32_t>{0, 0, 1, -1}, std::vector<std::int32_t>{0, 1, 2, 3});
  ASSERT_TRUE(metrics->confusion);
  EXPECT_EQ(metrics->confusion->count, (std::vector<std::int64_t>{1, 1, 0, 1}));
  EXPECT_NEAR(*metrics->f1_macro(), 2.0 / 3, 1e-15);
  EXPECT_NEAR(*metrics->balanced_accuracy(), 75, 1e-12);
}

TEST(ConfusionMatrix, SumsOfRunsAreTheCountsOfBoth) {
  ConfusionMatrix a = matrix(2, {1, 2, 3, 4});
  a += matrix(2, {10, 20, 30, 40});
  EXPECT_EQ(a.count, (std::vector<std::int64_t>{11, 22, 33, 44}));
}

}  // namespace
}  // namespace gdkm
