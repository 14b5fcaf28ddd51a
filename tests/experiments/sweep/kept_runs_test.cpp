#include <gtest/gtest.h>

#include "tests/experiments/sweep/sweep_program.hpp"

namespace gdkm::testing {
namespace {

using Words = std::vector<std::string>;
using KeptRuns = SweepProgram;

TEST_F(KeptRuns, TrainingLogsWhatASweepWouldRun) {
  const Words options{"--nu", "2", "--splits", "2", "--store", "runs.db"};
  done(small_train(small_graph, options));
  const auto runs = store().runs();
  ASSERT_EQ(runs.size(), 2u);
  for (const StoredRun& run : runs) {
    EXPECT_EQ(run.status, RunStatus::done);
    EXPECT_EQ(run.configuration.option("nu"), "2");
    EXPECT_TRUE(run.result && run.reliability && run.environment);
    EXPECT_FALSE(store().curve(run.id).empty());
  }
  EXPECT_NE(done({"runs", "list", "runs.db"}).out.find("csbm"), std::string::npos);
  EXPECT_EQ(gdkm({"report", "runs.db", "--output", "page.html"}).status, 0);
  // Again, and the store stays as it is.
  EXPECT_NE(done(small_train(small_graph, options)).err.find("2 of these runs already"), std::string::npos);
  EXPECT_EQ(store().runs().size(), 2u);
}

TEST_F(KeptRuns, ASweepDoesNotRepeatThem) {
  write("spec.toml", "datasets = ['" + small_graph +
                         "']\noptions = { inducing = 20, epochs = 5 }\n[[study]]\nmodel = 'dkm'\n"
                         "[[study.stage]]\ngrid = { nu = [2, 3] }\n");
  done({"train", small_graph, "--nu", "2", "--inducing", "20", "--epochs", "5", "--store", "runs.db",
        "--quiet"});
  done({"sweep", "spec.toml", "--store", "runs.db", "--jobs", "1", "--quiet"});
  EXPECT_EQ(store().runs().size(), 2u);
  EXPECT_EQ(events().size(), 2u);
  for (const auto& [run, kinds] : events()) EXPECT_EQ(kinds.at("done"), 1) << run;
}

TEST_F(KeptRuns, ASweepSavesItsBestModel) {
  write("spec.toml",
        "datasets = ['" + small_graph +
            "']\noptions = { inducing = 20, epochs = 30 }\nsplits = 2\n[[study]]\nmodel = 'dkm'\n"
            "[[study.stage]]\ngrid = { nu = [1, 3] }\n[[study]]\nmodel = 'nngp'\n"
            "name = 'exact'\noptions = { exact = true }\n");
  done({"sweep", "spec.toml", "--store", "runs.db", "--threads", "1", "--save", "best.safetensors",
        "--quiet"});
  double best = 0;
  for (const StoredRun& run : store().runs()) {
    if (run.configuration.model == "dkm") best = std::max(best, *run.val());
  }
  const auto card = done({"inspect", "best.safetensors", "--json"}).json();
  EXPECT_EQ(card.at("run").at("val").at("accuracy"), best);
}

TEST_F(KeptRuns, AModelOfSeveralDataSetsIsRefusedBeforeTheWork) {
  write("spec.toml", "datasets = ['csbm:n=60', 'csbm:n=70']\n[[study]]\nmodel = 'dkm'\n");
  refused({"sweep", "spec.toml", "--store", "runs.db", "--save", "m.safetensors", "--quiet"},
          {"--save", "--only csbm:n=60"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m.safetensors"));
}

}  // namespace
}  // namespace gdkm::testing
