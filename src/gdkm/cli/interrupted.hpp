#pragma once

#include <stdexcept>
#include <string>

#include "gdkm/support/interrupt.hpp"

namespace gdkm::cli {

/// A signal stopped the command; the message says how to go on. Exit status 130 after Ctrl-C (SIGINT), 143
/// after SIGTERM.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(const std::string& message)
      : std::runtime_error(message), status_(128 + InterruptGuard::signal()) {}

  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace gdkm::cli
