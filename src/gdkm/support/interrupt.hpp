#pragma once

namespace gdkm {

/// While a guard exists, the first Ctrl-C (SIGINT) or SIGTERM only sets a flag, so that a run can stop after
/// its current step and leave a checkpoint. A second signal ends the process at once. The destructor restores
/// the former handlers. Nested guards share the flag. Create and destroy guards on one thread.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool interrupted() const noexcept { return signal() != 0; }
  /// SIGINT or SIGTERM once it was received, else 0. The value outlives the guard, until the next guard.
  static int signal() noexcept;
};

}  // namespace gdkm
