#pragma once

#include <cstdint>
#include <mutex>

namespace gdkm {

/// Keeps track of which runs of a process overlap in time. When a run fails because the process or its device
/// is in trouble, any run that overlapped with it may be the cause, even one that has ended: when a device is
/// lost, all runs on it fail, and the last one to notice is alone by then.
class RunOverlap {
 public:
  /// Covers the time of one run.
  class Scope {
   public:
    explicit Scope(RunOverlap& runs) : runs_(runs) {
      const std::lock_guard lock(runs_.mutex_);
      number_ = ++runs_.started_;
      others_at_start_ = runs_.active_++ > 0;
    }
    ~Scope() {
      const std::lock_guard lock(runs_.mutex_);
      --runs_.active_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    /// Reports that this run failed through trouble of the process. Returns whether other runs may be the
    /// cause: one overlapped with this run, or an earlier one reported trouble.
    bool report_trouble() {
      const std::lock_guard lock(runs_.mutex_);
      const bool others = others_at_start_ || runs_.started_ != number_ || runs_.trouble_;
      runs_.trouble_ = true;
      return others;
    }

   private:
    RunOverlap& runs_;
    std::uint64_t number_ = 0;
    bool others_at_start_ = false;
  };

 private:
  std::mutex mutex_;
  std::uint64_t started_ = 0;
  int active_ = 0;
  bool trouble_ = false;
};

}  // namespace gdkm
