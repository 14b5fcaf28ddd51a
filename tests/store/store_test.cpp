#include "gdkm/store/store.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>

#include "gdkm/store/run_queue.hpp"
#include "gdkm/store/stage_records.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::TemporaryFolder;

Configuration configuration(double nu, std::uint64_t seed = 0, int split = 0) {
  return {"cora", "0123", "dkm", {{"nu", nu}, {"scheme", "inter"}}, seed, split};
}

RunOutcome outcome() {
  RunOutcome out;
  out.result.seed = 3;
  out.result.split = 1;
  out.result.epochs = 2;
  out.result.seconds = 1.5;
  out.result.val = Metrics{81.5, 0.6, 0.1, 0.9, std::nullopt, std::nullopt};
  out.result.test = Metrics{80.5, 0.7, 0.2, std::nullopt, std::nullopt, std::nullopt};
  out.curve = {{1, 2.0, std::nullopt}, {2, std::nan(""), 81.5}};
  out.reliability.emplace();
  out.reliability->test.bins[14] = {7, 0.95, 0.9};
  out.environment.version = "1";
  out.environment.threads = 2;
  return out;
}

/// Two programs with the same store open.
class StoreOfRuns : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  Store here_ = Store::open_or_create(folder_ / "runs.db"), there_ = Store::open(folder_ / "runs.db");
  RunQueue mine_{here_}, theirs_{there_};
};

/// A process that has ended, and whose number nobody has.
Owner ended_process() {
  const pid_t child = ::fork();
  if (child == 0) ::pause();
  Owner owner = local_process(child);
  EXPECT_TRUE(is_running(owner));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return owner;
}

TEST_F(StoreOfRuns, KeepsOneRowPerConfiguration) {
  const auto run = mine_.add(configuration(0.1));
  EXPECT_EQ(theirs_.add(configuration(0.1)), run);
  EXPECT_NE(theirs_.add(configuration(0.1, 1)), run);
  EXPECT_NE(theirs_.add(configuration(0.2)), run);
  EXPECT_EQ(here_.runs().size(), 3u);
}

TEST_F(StoreOfRuns, ReturnsTheResultsOfAFinishedRun) {
  const auto run = mine_.add(configuration(0.1, 3, 1));
  ASSERT_TRUE(mine_.claim(run));
  ASSERT_TRUE(mine_.finish(run, outcome()));
  const StoredRun found = there_.find(std::to_string(run));
  EXPECT_EQ(found.status, RunStatus::done);
  EXPECT_EQ(found.configuration.canonical(), configuration(0.1, 3, 1).canonical());
  EXPECT_EQ(found.val(), 81.5);
  EXPECT_EQ(found.test(), 80.5);
  EXPECT_EQ(found.result->seconds, 1.5);
  EXPECT_EQ(found.result->val->auc, 0.9);
  EXPECT_EQ(found.environment->version, "1");
  EXPECT_EQ(found.environment->threads, 2);
  EXPECT_EQ(found.reliability->test.bins[14].count, 7);
  EXPECT_FALSE(found.owner);
  const auto curve = there_.curve(run);
  ASSERT_EQ(curve.size(), 2u);
  EXPECT_EQ(curve[0].loss, 2.0);
  EXPECT_FALSE(curve[0].val);
  EXPECT_TRUE(std::isnan(curve[1].loss));
  EXPECT_EQ(curve[1].val, 81.5);
  EXPECT_EQ(there_.find(found.hash.substr(0, 12)).id, run);
}

TEST_F(StoreOfRuns, HasOneOwnerPerRun) {
  const auto run = mine_.add(configuration(0.1));
  EXPECT_TRUE(mine_.claim(run));
  EXPECT_FALSE(theirs_.claim(run));
  EXPECT_FALSE(mine_.claim(run));
  EXPECT_TRUE(mine_.release(run));
  EXPECT_TRUE(theirs_.claim(run));
  EXPECT_TRUE(theirs_.fail(run, "lost a number"));
  EXPECT_FALSE(mine_.claim(run));
  EXPECT_EQ(here_.run(run)->message, "lost a number");
  EXPECT_TRUE(mine_.retry(run));
  EXPECT_TRUE(mine_.claim(run));
}

TEST_F(StoreOfRuns, GivesTheRunsOfADeadProcessToOthers) {
  const auto run = mine_.add(configuration(0.1));
  RunQueue dead(here_, ended_process());
  ASSERT_TRUE(dead.claim(run));
  EXPECT_TRUE(theirs_.claim(run));
  EXPECT_FALSE(dead.finish(run, outcome())) << "it was not its run any more";
  EXPECT_FALSE(dead.fail(run, "too late"));
  EXPECT_FALSE(dead.release(run));
  EXPECT_TRUE(theirs_.finish(run, outcome()));
  const auto events = here_.events(run);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].kind, "taken over");
  EXPECT_EQ(events[2].kind, "done");
}

TEST_F(StoreOfRuns, TellsProcessesApartByTheirStartTime) {
  Owner other = this_process();
  EXPECT_TRUE(is_running(other));
  other.start += 1;  // the same number, given out again
  EXPECT_FALSE(is_running(other));
}

