#pragma once

#include <cstdint>
#include <string>

namespace gdkm {

/// A process that works on a run, named so that others can tell whether it still lives.
struct Owner {
  std::string host;        // the machine since it was started, and the name space of its process numbers
  std::int64_t pid = 0;    // of the process
  std::int64_t start = 0;  // when it began, since numbers are used again; 0 where that is not known

  bool operator==(const Owner&) const = default;
};

std::string name_of(const Owner& owner);

Owner this_process();
/// A process of this machine, a child for instance, by its number.
Owner local_process(std::int64_t pid);

/// A process of this machine that is there, and no zombie.
bool is_running(const Owner& owner);

/// Whether nobody works any more on what `owner` had taken. Of another machine's process only its last sign
/// of life is known: after `lease_seconds` without one it counts as gone.
bool is_gone(const Owner& owner, double heartbeat, double now);

inline constexpr double lease_seconds = 300, heartbeat_seconds = 10;

/// Seconds since 1970.
double wall_clock();

}  // namespace gdkm
