#pragma once

#include <stdexcept>

namespace gdkm::cli {

/// The user stopped the program; the message says where it can go on.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gdkm::cli
