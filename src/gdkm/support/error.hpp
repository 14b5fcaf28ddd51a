#pragma once

#include <stdexcept>
#include <string>

namespace gdkm {

/// What the user gave cannot be used. The message says what was received, where, and what to do. Exit
/// status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A computation broke down and could not be recovered. Exit status 3.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gdkm
