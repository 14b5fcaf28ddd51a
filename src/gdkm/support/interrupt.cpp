#include "gdkm/support/interrupt.hpp"

#include <csignal>

#include <array>
#include <atomic>

namespace gdkm {

namespace {
constexpr std::array<int, 2> watched_signals{SIGINT, SIGTERM};

// A signal handler can reach only globals, and only lock-free atomics are safe in it.
std::atomic<int> received{0};
std::array<std::atomic<bool>, watched_signals.size()> installed{};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

int guards = 0;
std::array<struct sigaction, watched_signals.size()> former{};

void restore_default() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (std::size_t k = 0; k < watched_signals.size(); ++k) {
    if (installed[k].load()) sigaction(watched_signals[k], &action, nullptr);
  }
}

extern "C" void note_signal(int signal) {
  received.store(signal);
  restore_default();
}
}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  received.store(0);
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;  // do not interrupt the writing of a checkpoint
  sigemptyset(&action.sa_mask);
  for (const int signal : watched_signals) sigaddset(&action.sa_mask, signal);
  for (std::size_t k = 0; k < watched_signals.size(); ++k) {
    // A shell starts background jobs with SIGINT ignored: the Ctrl-C is for another program.
    sigaction(watched_signals[k], nullptr, &former[k]);
    const bool ignored = (former[k].sa_flags & SA_SIGINFO) == 0 && former[k].sa_handler == SIG_IGN;
    installed[k].store(!ignored);
    if (!ignored) sigaction(watched_signals[k], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  if (--guards > 0) return;
  for (std::size_t k = 0; k < watched_signals.size(); ++k) {
    if (installed[k].exchange(false)) sigaction(watched_signals[k], &former[k], nullptr);
  }
}

int InterruptGuard::signal() noexcept {
  return received.load();
}

}  // namespace gdkm
