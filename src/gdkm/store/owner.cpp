#include "gdkm/store/owner.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace gdkm {

namespace {

struct ProcessState {
  char state = '?';
  std::int64_t start = 0;
};

/// From /proc; nullopt if there is no such process.
std::optional<ProcessState> state_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  // The program's name, in parentheses, may contain anything; count the fields from its end.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  ProcessState out;
  fields >> out.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> out.start;
  return out;
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  std::error_code ignored;
  const auto space = std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
  return fmt::format("{} {} {}", name.data(), boot.substr(0, 8), space);
}

}  // namespace

std::string name_of(const Owner& owner) {
  return fmt::format("process {} on {}", owner.pid, owner.host.substr(0, owner.host.find(' ')));
}

Owner this_process() {
  return local_process(::getpid());
}

Owner local_process(std::int64_t pid) {
  const auto state = state_of(pid);
  return {host_name(), pid, state ? state->start : 0};
}

bool is_running(const Owner& owner) {
  if (const auto state = state_of(owner.pid))
    return state->start == owner.start && state->state != 'Z' && state->state != 'X';
  if (std::filesystem::exists("/proc/self/stat")) return false;
  return ::kill(static_cast<pid_t>(owner.pid), 0) == 0 || errno == EPERM;
}

bool is_gone(const Owner& owner, double heartbeat, double now) {
  static const std::string here = host_name();
  return owner.host == here ? !is_running(owner) : !(now - heartbeat < lease_seconds);
}

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace gdkm
