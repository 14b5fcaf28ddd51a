#include "gdkm/experiments/sweep/worker_pool.hpp"

#include <gtest/gtest.h>

namespace gdkm::testing {
namespace {

using Kind = WorkerPool::Report::Kind;

/// One process of two slots, which is a script.
WorkerPool pool_of(const std::string& script) {
  return {"/bin/bash", {"bash", "-c", script}, 1, 2};
}

/// The next report; a test failure where none comes in ten seconds.
WorkerPool::Report next(WorkerPool& pool) {
  for (const double start = wall_clock(); wall_clock() < start + 10;) {
    const auto reports = pool.wait(0.1);
    if (!reports.empty()) return reports.front();
  }
  ADD_FAILURE() << "nothing was reported";
  return {};
}

TEST(WorkerPool, ReportsAllRunsOfAProcessThatDied) {
  WorkerPool pool = pool_of("read a; read b; kill -SEGV $$");
  EXPECT_FALSE(pool.is_busy());
  pool.start(7);
  EXPECT_TRUE(pool.has_idle());
  pool.start(8);
  EXPECT_FALSE(pool.has_idle());
  EXPECT_EQ(pool.busy().size(), 1u);
  const auto death = next(pool);
  EXPECT_EQ(death.kind, Kind::died);
  EXPECT_EQ(death.runs, (std::vector<std::int64_t>{7, 8}));
  EXPECT_TRUE(death.deterministic);
  EXPECT_TRUE(pool.has_idle());
  EXPECT_FALSE(pool.is_busy());
}

TEST(WorkerPool, AReportFreesOnlyTheSlotOfItsRun) {
  WorkerPool pool = pool_of("read a; read b; echo done $b; read c; kill -KILL $$");
  pool.start(7);
  pool.start(8);
  const auto answer = next(pool);
  EXPECT_EQ(answer.kind, Kind::done);
  EXPECT_EQ(answer.run, 8);
  EXPECT_TRUE(pool.is_busy());
  pool.start(9);
  const auto death = next(pool);
  EXPECT_EQ(death.runs, (std::vector<std::int64_t>{7, 9}));
  EXPECT_FALSE(death.deterministic) << "it was killed from outside";
}

TEST(WorkerPool, ARetiredWorkerGetsNoMoreRunsAndIsReplaced) {
  WorkerPool pool = pool_of("read a; echo retire; echo retry_alone $a; read the_end; exit 0");
  for (const std::int64_t run : {7, 8}) {
    pool.start(run);
    const auto answer = next(pool);
    EXPECT_EQ(answer.kind, Kind::retry_alone);
    EXPECT_EQ(answer.run, run);
    EXPECT_FALSE(pool.has_idle());
    for (const double start = wall_clock(); !pool.has_idle() && wall_clock() < start + 10;)
      EXPECT_TRUE(pool.wait(0.1).empty()) << "a retired worker that ends is not a death";
    ASSERT_TRUE(pool.has_idle());
  }
}

TEST(WorkerPool, ARetiredWorkerMayCrashAtItsEnd) {
  for (const std::string end : {"exit 1", "kill -SEGV $$"}) {
    WorkerPool pool = pool_of("read a; echo retire; echo retry_alone $a; read the_end; " + end);
    pool.start(7);
    EXPECT_EQ(next(pool).kind, Kind::retry_alone);
    for (const double start = wall_clock(); !pool.has_idle() && wall_clock() < start + 10;)
      EXPECT_TRUE(pool.wait(0.1).empty()) << end;
    EXPECT_TRUE(pool.has_idle()) << end;
  }
}

}  // namespace
}  // namespace gdkm::testing
