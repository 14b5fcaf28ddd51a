#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/experiments/demo/demo_report.hpp"
#include "gdkm/fitting/study.hpp"

namespace gdkm {
namespace {

DemoPlan tiny() {
  DemoPlan plan = DemoPlan::quick();
  plan.homophily = {0, 1};
  plan.nodes = 180;
  plan.board = 12;
  plan.inducing = 12;
  plan.epochs = 12;
  plan.pictured_per_class = 4;
  plan.threads = 1;
  return plan;
}

/// Results whose DKM is right `low` points more often than its NNGP at the lowest homophily, `high` at the
/// highest.
DemoResults with_gains(const std::vector<double>& low, const std::vector<double>& high) {
  const auto cells = [](const std::vector<double>& gains) {
    std::vector<DemoCell> out{{0, INFINITY, {}, {}}, {0, 1, {}, {}}};
    for (const double gain : gains) {
      RunResult run;
      run.val = run.test = Metrics{80, 0.5, 0.1, 0.7, {}, {}};
      out[0].runs.push_back(run);
      run.test->accuracy += gain;
      out[1].runs.push_back(run);
    }
    return out;
  };
  DemoResults out;
  out.graphs = {cells(low), cells(high)};
  out.boards = cells(low);
  return out;
}

TEST(Demo, ReportHoldsTheNumbersOfItsTable) {
  const DemoPlan plan = tiny();
  std::int64_t last = 0;
  ExperimentObserver observer;
  observer.progress = [&](std::int64_t done, const std::string&) {
    EXPECT_EQ(done, last + 1);
    last = done;
  };
  const auto results = run_demo(plan, observer);
  ASSERT_TRUE(results);
  EXPECT_EQ(last, plan.total_epochs());
  const DemoFindings findings = find_in(plan, *results);
  const std::string table = demo_table(plan, *results, findings),
                    page = demo_report(plan, *results, findings);
  for (const auto& row : results->graphs) {
    for (const DemoCell& cell : row) {
      const std::string text = mean_and_std_text(cell.accuracy(), 1);
      EXPECT_NE(table.find(text), std::string::npos) << text;
      EXPECT_NE(page.find(">" + text + "<"), std::string::npos) << text;
    }
  }
  for (const DemoCell& cell : results->boards) {
    EXPECT_NE(page.find(mean_and_std_text(cell.auc(), 3)), std::string::npos);
  }
  EXPECT_NE(page.find(findings.headline), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos) << "nothing is fetched";
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_LT(page.size(), 2'000'000u);
  const auto json = to_json(plan, *results, findings);
  EXPECT_EQ(json["csbm"].size(), 4u);
  EXPECT_EQ(json["csbm"][0]["nu"], "inf");
  EXPECT_DOUBLE_EQ(json["csbm"][1]["test_accuracy_mean"], results->graphs[0][1].accuracy().mean);

  // The command that the report shows gives the run that the report counts.
  const std::string graph = plan.graph(0, 1);
  const StudyResult again = run_study(plan.settings(graph, 1, 1), generate(graph), {});
  EXPECT_EQ(again.runs[0].test->nll, results->graphs[0][1].runs[1].test->nll);
}

TEST(Demo, InterruptionLeavesNoResults) {
  int steps = 0;
  ExperimentObserver observer;
  observer.progress = [&](std::int64_t, const std::string&) { ++steps; };
  observer.interrupted = [&] { return steps >= 20; };
  EXPECT_FALSE(run_demo(tiny(), observer));
  EXPECT_EQ(steps, 20);
}

TEST(DemoFindings, SayWhatTheNumbersSay) {
  DemoPlan plan = tiny();
  const auto headline = [&](const std::vector<double>& low, const std::vector<double>& high) {
    return find_in(plan, with_gains(low, high)).headline;
  };
  EXPECT_NE(headline({5, 6, 7}, {0, 0, 0}).find("helps where neighbours differ;"), std::string::npos);
  EXPECT_NE(headline({5, 6, 7}, {5, 6, 7}).find("and where they agree"), std::string::npos);
  EXPECT_NE(headline({-5, 6, -2}, {0, 0, 0}).find("no clear effect"), std::string::npos);
  EXPECT_NE(headline({-5, -6, -7}, {0, 0, 0}).find("hurts"), std::string::npos);
  EXPECT_NE(headline({0, 0.1, -0.1}, {3, 4, 5}).find("rather than"), std::string::npos);
}

TEST(DemoFindings, OneGraphIsNeverClear) {
  EXPECT_FALSE(is_clear(mean_and_std(std::vector<double>{10})));
  EXPECT_TRUE(is_clear(mean_and_std(std::vector<double>{10, 11})));
}

}  // namespace
}  // namespace gdkm
