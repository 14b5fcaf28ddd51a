#include <gtest/gtest.h>
#include <signal.h>

#include "gdkm/store/stage_records.hpp"
#include "tests/experiments/sweep/sweep_program.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {
namespace {

using SweepCommand = SweepProgram;
using Words = std::vector<std::string>;

const Words sweep{"sweep", "spec.toml", "--store", "runs.db", "--jobs", "2", "--threads", "1", "--json", "-"};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(SweepCommand, ExecutesAllStagesAndHasNothingLeftToDo) {
  write_spec(10);
  const Outcome first = done(sweep);
  const auto lines = table(first.out);
  ASSERT_EQ(lines.size(), 3u) << "the dkm, and the gcn with and without dropout";
  EXPECT_TRUE(lines[0].at("options").contains("nu")) << "chosen by the first stage";
  EXPECT_TRUE(lines[0].at("options").contains("arch"));
  EXPECT_EQ(lines[0].at("runs"), 4);
  EXPECT_EQ(lines[2].at("per"), "dropout=0.5");
  // The kipf of the second stage is the winner of the first: the same runs, done once.
  EXPECT_EQ(store().runs().size(), 12u + 8u + 16u);
  const auto before = events();
  for (const auto& [run, kinds] : before)
    EXPECT_EQ(kinds, (std::map<std::string, int>{{"claimed", 1}, {"done", 1}})) << run;
  EXPECT_EQ(table(done(sweep).out), lines);
  EXPECT_EQ(events(), before);
}

TEST_F(SweepCommand, MeasuresTheCoverageOfPredictionSetsWhereItemsAreKeptApart) {
  write_small_spec("options = { epochs = 5, inducing = 10, conformal = 0.5 }", "grid = { nu = [1] }");
  done(sweep);
  const Coverage coverage = store().find("1").result->coverage.value();
  EXPECT_EQ(coverage.asked, 0.9);
  EXPECT_GT(coverage.calibration_items, 0);
  EXPECT_GT(coverage.items, 0);
  EXPECT_NE(done({"runs", "show", "runs.db", "1"}).out.find("where 90 % was asked"), std::string::npos);
}

TEST_F(SweepCommand, StoresWhatReportsNeed) {
  write_spec(10);
  done(sweep);
  const Store from = store();
  const StoredRun run = from.find("1");
  EXPECT_EQ(from.curve(run.id).size(), 10u);
  EXPECT_TRUE(from.curve(run.id).back().val);
  EXPECT_EQ(*from.curve(run.id).back().val, *run.val());
  std::int64_t counted = 0;
  double error = 0;
  for (const auto& bin : run.reliability->test.bins) {
    counted += bin.count;
    error += static_cast<double>(bin.count) * std::abs(bin.confidence - bin.accuracy);
  }
  EXPECT_GT(counted, 0);
  EXPECT_NEAR(error / static_cast<double>(counted), run.result->test->ece, 1e-9);
  const nlohmann::json environment = to_json(run.environment.value());
  for (const char* key : {"version", "commit", "machine", "blas", "device", "threads"})
    EXPECT_TRUE(environment.contains(key)) << key;
  int chosen = 0;
  for (const StageRun& place : StageRecords(from).stages("spec")) chosen += place.chosen ? 1 : 0;
  EXPECT_EQ(chosen, 3 * 4) << "four runs of each stage's best";
  EXPECT_EQ(StageRecords(from).datasets().at(0).classes, 3);
}

TEST_F(SweepCommand, RunsEqualThoseOfTrain) {
  write_spec(10);
  done(sweep);
  RunFilter filter;
  filter.where = {{"nu", "0.1"}, {"seed", "1"}, {"split", "1"}, {"arch", "kipf"}, {"lambda", "0"}};
  const auto found = store().runs(filter);
  ASSERT_EQ(found.size(), 1u);
  const auto train =
      done({"train", "csbm:n=90,classes=3,features=12,degree=6", "--epochs", "10", "--inducing", "12", "--nu",
            "0.1", "--splits", "2", "--seeds", "2", "--threads", "1", "--json", "-", "--quiet"})
          .json();
  const auto& same = train.at("runs").at(3);  // split 1, seed 1
  EXPECT_EQ(same.at("seed"), 1);
  EXPECT_EQ(same.at("split"), 1);
  EXPECT_EQ(same.at("test").at("nll").get<double>(), found[0].result->test->nll);
}

TEST_F(SweepCommand, DryRunPrintsThePlanAndChangesNothing) {
  write_spec(10);
  const Outcome plan = done({"sweep", "spec.toml", "--dry-run", "--jobs", "2"});
  EXPECT_NE(plan.out.find("architecture"), std::string::npos) << plan.out;
  EXPECT_NE(plan.out.find("36 runs, 36 to do, about "), std::string::npos) << plan.out;
  EXPECT_NE(plan.out.find("guessed speed"), std::string::npos) << plan.out;
  EXPECT_EQ(files(), Words{"spec.toml"});
  done(sweep);
  const Outcome after = done(with(sweep, {"--dry-run"}));
  EXPECT_NE(after.out.find("0 runs, 0 to do"), std::string::npos) << after.out;
  write_spec(20);
  const Outcome other = done(with(sweep, {"--dry-run"}));
  EXPECT_NE(other.out.find("same model on the same data"), std::string::npos) << other.out;
  EXPECT_EQ(store().runs().size(), 36u);
}

TEST_F(SweepCommand, CtrlCLeavesNothingRunningAndSaysHowToContinue) {
  write_spec(200000);  // a GCN takes all of them: minutes, on any machine
  RunOptions options;
  options.interrupt_after = 1.0;
  const Outcome stopped = gdkm(sweep, options);
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_EQ(stopped.out, "");
  EXPECT_NE(stopped.err.find("go on with:  " GDKM_BINARY " sweep spec.toml"), std::string::npos)
      << stopped.err;
  for (const StoredRun& run : store().runs()) EXPECT_NE(run.status, RunStatus::running);
}

TEST_F(SweepCommand, ReportsFailedRunsAndContinues) {
  write_small_spec("options = { epochs = 5, inducing = 8 }",
                   "variants = [{ split = 'per-class=1000' }, { scheme = 'inter' }]");
  const Outcome outcome = done(sweep);
  EXPECT_NE(outcome.err.find("per-class=1000"), std::string::npos) << outcome.err;
  RunFilter failed;
  failed.status = RunStatus::failed;
  EXPECT_EQ(store().runs(failed).size(), 1u);
  EXPECT_EQ(events().size(), 2u);
  done(with(sweep, {"--retry-failed"}));
  EXPECT_EQ(events()[1]["failed"], 2);
}

TEST_F(SweepCommand, FailsIfNoRunIsDone) {
  const std::string options = "options = { epochs = 5, inducing = 8 }";
  write_small_spec(options, "variants = [{ split = 'per-class=1000' }]");
  const Outcome other = gdkm(with(sweep, {"--quiet"}));
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.error_lines(), 1) << other.err;
  EXPECT_NE(other.err.find("no run of the sweep is done, 1 failed; run 1 on csbm:n=60,classes=2: "),
            std::string::npos)
      << other.err;
  EXPECT_EQ(table(other.out).size(), 1u) << "the table all the same";
  write_small_spec(options,
                   "variants = [{ split = 'per-class=1000' }, { lr = 1000, nu = 0, inference = 'paper' }]");
  for (int time = 0; time < 2; ++time) {  // the second time the store alone knows it
    const Outcome numerical = gdkm(with(sweep, {"--quiet"}));
    EXPECT_EQ(numerical.status, 3);
    EXPECT_NE(numerical.err.find("not finite"), std::string::npos) << numerical.err;
  }
  write_small_spec(options, "variants = [{ lr = 1000, nu = 0, inference = 'paper' }, {}]");
  done(sweep);
}

