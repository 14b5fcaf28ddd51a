#include <gtest/gtest.h>
#include <signal.h>

#include <random>
#include <set>

#include "tests/experiments/sweep/sweep_program.hpp"

namespace gdkm::testing {
namespace {

using ResumedSweepSlow = SweepProgram;
using Words = std::vector<std::string>;

const Words resumed_sweep{"sweep", "spec.toml", "--store", "runs.db", "--jobs",
                          "2",     "--threads", "1",       "--json",  "-"};
constexpr int epochs = 1000;

TEST_F(ResumedSweepSlow, KilledTwentyTimesComesToTheSameTable) {
  write_spec(epochs);
  Words undisturbed = resumed_sweep;
  undisturbed[3] = "undisturbed.db";
  RunOptions patient;
  patient.timeout = 400;
  const double start = wall_clock();
  const auto expected = table(done(undisturbed, patient).out);
  const double whole = wall_clock() - start;

  // Soon enough that twenty attempts together do not get to the end, however fast the machine.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> moment(0.02, std::min(0.25, 0.02 + whole / 20));
  int killed = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    BackgroundProgram program(resumed_sweep, folder_.path(), "out");
    sleep_for(moment(random));
    if (!program.is_running()) break;
    // Now with its workers, now without: those then notice that they are alone.
    if (random() % 2 == 0) {
      program.signal_group(SIGKILL);
    } else {
      program.signal(SIGKILL);
    }
    EXPECT_EQ(program.wait(10), 128 + SIGKILL);
    ++killed;
  }
  EXPECT_EQ(killed, 20) << "the sweep was over too early to be killed";
  EXPECT_EQ(table(done(resumed_sweep, patient).out), expected);
  for (const StoredRun& run : store().runs()) EXPECT_EQ(run.status, RunStatus::done) << run.id;
  for (const auto& [run, kinds] : events()) EXPECT_EQ(kinds.at("done"), 1) << run;
  EXPECT_EQ(store().runs().size(), store("undisturbed.db").runs().size());
}

TEST_F(ResumedSweepSlow, TwoProcessesShareTheWork) {
  write_spec(300);
  Words alone = resumed_sweep;
  alone[5] = "1";
  BackgroundProgram first(alone, folder_.path(), "first"), second(alone, folder_.path(), "second");
  EXPECT_EQ(first.wait(300), 0);
  EXPECT_EQ(second.wait(300), 0);
  EXPECT_EQ(table(read("first")), table(read("second")));
  std::set<std::string> owners;
  const Store from = store();
  for (const StoredRun& run : from.runs()) {
    EXPECT_EQ(run.status, RunStatus::done);
    const auto events = from.events(run.id);
    ASSERT_EQ(events.size(), 2u) << run.id;
    EXPECT_EQ(events[0].kind, "claimed");
    EXPECT_EQ(events[1].kind, "done");
    EXPECT_EQ(events[0].owner, events[1].owner);
    owners.insert(events[0].owner);
  }
  EXPECT_EQ(owners.size(), 2u) << "each has done some";
}

}  // namespace
}  // namespace gdkm::testing
