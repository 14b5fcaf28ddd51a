#include "gdkm/store/store.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <optional>

#include "gdkm/store/run_queue.hpp"
#include "gdkm/store/stage_records.hpp"
#include "gdkm/support/error.hpp"
#include "tests/store/store_engine.hpp"

namespace gdkm {
namespace {

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
class StoreOfRuns : public testing::OnEachEngine {
 protected:
  void SetUp() override {
    OnEachEngine::SetUp();
    if (IsSkipped()) return;
    opened_.emplace(engine_.place());
  }

  struct Opened {
    explicit Opened(const std::string& place)
        : here(Store::open_or_create(place)), there(Store::open(place)), mine(here), theirs(there) {}
    Store here, there;
    RunQueue mine, theirs;
  };
  std::optional<Opened> opened_;
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

TEST_P(StoreOfRuns, KeepsOneRowPerConfiguration) {
  const auto run = opened_->mine.add(configuration(0.1));
  EXPECT_EQ(opened_->theirs.add(configuration(0.1)), run);
  EXPECT_NE(opened_->theirs.add(configuration(0.1, 1)), run);
  EXPECT_NE(opened_->theirs.add(configuration(0.2)), run);
  EXPECT_EQ(opened_->here.runs().size(), 3u);
}

TEST_P(StoreOfRuns, ReturnsTheResultsOfAFinishedRun) {
  const auto run = opened_->mine.add(configuration(0.1, 3, 1));
  ASSERT_TRUE(opened_->mine.claim(run));
  ASSERT_TRUE(opened_->mine.finish(run, outcome()));
  const StoredRun found = opened_->there.find(std::to_string(run));
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
  const auto curve = opened_->there.curve(run);
  ASSERT_EQ(curve.size(), 2u);
  EXPECT_EQ(curve[0].loss, 2.0);
  EXPECT_FALSE(curve[0].val);
  EXPECT_TRUE(std::isnan(curve[1].loss));
  EXPECT_EQ(curve[1].val, 81.5);
  EXPECT_EQ(opened_->there.find(found.hash.substr(0, 12)).id, run);
}

TEST_P(StoreOfRuns, HasOneOwnerPerRun) {
  const auto run = opened_->mine.add(configuration(0.1));
  EXPECT_TRUE(opened_->mine.claim(run));
  EXPECT_FALSE(opened_->theirs.claim(run));
  EXPECT_FALSE(opened_->mine.claim(run));
  EXPECT_TRUE(opened_->mine.release(run));
  EXPECT_TRUE(opened_->theirs.claim(run));
  EXPECT_TRUE(opened_->theirs.fail(run, "lost a number"));
  EXPECT_FALSE(opened_->mine.claim(run));
  EXPECT_EQ(opened_->here.run(run)->message, "lost a number");
  EXPECT_TRUE(opened_->mine.retry(run));
  EXPECT_TRUE(opened_->mine.claim(run));
}

TEST_P(StoreOfRuns, GivesTheRunsOfADeadProcessToOthers) {
  const auto run = opened_->mine.add(configuration(0.1));
  RunQueue dead(opened_->here, ended_process());
  ASSERT_TRUE(dead.claim(run));
  EXPECT_TRUE(opened_->theirs.claim(run));
  EXPECT_FALSE(dead.finish(run, outcome())) << "it was not its run any more";
  EXPECT_FALSE(dead.fail(run, "too late"));
  EXPECT_FALSE(dead.release(run));
  EXPECT_TRUE(opened_->theirs.finish(run, outcome()));
  const auto events = opened_->here.events(run);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].kind, "taken over");
  EXPECT_EQ(events[2].kind, "done");
}

TEST_P(StoreOfRuns, TellsProcessesApartByTheirStartTime) {
  Owner other = this_process();
  EXPECT_TRUE(is_running(other));
  other.start += 1;  // the same number, given out again
  EXPECT_FALSE(is_running(other));
}

TEST_P(StoreOfRuns, TreatsAZombieAsDead) {
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

TEST_P(StoreOfRuns, WaitsForTheLeaseOfAnotherMachine) {
  const auto run = opened_->mine.add(configuration(0.1));
  const Owner far{"elsewhere 1 2", 17, 4};
  RunQueue away(opened_->here, far);
  ASSERT_TRUE(away.claim(run));
  EXPECT_FALSE(opened_->mine.claim(run));
  opened_->here.database().execute("UPDATE runs SET heartbeat = heartbeat - ?1", lease_seconds + 1);
  EXPECT_EQ(is_gone(far, opened_->here.run(run)->heartbeat, wall_clock()), true);
  away.heartbeat(far);
  EXPECT_FALSE(opened_->mine.claim(run)) << "it gave a sign of life";
  opened_->here.database().execute("UPDATE runs SET heartbeat = heartbeat - ?1", lease_seconds + 1);
  EXPECT_TRUE(opened_->mine.claim(run));
}

TEST_P(StoreOfRuns, FailsARunWhoseProcessCrashes) {
  const auto run = opened_->mine.add(configuration(0.1));
  const Owner owner = ended_process();
  RunQueue dead(opened_->here, owner);
  ASSERT_TRUE(dead.claim(run));
  EXPECT_TRUE(opened_->mine.owner_died(run, owner, true, "signal 11"));
  EXPECT_EQ(opened_->here.run(run)->status, RunStatus::failed);
  EXPECT_FALSE(opened_->mine.owner_died(run, owner, true, "signal 11")) << "only once";
}

TEST_P(StoreOfRuns, TriesARunThreeTimesIfItsProcessIsKilled) {
  const auto run = opened_->mine.add(configuration(0.1));
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(opened_->here.run(run)->status, RunStatus::pending);
    const Owner owner = ended_process();
    RunQueue dead(opened_->here, owner);
    ASSERT_TRUE(dead.claim(run));
    EXPECT_TRUE(opened_->mine.owner_died(run, owner, false, "signal 9"));
  }
  EXPECT_EQ(opened_->here.run(run)->status, RunStatus::failed);
}

TEST_P(StoreOfRuns, FiltersByOptions) {
  opened_->mine.add(configuration(0.1, 0));
  opened_->mine.add(configuration(0.1, 1));
  opened_->mine.add(configuration(10, 0));
  RunFilter filter;
  filter.where = {parse_where("nu=1e1")};
  EXPECT_EQ(opened_->here.runs(filter).size(), 1u);
  filter.where = {parse_where("nu=0.10"), parse_where("seed=1")};
  EXPECT_EQ(opened_->here.runs(filter).size(), 1u);
  filter.where = {};
  filter.dataset = "CORA";
  EXPECT_EQ(opened_->here.runs(filter).size(), 3u);
  filter.model = "gcn";
  EXPECT_EQ(opened_->here.runs(filter).size(), 0u);
  EXPECT_THROW(parse_where("nu"), InputError);
}

TEST_P(StoreOfRuns, RemovesRunsButNotRunningOnes) {
  const auto run = opened_->mine.add(configuration(0.1));
  ASSERT_TRUE(opened_->mine.claim(run));
  EXPECT_THROW(opened_->there.remove(run), InputError);
  ASSERT_TRUE(opened_->mine.finish(run, outcome()));
  EXPECT_TRUE(opened_->there.remove(run));
  EXPECT_FALSE(opened_->there.remove(run));
  EXPECT_TRUE(opened_->here.curve(run).empty());
}

TEST_P(StoreOfRuns, RecordsStagesAndTheirChoice) {
  const auto a = opened_->mine.add(configuration(0.1)), b = opened_->mine.add(configuration(1));
  StageRecords records(opened_->here);
  const auto place = [](std::int64_t run, int candidate) {
    return StageRun{"sweep", "dkm", "cora", 0, "nu", candidate, {{"nu", candidate}}, false, run};
  };
  records.record({place(a, 0), place(b, 1)});
  records.record({place(a, 0), place(b, 1)});  // as a resumed sweep does
  records.choose("sweep", "dkm", 0, "cora", 1);
  const auto stages = StageRecords(opened_->there).stages("sweep");
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

TEST_P(StoreOfRuns, StagesCanBeOfOneStudyOfASweep) {
  const auto a = opened_->mine.add(configuration(0.1)), b = opened_->mine.add(configuration(1));
  StageRecords records(opened_->here);
  records.record({StageRun{"sweep", "exact rows", "cora", 0, "nu", 0, {{"nu", 0.1}}, false, a}});
  records.record({StageRun{"sweep", "dkm", "cora", 0, "nu", 0, {{"nu", 1}}, false, b}});
  const std::vector<std::string> of_sweep{"sweep"}, of_study{"sweep/exact rows"},
      of_both{"sweep/dkm", "sweep", "sweep/dkm"};
  EXPECT_EQ(records.stages(of_sweep).size(), 2u);
  ASSERT_EQ(records.stages(of_study).size(), 1u);
  EXPECT_EQ(records.stages(of_study)[0].run, a);
  EXPECT_EQ(records.stages(of_both).size(), 2u) << "no run counts twice";
  try {
    records.stages(std::vector<std::string>{"sweep/nngp"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "sweep 'sweep' has no study 'nngp'; its studies are dkm, exact rows");
  }
}

TEST_P(StoreOfRuns, CopyInMemoryDoesNotChangeTheFile) {
  const auto run = opened_->mine.add(configuration(0.1));
  Store copy = Store::in_memory(engine_.place());
  EXPECT_EQ(copy.runs().size(), 1u);
  EXPECT_TRUE(copy.remove(run));
  EXPECT_EQ(opened_->here.runs().size(), 1u);
  EXPECT_TRUE(Store::in_memory(engine_.place("none")).runs().empty());
  EXPECT_THROW(Store::open(engine_.place("none")), NoSuchStore) << "looking at it does not create it";
}

const std::vector<DataKey> cora{{"cora", "0123"}};

TEST_P(StoreOfRuns, GivesEachPendingRunToOneWorkerInTurn) {
  std::vector<std::int64_t> added;
  for (int seed = 0; seed < 4; ++seed) added.push_back(opened_->mine.add(configuration(0.1, seed)));
  EXPECT_EQ(opened_->mine.claim_any(cora, ""), added[0]);
  EXPECT_EQ(opened_->theirs.claim_any(cora, ""), added[1]);
  EXPECT_EQ(opened_->mine.claim_any(cora, ""), added[2]);
  EXPECT_TRUE(opened_->mine.release(added[0]));
  EXPECT_EQ(opened_->theirs.claim_any(cora, ""), added[0]);
  EXPECT_EQ(opened_->theirs.claim_any(cora, ""), added[3]);
  EXPECT_EQ(opened_->mine.claim_any(cora, ""), std::nullopt);
  EXPECT_EQ(opened_->mine.unfinished(), 4);
  EXPECT_EQ(opened_->theirs.runs_of(this_process()).size(), 4u);
}

TEST_P(StoreOfRuns, GivesAWorkerOnlyWhatItCanDo) {
  const auto plain = opened_->mine.add(configuration(0.1)),
             fast = opened_->mine.add(configuration(0.2), "cuda");
  EXPECT_EQ(opened_->mine.claim_any({}, ""), std::nullopt);
  EXPECT_EQ(opened_->mine.claim_any({{"cora", "other contents"}, {"pubmed", "0123"}}, ""), std::nullopt);
  EXPECT_EQ(opened_->mine.waiting_data(""), cora);
  EXPECT_EQ(opened_->mine.claim_any(cora, ""), plain);
  EXPECT_EQ(opened_->mine.claim_any(cora, ""), std::nullopt) << "the other needs a GPU";
  EXPECT_TRUE(opened_->mine.waiting_data("").empty());
  EXPECT_EQ(opened_->mine.waiting_data("cuda"), cora);
  EXPECT_EQ(opened_->mine.claim_any({{"pubmed", "1"}, {"cora", "0123"}}, "cuda"), fast);
  EXPECT_TRUE(opened_->mine.release(fast));
  opened_->mine.add(configuration(0.2));
  EXPECT_EQ(opened_->mine.claim_any(cora, ""), fast) << "a later sweep does not need a GPU for it";
}

TEST_P(StoreOfRuns, TakesRunsBackFromProcessesThatAreGone) {
  const auto a = opened_->mine.add(configuration(0.1)), b = opened_->mine.add(configuration(0.2)),
             c = opened_->mine.add(configuration(0.3));
  const Owner far{"elsewhere 1 2", 17, 4};
  RunQueue dead(opened_->here, ended_process()), away(opened_->here, far);
  ASSERT_TRUE(dead.claim(a));
  ASSERT_TRUE(away.claim(b));
  ASSERT_TRUE(opened_->mine.claim(c));
  EXPECT_EQ(opened_->theirs.take_back(), std::vector<std::int64_t>{a});
  opened_->here.database().execute("UPDATE runs SET heartbeat = heartbeat - ?1", lease_seconds + 1);
  EXPECT_EQ(opened_->theirs.take_back(), std::vector<std::int64_t>{b})
      << "its lease has run out; mine is alive";
  EXPECT_FALSE(away.finish(b, outcome()));
  EXPECT_EQ(opened_->here.run(a)->status, RunStatus::pending);
  EXPECT_EQ(opened_->here.events(b).back().kind, "lost");
}

TEST_P(StoreOfRuns, SortsTextsByTheirBytes) {
  StageRecords records(opened_->here);
  for (const char* name : {"b", "B", "a", "Z", "_", "é"})
    records.record(DatasetFacts{name, "1", "node", 1, 1, 1, 1, 1, 0, 0.5, {}});
  std::vector<std::string> names;
  for (const auto& facts : records.datasets()) names.push_back(facts.name);
  EXPECT_EQ(names, (std::vector<std::string>{"B", "Z", "_", "a", "b", "é"}));
}

TEST_P(StoreOfRuns, KeepsNumbersToTheLastBit) {
  const auto run = opened_->mine.add(configuration(0.1, 18446744073709551615u));
  ASSERT_TRUE(opened_->mine.claim(run));
  RunOutcome result = outcome();
  result.curve = {{1, 1.0 / 3, 1e-300}, {2, -INFINITY, 5e-324}};
  ASSERT_TRUE(opened_->mine.finish(run, result));
  const auto curve = opened_->there.curve(run);
  EXPECT_EQ(curve[0].loss, 1.0 / 3);
  EXPECT_EQ(*curve[0].val, 1e-300);
  EXPECT_EQ(curve[1].loss, -INFINITY);
  EXPECT_EQ(*curve[1].val, 5e-324);
  EXPECT_EQ(opened_->there.run(run)->configuration.seed, 18446744073709551615u);
}

TEST_P(StoreOfRuns, RollsBackWhatThrows) {
  Database& database = opened_->here.database();
  EXPECT_THROW(transact(database, Database::Locking::exclusive,
                        [&](bool) {
                          opened_->mine.add(configuration(0.1));
                          throw InputError("no");
                        }),
               InputError);
  EXPECT_TRUE(opened_->there.runs().empty());
  transact(database, Database::Locking::rows, [&](bool) { opened_->mine.add(configuration(0.1)); });
  EXPECT_EQ(opened_->there.runs().size(), 1u);
}

GDKM_ON_BOTH_ENGINES(StoreOfRuns);

}  // namespace
}  // namespace gdkm