TEST_F(SweepCommand, StudiesShareCommonRuns) {
  write_small_spec("options = { epochs = 20, inducing = 8 }",
                   "grid = { nu = [1, 'inf'] }\n"
                   "[[study]]\nname = 'two'\nmodel = 'dkm'\n[[study.stage]]\ngrid = { nu = ['inf', 1] }");
  Words all = sweep;
  all[5] = "4";  // a worker is free when the second study looks for runs
  RunOptions soon;
  soon.timeout = 30;
  const auto lines = table(done(all, soon).out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("val_mean"), lines[1].at("val_mean"));
  ASSERT_EQ(events().size(), 2u);
  for (const auto& [run, kinds] : events())
    EXPECT_EQ(kinds, (std::map<std::string, int>{{"claimed", 1}, {"done", 1}})) << run;
}

TEST_F(SweepCommand, ACrashFailsOnlyTheRunOfThatWorker) {
  write_small_spec("options = { inducing = 8 }", "grid = { epochs = [1000000, 5] }");
  Words one = sweep;
  one[5] = "1";
  BackgroundProgram program(one, folder_.path(), "out");
  Owner owner;
  for (int attempt = 0; attempt < 2000 && owner.pid == 0; ++attempt) {
    sleep_for(0.01);
    if (!std::filesystem::exists(folder_ / "runs.db")) continue;
    for (const StoredRun& run : store().runs()) {
      if (run.status == RunStatus::running) owner = *run.owner;
    }
  }
  ASSERT_NE(owner.pid, 0);
  ::kill(static_cast<pid_t>(owner.pid), SIGABRT);
  EXPECT_EQ(program.wait(60), 0);
  const auto runs = store().runs();
  EXPECT_EQ(runs[0].status, RunStatus::failed);
  EXPECT_NE(runs[0].message.find("signal 6"), std::string::npos) << runs[0].message;
  EXPECT_EQ(runs[1].status, RunStatus::done);
}

TEST_F(SweepCommand, ABudgetOfSecondsEndsAStage) {
  write_small_spec("seeds = 50\noptions = { epochs = 20, inducing = 8 }", "max_seconds = 0.0001");
  Words one = sweep;
  one[5] = "1";
  EXPECT_EQ(table(done(one).out)[0].at("runs"), 1);
  EXPECT_EQ(table(done(one).out)[0].at("runs"), 1) << "spent is spent";
}

TEST_F(SweepCommand, RefusesMistakesBeforeAnythingRuns) {
  refused({"sweep", "none.toml"}, {"none.toml"});
  write("spec.toml", "datasets = ['no-such-data', 'csbm:n=60']\n[[study]]\nmodel = 'dkm'\n");
  refused({"sweep", "spec.toml", "--dry-run"}, {"no-such-data", "--skip-missing"});
  refused({"sweep", "spec.toml", "--dry-run", "--quick"}, {"--quick", "[quick]"});
  refused({"sweep", "spec.toml", "--dry-run", "--only", "cora"}, {"--only cora"});
  refused({"sweep", "spec.toml", "--device", "quantum"}, {"--device quantum"});
  write("notes.db", std::string(5000, 'x'));
  refused({"sweep", "spec.toml", "--store", "notes.db"}, {"notes.db", "not a store"});
  const Outcome skipped = done({"sweep", "spec.toml", "--dry-run", "--skip-missing"});
  EXPECT_NE(skipped.err.find("no-such-data"), std::string::npos);
}

}  // namespace
}  // namespace gdkm::testing
