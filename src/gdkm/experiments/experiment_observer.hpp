#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gdkm {

/// How the caller follows the runs of a demo or figure, and stops them.
struct ExperimentObserver {
  /// The number of steps or epochs done so far, and what is running.
  std::function<void(std::int64_t, const std::string&)> progress = [](std::int64_t, const std::string&) {};
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };
};

}  // namespace gdkm
