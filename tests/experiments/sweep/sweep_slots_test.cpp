#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <set>

#include "gdkm/data/load.hpp"
#include "gdkm/experiments/sweep/run_overlap.hpp"
#include "gdkm/experiments/sweep/shared_datasets.hpp"
#include "gdkm/experiments/sweep/sweep.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/store/run_options.hpp"
#include "gdkm/store/run_queue.hpp"
#include "tests/experiments/sweep/sweep_program.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {
namespace {

using Words = std::vector<std::string>;

/// Sweeps as on a GPU: one process, runs in its threads.
class SweepSlots : public SweepProgram {
 protected:
  static Words sweep(const std::string& store, int slots) {
    const std::string count = std::to_string(slots);
    return {"sweep",   "spec.toml", "--store",   store, "--jobs", count,
            "--slots", count,       "--threads", "1",   "--json", "-"};
  }

  /// Runs that never end by themselves, and one that soon does.
  void write_endless_spec() const {
    write_small_spec("options = { inducing = 8, inference = \"paper\" }",
                     "grid = { epochs = [1000000, 1000001, 5] }");
  }

  std::vector<StoredRun> running() const {
    if (!std::filesystem::exists(folder_ / "runs.db")) return {};
    RunFilter filter;
    filter.status = RunStatus::running;
    return store().runs(filter);
  }

  /// Waits until exactly these runs are under way, and then sends their process a signal, if one is given.
  void wait_for(const std::set<std::int64_t>& wanted, int signal = 0) const {
    std::set<std::int64_t> found;
    for (int attempt = 0; attempt < 3000; ++attempt, sleep_for(0.01)) {
      found.clear();
      const auto runs = running();
      for (const StoredRun& run : runs) found.insert(run.id);
      if (found != wanted) continue;
      if (signal != 0) ::kill(static_cast<pid_t>(runs.front().owner->pid), signal);
      return;
    }
    ADD_FAILURE() << ::testing::PrintToString(found) << " are under way";
  }
};

TEST_F(SweepSlots, ExecuteEveryRunOnceWithTheResultsOfASingleSlot) {
  write_spec(100);
  const auto expected = table(done(sweep("alone.db", 1)).out);
  EXPECT_EQ(table(done(sweep("runs.db", 4)).out), expected);
  std::set<std::string> owners;
  const Store from = store(), alone = store("alone.db");
  const auto runs = from.runs(), others = alone.runs();
  ASSERT_EQ(runs.size(), others.size());
  int together = 0;
  for (const StoredRun& run : runs) {
    const auto events = from.events(run.id);
    ASSERT_EQ(events.size(), 2u) << run.id;
    EXPECT_EQ(events[1].kind, "done");
    owners.insert(events[0].owner);
    const auto same = std::find_if(others.begin(), others.end(),
                                   [&](const StoredRun& other) { return other.hash == run.hash; });
    ASSERT_NE(same, others.end());
    EXPECT_EQ(same->result->test->nll, run.result->test->nll) << run.id;
    EXPECT_EQ(from.curve(run.id).back().loss, alone.curve(same->id).back().loss) << run.id;
    together =
        std::max(together, static_cast<int>(std::count_if(runs.begin(), runs.end(), [&](const auto& r) {
                   return r.started <= run.started && run.started < r.ended;
                 })));
  }
  EXPECT_EQ(owners.size(), 1u) << "a single process";
  EXPECT_GT(together, 2);
  EXPECT_LE(together, 4);
}

TEST_F(SweepSlots, RunsOfAKilledProcessAreExecutedAgain) {
  write("spec.toml", R"(
datasets = ["csbm:n=90,classes=3,features=12,degree=6"]
seeds = 2
options = { epochs = 1000, inducing = 12 }
[[study]]
model = "dkm"
[[study.stage]]
grid = { nu = [0.1, 1, "inf"] }
[[study.stage]]
grid = { lambda = [0, 0.3] }
)");
  const auto expected = table(done(sweep("alone.db", 1)).out);
  BackgroundProgram program(sweep("runs.db", 4), folder_.path(), "out");
  wait_for({1, 2, 3, 4}, SIGKILL);
  ASSERT_EQ(program.wait(120), 0);
  EXPECT_EQ(table(read("out")), expected);
  int lost = 0;
  for (auto& [run, kinds] : events()) {
    EXPECT_EQ(kinds["done"], 1) << run;
    lost += kinds["lost"];
  }
  EXPECT_EQ(lost, 4);
}

TEST_F(SweepSlots, AfterACrashEachRunIsTriedAlone) {
  write_endless_spec();
  BackgroundProgram program(sweep("runs.db", 3), folder_.path(), "out");
  wait_for({1, 2}, SIGABRT);
  wait_for({1}, SIGABRT);  // this time it was alone, and is to blame
  wait_for({2});
  EXPECT_EQ(store().run(1)->status, RunStatus::failed);
  wait_for({2}, SIGABRT);
  EXPECT_EQ(program.wait(60), 0);
  const Store from = store();
  for (const std::int64_t run : {1, 2}) {
    EXPECT_EQ(from.run(run)->status, RunStatus::failed);
    EXPECT_NE(from.run(run)->message.find("signal 6"), std::string::npos) << from.run(run)->message;
    EXPECT_EQ(events()[run], (std::map<std::string, int>{{"claimed", 2}, {"lost", 1}, {"failed", 1}}));
  }
  EXPECT_EQ(from.run(3)->status, RunStatus::done);
}

TEST_F(SweepSlots, SignalsReleaseAllRuns) {
  write_endless_spec();
  for (int times = 1; const int signal : {SIGINT, SIGTERM}) {
    BackgroundProgram program(sweep("runs.db", 3), folder_.path(), "out");
    wait_for({1, 2});
    program.signal(signal);
    EXPECT_EQ(program.wait(20), 128 + signal);
    EXPECT_TRUE(running().empty());
    for (const std::int64_t run : {1, 2}) EXPECT_EQ(events()[run]["released"], times) << run;
    ++times;
  }
}

TEST_F(SweepSlots, RunsAreReleasedWhenTheSweepIsKilled) {
  write_endless_spec();
  BackgroundProgram program(sweep("runs.db", 3), folder_.path(), "out");
  wait_for({1, 2});
  program.signal(SIGKILL);
  EXPECT_EQ(program.wait(10), 128 + SIGKILL);
  wait_for({});
  for (const std::int64_t run : {1, 2}) EXPECT_EQ(events()[run]["released"], 1) << run;
}

TEST_F(SweepSlots, StopTogetherWhenOneFails) {
  Store::open_or_create(folder_ / "runs.db");
  // The input stays open: the other slots wait for more of it.
  RunOptions soon;
  soon.timeout = 10;
  const Outcome outcome = run_program(
      {"/bin/bash", "-c", GDKM_BINARY " sweep runs.db --worker --slots 4 < <(echo nonsense; sleep 20)"},
      folder_.path(), soon);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("got 'nonsense'"), std::string::npos) << outcome.err;
}

