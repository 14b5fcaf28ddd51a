#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

namespace gdkm {

/// Reads run numbers from standard input, one per line, for several threads.
class RunIdInput {
 public:
  /// The next number; nullopt at the end of the input or after `stop`. Throws an InputError if a line is not
  /// a number.
  std::optional<std::int64_t> next();

  /// Whether the writer has closed the input or `stop` was called; runs in progress should then stop.
  bool ended() const;
  void stop() { stopped_ = true; }

 private:
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
};

}  // namespace gdkm
