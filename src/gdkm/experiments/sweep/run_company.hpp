#pragma once

#include <cstdint>
#include <mutex>

namespace gdkm {

/// Who shared a process with a run that fails, and so may be the cause. It counts whoever was there at any
/// time of the run: when a device is lost all runs on it fail, and the last to notice is alone by then.
class RunCompany {
 public:
  /// A run while it is under way.
  class Guest {
   public:
    explicit Guest(RunCompany& company) : company_(company) {
      const std::lock_guard lock(company_.mutex_);
      came_ = ++company_.arrivals_;
      company_then_ = company_.present_++ > 0;
    }
    ~Guest() {
      const std::lock_guard lock(company_.mutex_);
      --company_.present_;
    }
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

    /// The run fails in a way that puts the process in doubt; whether others may be the cause: they were
    /// beside it, or the process was in doubt already.
    bool doubt() {
      const std::lock_guard lock(company_.mutex_);
      const bool others = company_then_ || company_.arrivals_ != came_ || company_.in_doubt_;
      company_.in_doubt_ = true;
      return others;
    }

   private:
    RunCompany& company_;
    std::uint64_t came_ = 0;
    bool company_then_ = false;
  };

 private:
  std::mutex mutex_;
  std::uint64_t arrivals_ = 0;
  int present_ = 0;
  bool in_doubt_ = false;
};

}  // namespace gdkm
