#pragma once

#include <cstdint>
#include <string>

namespace gdkm {

/// The process that executes a run, identified so that other processes can tell whether it is alive.
struct Owner {
  std::string host;  // host name, boot id and PID namespace
  std::int64_t pid = 0;
  std::int64_t start = 0;  // its start time, because PIDs are reused; 0 if unknown

  bool operator==(const Owner&) const = default;
};

std::string name_of(const Owner& owner);

Owner this_process();
/// A process of this machine, such as a child, by its PID.
Owner local_process(std::int64_t pid);

/// Whether a process of this machine is alive and not a zombie.
bool is_running(const Owner& owner);

/// Whether `owner` has ended, so that its runs may be taken over. A process of another machine counts as
/// ended when its last heartbeat is `lease_seconds` old.
bool is_gone(const Owner& owner, double heartbeat, double now);

inline constexpr double lease_seconds = 300, heartbeat_seconds = 10;

/// Seconds since 1970.
double wall_clock();

}  // namespace gdkm
