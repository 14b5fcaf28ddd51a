#pragma once

#include <algorithm>
#include <cmath>

#include "gdkm/support/random.hpp"

namespace gdkm {

/// Decides which entries of a matrix are dropped. One block of random words decides on eight entries, 16 bits
/// each, so the probability is a multiple of 2⁻¹⁶. Entries that are kept are multiplied by `scale`, the
/// inverse of the exact probability to keep one.
struct Dropout {
  static constexpr int per_block = 8;
  std::uint32_t kept;  // of 65536
  double scale;

  explicit Dropout(double probability)
      : kept(static_cast<std::uint32_t>(
            std::lround(65536 * (1 - std::clamp(probability, 0.0, 1 - 1.0 / 65536))))),
        scale(65536.0 / kept) {}

  bool off() const { return kept == 65536; }

  /// Whether entry `lane` (0 … 7) of a block is kept.
  GDKM_HOST_DEVICE bool keeps(const Random4& block, int lane) const {
    return ((block.v[lane / 2] >> (16 * (lane % 2))) & 0xffffu) < kept;
  }
};

}  // namespace gdkm
