#pragma once

namespace gdkm {

/// While one lives, the first Ctrl-C (SIGINT) or SIGTERM only raises a flag, so that a run can stop between
/// two steps and leave a checkpoint; the second ends the process at once, should that take too long. The
/// former handlers come back with its destruction. A guard inside another shares its flag; guards are made
/// and destroyed on one thread.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool interrupted() const noexcept { return signal() != 0; }
  /// SIGINT or SIGTERM, whichever came; 0 while none did.
  int signal() const noexcept;
};

}  // namespace gdkm
