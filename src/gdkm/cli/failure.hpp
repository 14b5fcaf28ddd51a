#pragma once

#include <stdexcept>

namespace gdkm::cli {

/// The command failed, but neither through its input nor numerically. Exit status 1.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gdkm::cli
