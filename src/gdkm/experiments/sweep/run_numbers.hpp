#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

namespace gdkm {

/// The numbers of runs that come by standard input, one a line, for threads that each wait for one.
class RunNumbers {
 public:
  /// The next one; nothing at the end of the input, or once `stop` was called. InputError where a line is no
  /// number.
  std::optional<std::int64_t> next();

  /// Whether who wrote them is gone, or `stop` was called: what is under way is to be left.
  bool ended() const;
  void stop() { stopped_ = true; }

 private:
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
};

}  // namespace gdkm
