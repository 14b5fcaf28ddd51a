#pragma once

#include <stdexcept>

namespace gdkm::cli {

/// The command was carried out and nothing came of it, for which neither usage nor numbers are to blame: exit
/// status 1, with the message.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gdkm::cli