TEST_F(SweepSlots, RunsThatRunOutOfMemoryTogetherAreBothTriedAgain) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more addresses than the test allows";
#endif
  const std::string name = "csbm:n=20000,classes=2,features=4";
  Store planned = Store::open_or_create(folder_ / "runs.db");
  const std::string print = fingerprint(load(name, std::nullopt, 1));
  for (const std::uint64_t seed : {0, 1})
    RunQueue(planned).add({name, print, "dkm", complete_options("dkm", {{"exact", true}}), seed, 0});
  // Exact runs take turns: when the second finds no memory, the first has gone.
  const Outcome outcome = run_program({"/bin/bash", "-c", R"(
coproc W { ulimit -v 3000000; exec )" GDKM_BINARY R"( sweep runs.db --worker --slots 2 --threads 1; }
printf '1\n2\n' >&${W[1]}
for k in 1 2; do
  while read -r -t 60 line <&${W[0]} && [[ $line == epoch* || $line == retire ]]; do :; done
  echo "$line"
done)"},
                                      folder_.path());
  EXPECT_NE(outcome.out.find("retry_alone 1"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("retry_alone 2"), std::string::npos) << outcome.out << outcome.err;
  for (const StoredRun& run : planned.runs()) EXPECT_EQ(run.status, RunStatus::pending) << run.message;
}

TEST_F(SweepSlots, AWorkerMayDieAfterItStoredAResult) {
  write_small_spec("options = { epochs = 5, inducing = 8 }", "grid = { nu = [1, 'inf'] }");
  const SweepSpec spec = read_sweep_spec(folder_ / "spec.toml", false);
  SweepOptions options;
  options.store = folder_ / "runs.db";
  options.program = "/bin/bash";
  // The answer is kept back, and the process ends in trouble.
  options.worker_command = {"bash", "-c",
                            "read -r number; coproc W { exec " GDKM_BINARY " sweep '" +
                                options.store.shown() +
                                "' --worker --threads 1; }; echo $number >&${W[1]}; "
                                "while read -r line <&${W[0]} && [[ $line == epoch* ]]; do :; done; "
                                "kill -SEGV $$"};
  const SweepObserver observer;
  Sweep sweep(spec, options, observer);
  EXPECT_TRUE(sweep.run());
  for (const StoredRun& run : store().runs()) EXPECT_EQ(run.status, RunStatus::done) << run.message;
}

TEST(RunOverlap, BlamesAnyRunThatOverlapped) {
  RunOverlap runs;
  {
    auto first = std::make_unique<RunOverlap::Scope>(runs);
    auto second = std::make_unique<RunOverlap::Scope>(runs);
    second.reset();
    EXPECT_TRUE(first->report_trouble()) << "the other started later and has ended";
  }
  RunOverlap::Scope late(runs);
  EXPECT_TRUE(late.report_trouble()) << "another run had reported trouble";
  RunOverlap sequential;
  { RunOverlap::Scope earlier(sequential); }
  RunOverlap::Scope alone(sequential);
  EXPECT_FALSE(alone.report_trouble());
}

TEST(SharedDatasets, AreReadOnceWhileTheyAreInUse) {
  SharedDatasets datasets(std::nullopt, 1);
  const std::string one = "csbm:n=30,classes=2", two = "csbm:n=40,classes=2";
  auto first = datasets.get(one);
  EXPECT_EQ(first->dataset.graph.nodes, 30);
  EXPECT_EQ(datasets.get(two)->dataset.graph.nodes, 40);
  EXPECT_EQ(datasets.get(one), first) << "another one came in between";
  const std::weak_ptr<const LoadedDataset> watched = first;
  first.reset();
  EXPECT_EQ(datasets.get(one), watched.lock()) << "the last one is kept";
  datasets.get(two);
  EXPECT_TRUE(watched.expired()) << "and only that";
}

}  // namespace
}  // namespace gdkm::testing
