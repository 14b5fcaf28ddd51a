#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gdkm {

/// What the caller of a figure sees and decides while it is computed.
struct FigureObserver {
  /// Steps done, of all of them, and what is running.
  std::function<void(std::int64_t, const std::string&)> progress = [](std::int64_t, const std::string&) {};
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };
};

}  // namespace gdkm