TEST_F(StoreOfRuns, TreatsAZombieAsDead) {
  const pid_t child = ::fork();
  if (child == 0) ::pause();
  const Owner owner = local_process(child);
  ::kill(child, SIGKILL);
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);  // it has ended, and stays
  EXPECT_FALSE(is_running(owner));
  int status = 0;
  ::waitpid(child, &status, 0);
}

TEST_F(StoreOfRuns, WaitsForTheLeaseOfAnotherMachine) {
  const auto run = mine_.add(configuration(0.1));
  const Owner far{"elsewhere 1 2", 17, 4};
  RunQueue away(here_, far);
  ASSERT_TRUE(away.claim(run));
  EXPECT_FALSE(mine_.claim(run));
  here_.database().execute("UPDATE runs SET heartbeat = heartbeat - ?1", lease_seconds + 1);
  EXPECT_EQ(is_gone(far, here_.run(run)->heartbeat, wall_clock()), true);
  away.heartbeat(far);
  EXPECT_FALSE(mine_.claim(run)) << "it gave a sign of life";
  here_.database().execute("UPDATE runs SET heartbeat = heartbeat - ?1", lease_seconds + 1);
  EXPECT_TRUE(mine_.claim(run));
}

TEST_F(StoreOfRuns, FailsARunWhoseProcessCrashes) {
  const auto run = mine_.add(configuration(0.1));
  const Owner owner = ended_process();
  RunQueue dead(here_, owner);
  ASSERT_TRUE(dead.claim(run));
  EXPECT_TRUE(mine_.owner_died(run, owner, true, "signal 11"));
  EXPECT_EQ(here_.run(run)->status, RunStatus::failed);
  EXPECT_FALSE(mine_.owner_died(run, owner, true, "signal 11")) << "only once";
}

TEST_F(StoreOfRuns, TriesARunThreeTimesIfItsProcessIsKilled) {
  const auto run = mine_.add(configuration(0.1));
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(here_.run(run)->status, RunStatus::pending);
    const Owner owner = ended_process();
    RunQueue dead(here_, owner);
    ASSERT_TRUE(dead.claim(run));
    EXPECT_TRUE(mine_.owner_died(run, owner, false, "signal 9"));
  }
  EXPECT_EQ(here_.run(run)->status, RunStatus::failed);
}

TEST_F(StoreOfRuns, FiltersByOptions) {
  mine_.add(configuration(0.1, 0));
  mine_.add(configuration(0.1, 1));
  mine_.add(configuration(10, 0));
  RunFilter filter;
  filter.where = {parse_where("nu=1e1")};
  EXPECT_EQ(here_.runs(filter).size(), 1u);
  filter.where = {parse_where("nu=0.10"), parse_where("seed=1")};
  EXPECT_EQ(here_.runs(filter).size(), 1u);
  filter.where = {};
  filter.dataset = "CORA";
  EXPECT_EQ(here_.runs(filter).size(), 3u);
  filter.model = "gcn";
  EXPECT_EQ(here_.runs(filter).size(), 0u);
  EXPECT_THROW(parse_where("nu"), InputError);
}

TEST_F(StoreOfRuns, RemovesRunsButNotRunningOnes) {
  const auto run = mine_.add(configuration(0.1));
  ASSERT_TRUE(mine_.claim(run));
  EXPECT_THROW(there_.remove(run), InputError);
  ASSERT_TRUE(mine_.finish(run, outcome()));
  EXPECT_TRUE(there_.remove(run));
  EXPECT_FALSE(there_.remove(run));
  EXPECT_TRUE(here_.curve(run).empty());
}

TEST_F(StoreOfRuns, RecordsStagesAndTheirChoice) {
  const auto a = mine_.add(configuration(0.1)), b = mine_.add(configuration(1));
  StageRecords records(here_);
  const auto place = [](std::int64_t run, int candidate) {
    return StageRun{"sweep", "dkm", "cora", 0, "nu", candidate, {{"nu", candidate}}, false, run};
  };
  records.record({place(a, 0), place(b, 1)});
  records.record({place(a, 0), place(b, 1)});  // as a resumed sweep does
  records.choose("sweep", "dkm", 0, "cora", 1);
  const auto stages = StageRecords(there_).stages("sweep");
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_FALSE(stages[0].chosen);
  EXPECT_TRUE(stages[1].chosen);
  EXPECT_EQ(stages[1].run, b);
  EXPECT_EQ(records.sweeps(), std::vector<std::string>{"sweep"});
  DatasetFacts facts{"cora", "0123", "node", 10, 20, 5, 7, 2, 0, std::nan(""), {{"public", 1}}};
  records.record(facts);
  EXPECT_TRUE(std::isnan(records.datasets().at(0).homophily));
  EXPECT_EQ(records.datasets().at(0).splits.at("public"), 1);
}

TEST_F(StoreOfRuns, CopyInMemoryDoesNotChangeTheFile) {
  const auto run = mine_.add(configuration(0.1));
  Store copy = Store::in_memory(folder_ / "runs.db");
  EXPECT_EQ(copy.runs().size(), 1u);
  EXPECT_TRUE(copy.remove(run));
  EXPECT_EQ(here_.runs().size(), 1u);
  EXPECT_TRUE(Store::in_memory(folder_ / "none.db").runs().empty());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.db"));
}

}  // namespace
}  // namespace gdkm
