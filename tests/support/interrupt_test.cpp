#include "gdkm/support/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace gdkm {
namespace {

void (*handler_of(int signal))(int) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

int foreign_calls = 0;
extern "C" void foreign_handler(int) {
  ++foreign_calls;
}

class Interrupt : public ::testing::Test {
 protected:
  // A test that runs in the background may have been started with SIGINT ignored.
  void SetUp() override { reset(); }
  void TearDown() override { reset(); }
  static void reset() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    foreign_calls = 0;
  }
};
using InterruptDeathTest = Interrupt;

TEST_F(Interrupt, RaisesAFlagInsteadOfEndingTheProcess) {
  for (const int signal : {SIGINT, SIGTERM}) {
    InterruptGuard guard;
    EXPECT_FALSE(guard.interrupted());
    EXPECT_EQ(guard.signal(), 0);
    std::raise(signal);
    EXPECT_TRUE(guard.interrupted());
    EXPECT_EQ(guard.signal(), signal);
  }
}

TEST_F(Interrupt, StartsAnewWithEveryGuard) {
  {
    InterruptGuard guard;
    std::raise(SIGINT);
  }
  EXPECT_FALSE(InterruptGuard().interrupted());
}

TEST_F(Interrupt, GivesTheFormerHandlersBack) {
  std::signal(SIGINT, foreign_handler);
  {
    InterruptGuard guard;
    std::raise(SIGINT);
    EXPECT_EQ(handler_of(SIGINT), SIG_DFL);
    EXPECT_EQ(handler_of(SIGTERM), SIG_DFL);
  }
  EXPECT_EQ(foreign_calls, 0);
  EXPECT_EQ(handler_of(SIGINT), foreign_handler);
  EXPECT_EQ(handler_of(SIGTERM), SIG_DFL);
  std::raise(SIGINT);
  EXPECT_EQ(foreign_calls, 1);
}

TEST_F(Interrupt, SharesTheFlagWithAGuardInside) {
  InterruptGuard outer;
  {
    InterruptGuard inner;
    std::raise(SIGINT);
    EXPECT_TRUE(inner.interrupted());
  }
  EXPECT_TRUE(outer.interrupted());
  EXPECT_EQ(handler_of(SIGINT), SIG_DFL);  // the next one still ends the process
}

TEST_F(Interrupt, LeavesAnIgnoredSignalIgnored) {
  std::signal(SIGINT, SIG_IGN);
  {
    InterruptGuard guard;
    std::raise(SIGINT);
    EXPECT_FALSE(guard.interrupted());
    std::raise(SIGTERM);
    EXPECT_TRUE(guard.interrupted());
    EXPECT_EQ(handler_of(SIGINT), SIG_IGN);
  }
  EXPECT_EQ(handler_of(SIGINT), SIG_IGN);
}

TEST_F(InterruptDeathTest, EndsTheProcessAtTheSecondSignal) {
  const auto twice = [](int first, int second) {
    InterruptGuard guard;
    std::raise(first);
    std::raise(second);
    std::_Exit(0);
  };
  EXPECT_EXIT(twice(SIGINT, SIGINT), ::testing::KilledBySignal(SIGINT), "");
  EXPECT_EXIT(twice(SIGINT, SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(twice(SIGTERM, SIGINT), ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace gdkm
