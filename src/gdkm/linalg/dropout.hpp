#pragma once

#include <algorithm>
#include <cmath>

#include "gdkm/support/random.hpp"

namespace gdkm {

/// Which entries of a matrix are dropped. One block of random words decides on eight entries, 16 bits each,
/// so the probability is a multiple of 2⁻¹⁶ and `scale`, what a kept entry is multiplied by, is its exact
/// counterpart.
struct Dropout {
  static constexpr int per_block = 8;
  std::uint32_t kept;  // of 65536
  double scale;

  explicit Dropout(double probability)
      : kept(static_cast<std::uint32_t>(
            std::lround(65536 * (1 - std::clamp(probability, 0.0, 1 - 1.0 / 65536))))),
        scale(65536.0 / kept) {}

  bool off() const { return kept == 65536; }

  /// Whether entry `lane` (0 … 7) of a block stays.
  GDKM_HOST_DEVICE bool keeps(const Random4& block, int lane) const {
    return ((block.v[lane / 2] >> (16 * (lane % 2))) & 0xffffu) < kept;
  }
};

}  // namespace gdkm
