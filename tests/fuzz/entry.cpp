/// libFuzzer's way in; each target is this file with another GDKM_FUZZ_TARGET.

#include <cstddef>
#include <cstdint>

#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto run = gdkm::fuzzing::find_harness(GDKM_FUZZ_TARGET).run;
  run({reinterpret_cast<const char*>(data), size});
  return 0;
}
