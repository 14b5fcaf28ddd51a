#include <signal.h>

#include "gdkm/store/stage_records.hpp"
#include "tests/experiments/sweep/sweep_program.hpp"

namespace gdkm {
namespace {

using testing::BackgroundProgram;
using testing::Outcome;
using testing::sleep_for;

class WorkerCommand : public testing::SweepProgram {
 protected:
  /// Whether `test` becomes true within some time.
  template <class Test>
  static bool becomes(const Test& test, double seconds = 60) {
    for (double waited = 0; waited < seconds; waited += 0.05) {
      if (test()) return true;
      sleep_for(0.05);
    }
    return false;
  }
  std::size_t count(RunStatus status) const {
    if (!std::filesystem::exists(folder_ / "runs.db")) return 0;
    RunFilter filter;
    filter.status = status;
    return store().runs(filter).size();
  }
};

TEST_F(WorkerCommand, ExecutesWhatAnotherSweepPlansStageByStage) {
  write_spec(10);
  const auto alone = table(done({"sweep", "spec.toml", "--store", "alone.db", "--json", "-", "--quiet"}).out);
  BackgroundProgram sweep(
      {"sweep", "spec.toml", "--store", "runs.db", "--plan-only", "--json", "-", "--quiet"}, folder_.path(),
      "table.json");
  ASSERT_TRUE(becomes([&] { return count(RunStatus::pending) > 0; }));
  const BackgroundProgram other({"worker", "runs.db", "--jobs", "1", "--wait", "30", "--quiet"},
                                folder_.path(), "other.txt");
  BackgroundProgram worker({"worker", "runs.db", "--jobs", "2", "--wait", "30", "--quiet"}, folder_.path(),
                           "worker.txt");
  EXPECT_EQ(sweep.wait(120), 0);
  EXPECT_EQ(table(read("table.json")), alone);
  for (const auto& [run, kinds] : events()) EXPECT_EQ(kinds.at("done"), 1) << run;
  EXPECT_EQ(count(RunStatus::done), 36u);
}

TEST_F(WorkerCommand, SharesAStoreWithASweepThatWorksToo) {
  write_spec(10);
  const auto alone = table(done({"sweep", "spec.toml", "--store", "alone.db", "--json", "-", "--quiet"}).out);
  BackgroundProgram sweep(
      {"sweep", "spec.toml", "--store", "runs.db", "--jobs", "1", "--json", "-", "--quiet"}, folder_.path(),
      "table.json");
  ASSERT_TRUE(becomes([&] { return count(RunStatus::pending) > 0; }));
  const BackgroundProgram worker({"worker", "runs.db", "--jobs", "1", "--wait", "30", "--quiet"},
                                 folder_.path(), "worker.txt");
  EXPECT_EQ(sweep.wait(120), 0);
  EXPECT_EQ(table(read("table.json")), alone);
  for (const auto& [run, kinds] : events()) EXPECT_EQ(kinds.at("done"), 1) << run;
}

TEST_F(WorkerCommand, EndsWhenThereAreNoRuns) {
  done({"runs", "copy", "--help"});
  write_small_spec("options = { epochs = 3, inducing = 5 }", "grid = { nu = [0.1, 1] }");
  done({"sweep", "spec.toml", "--store", "runs.db", "--quiet"});
  EXPECT_EQ(done({"worker", "runs.db", "--quiet"}).out, "0 runs done, 0 failed\n");
  refused({"worker", "none.db"}, {"none.db", "no such store"});
}

TEST_F(WorkerCommand, LeavesRunsWhoseDataItLacksToOthers) {
  done({"data", "generate", "csbm:n=60,classes=2", "-o", "here.npz"});
  std::filesystem::copy(folder_ / "here.npz", folder_ / "gone.npz");
  write("spec.toml",
        "datasets = ['gone.npz', 'here.npz']\noptions = { epochs = 3, inducing = 5 }\n[[study]]\nmodel = "
        "'dkm'\n"
        "[[study.stage]]\ngrid = { nu = [0.1, 1] }\n");
  BackgroundProgram sweep({"sweep", "spec.toml", "--store", "runs.db", "--plan-only", "--quiet"},
                          folder_.path(), "table.txt");
  ASSERT_TRUE(becomes([&] { return count(RunStatus::pending) == 4; }));
  std::filesystem::rename(folder_ / "gone.npz", folder_ / "elsewhere.npz");
  Outcome outcome = done({"worker", "runs.db", "--jobs", "1", "--quiet"});
  EXPECT_EQ(outcome.out, "2 runs done, 0 failed\n");
  EXPECT_NE(outcome.err.find("left to other machines: gone.npz"), std::string::npos) << outcome.err;
  EXPECT_EQ(count(RunStatus::pending), 2u);
  // Other data of that name will not do either.
  done({"data", "generate", "csbm:n=70,classes=2", "-o", "gone.npz"});
  outcome = done({"worker", "runs.db", "--jobs", "1", "--quiet"});
  EXPECT_NE(outcome.err.find("other data of this name"), std::string::npos) << outcome.err;
  EXPECT_EQ(count(RunStatus::pending), 2u);
  std::filesystem::rename(folder_ / "elsewhere.npz", folder_ / "gone.npz");
  done({"worker", "runs.db", "--jobs", "1", "--quiet"});
  EXPECT_EQ(sweep.wait(60), 0);
  EXPECT_EQ(count(RunStatus::done), 4u);
}

TEST_F(WorkerCommand, GivesItsRunsBackOnSigterm) {
  write_small_spec("options = { epochs = 1000000, inducing = 5, patience = 0 }", "grid = { nu = [0.1, 1] }");
  const BackgroundProgram sweep({"sweep", "spec.toml", "--store", "runs.db", "--plan-only", "--quiet"},
                                folder_.path(), "table.txt");
  ASSERT_TRUE(becomes([&] { return count(RunStatus::pending) == 2; }));
  for (const bool to_all : {false, true}) {  // a batch system signals all processes of a job
    BackgroundProgram worker({"worker", "runs.db", "--jobs", "2", "--quiet"}, folder_.path(), "worker.txt");
    ASSERT_TRUE(becomes([&] { return count(RunStatus::running) == 2; }));
    to_all ? worker.signal_group(SIGTERM) : worker.signal(SIGTERM);
    EXPECT_EQ(worker.wait(60), 143);
    EXPECT_EQ(count(RunStatus::pending), 2u);
  }
  for (const auto& [run, kinds] : events()) {
    EXPECT_EQ(kinds.at("released"), 2) << run;
    EXPECT_FALSE(kinds.contains("lost")) << run;
  }
}

TEST_F(WorkerCommand, RepeatsTheRunOfAProcessThatWasKilled) {
  write_small_spec("options = { epochs = 1000000, inducing = 5, patience = 0 }", "grid = { nu = [1] }");
  const BackgroundProgram sweep({"sweep", "spec.toml", "--store", "runs.db", "--plan-only", "--quiet"},
                                folder_.path(), "table.txt");
  ASSERT_TRUE(becomes([&] { return count(RunStatus::pending) == 1; }));
  BackgroundProgram worker({"worker", "runs.db", "--jobs", "1", "--wait", "60", "--quiet"}, folder_.path(),
                           "worker.txt");
  for (int times = 1; times <= 3; ++times) {
    ASSERT_TRUE(becomes([&] { return count(RunStatus::running) == 1; }));
    const auto owner = store().runs().at(0).owner;
    ASSERT_TRUE(owner);
    ASSERT_NE(owner->pid, worker.pid());
    ::kill(static_cast<pid_t>(owner->pid), SIGKILL);
    ASSERT_TRUE(becomes([&] { return events()[1]["claimed"] > times || count(RunStatus::failed) == 1; }));
  }
  EXPECT_EQ(count(RunStatus::failed), 1u) << "the third time it may be the run's own fault";
  worker.signal(SIGTERM);
  EXPECT_EQ(worker.wait(60), 143);
}

}  // namespace
}  // namespace gdkm
