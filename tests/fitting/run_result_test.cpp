#include "gdkm/fitting/run_result.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gdkm/fitting/run_result_json.hpp"

namespace gdkm {
namespace {

RunResult result() {
  RunResult out;
  const std::vector<double> p{0.9, 0.1, 0.2, 0.8, 0.4, 0.6};
  const std::vector<std::int32_t> label{0, 0, 1}, rows{0, 1, 2};
  out.train = out.val = out.test = evaluate(p, 2, label, rows);
  return out;
}

TEST(RunResult, KeepsTheConfusionMatrixAndWhatFollowsFromIt) {
  const auto json = to_json(result());
  EXPECT_EQ(json.at("test").at("confusion"), nlohmann::json::parse("[[1,1],[0,1]]"));
  EXPECT_NEAR(json.at("test").at("f1_macro").get<double>(), 2.0 / 3, 1e-12);
  EXPECT_NEAR(json.at("test").at("f1_weighted").get<double>(), 2.0 / 3, 1e-12);
  EXPECT_NEAR(json.at("test").at("balanced_accuracy").get<double>(), 75, 1e-12);
  const RunResult read = run_from_json(json);
  EXPECT_EQ(read.test->confusion, result().test->confusion);
  EXPECT_NEAR(summary_json({read}).at("test_f1_macro_mean").get<double>(), 2.0 / 3, 1e-12);
}

TEST(RunResult, OfAnEarlierVersionHasNoConfusionMatrix) {
  auto json = to_json(result());
  for (const char* name : {"f1_macro", "f1_weighted", "balanced_accuracy", "confusion"})
    json.at("test").erase(name);
  const RunResult read = run_from_json(json);
  EXPECT_FALSE(read.test->confusion);
  EXPECT_FALSE(read.test->f1_macro());
  EXPECT_FALSE(summary_json({read}).contains("test_f1_macro_mean"));
  EXPECT_FALSE(to_json(read).at("test").contains("confusion"));
}

TEST(RunResult, IsScoredByWhatItIsSelectedBy) {
  RunResult run = result();
  EXPECT_NEAR(*score_of(run, Select::f1), 2.0 / 3, 1e-12);
  EXPECT_NEAR(*score_of(run, Select::accuracy), 200.0 / 3, 1e-12);
  EXPECT_NEAR(*score_of(run, Select::auc), 0.5, 1e-12);
  run.val->r2 = 0.25;
  EXPECT_EQ(score_of(run, Select::r2), 0.25);
  EXPECT_EQ(score_of(run, Select::accuracy), 0.25);
}

}  // namespace
}  // namespace gdkm
