#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdkm::fuzzing {

/// One reader under test: what is done with an input of any bytes, and good inputs to start from.
struct Harness {
  const char* name;
  /// Whether the input, or a part of it, could be read; if not, it was refused as it should be. All else is
  /// an exception, or a crash.
  bool (*run)(std::string_view input);
  std::vector<std::string> (*seeds)();
};

/// One per reader.
const std::vector<Harness>& harnesses();
/// The one of that name; std::logic_error where there is none.
const Harness& find_harness(std::string_view name);

}  // namespace gdkm::fuzzing
