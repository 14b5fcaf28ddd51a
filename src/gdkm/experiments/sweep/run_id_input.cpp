#include "gdkm/experiments/sweep/run_id_input.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr int poll_ms = 100;

std::int64_t number_in(const std::string& line) {
  const bool number = !line.empty() && line.size() < 18 &&
                      std::all_of(line.begin(), line.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!number)
    throw InputError(option("worker") + ": expected a run's number, got '" + line +
                     "'; gdkm sweep starts workers");
  return std::stoll(line);
}

}  // namespace

std::optional<std::int64_t> RunIdInput::next() {
  const std::lock_guard lock(mutex_);
  std::string line;
  while (!stopped_) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, poll_ms) <= 0) continue;
    char c = 0;
    const auto got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    if (c == '\n') return number_in(line);
    line += c;
  }
  return std::nullopt;
}

bool RunIdInput::ended() const {
  pollfd input{STDIN_FILENO, 0, 0};  // poll reports a hang-up even when not asked, and even with unread input
  return stopped_ || (::poll(&input, 1, 0) > 0 && (input.revents & POLLHUP) != 0);
}

}  // namespace gdkm
