#include "gdkm/support/thread_pool.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>

namespace gdkm {
namespace {

TEST(ThreadPool, EveryThreadDoesItsPartOfEverySection) {
  ThreadPool pool(3);
  std::vector<int> done(3, 0);
  for (int section = 0; section < 5000; ++section)
    pool.run([&](int k) { ++done[static_cast<std::size_t>(k)]; });
  EXPECT_EQ(done, std::vector<int>(3, 5000));
}

TEST(ThreadPool, ThreadsThatSleepAreWoken) {
  ThreadPool pool(2);
  int worked = 0;
  // Longer than a thread spins: first the worker falls asleep, then the caller.
  const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  for (int section = 0; section < 5; ++section) {
    nap();
    pool.run([&](int k) {
      if (k == 0) return;
      nap();
      ++worked;
    });
  }
  EXPECT_EQ(worked, 5);
}

TEST(ThreadPool, AnExceptionReachesTheCallerAndThePoolWorksOn) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.run([](int k) {
    if (k == 1) throw std::runtime_error("part 1");
  }),
               std::runtime_error);
  std::vector<int> numbers(1000);
  pool.share(1000, 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto k = begin; k < end; ++k) numbers[static_cast<std::size_t>(k)] = 1;
  });
  EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), 1000);
}

}  // namespace
}  // namespace gdkm
