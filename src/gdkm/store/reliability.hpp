#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

namespace gdkm {

/// How often predictions of a given confidence are right: 15 equal bins over the probability of the predicted
/// class, bin b holding (b/15, (b+1)/15]. The calibration error of the metrics is made of the same bins.
struct Reliability {
  struct Bin {
    std::int64_t count = 0;
    double confidence = 0;  // mean; 0 where the bin is empty
    double accuracy = 0;    // fraction that is right
  };
  std::array<Bin, 15> bins{};
};

/// Of row-major class probabilities on `rows`; those without a label (−1) are left out.
Reliability reliability(std::span<const double> probabilities, int classes,
                        std::span<const std::int32_t> labels, std::span<const std::int32_t> rows);

/// [[count, confidence, accuracy], …], a triple per bin.
nlohmann::json to_json(const Reliability& reliability);
Reliability reliability_from_json(const nlohmann::json& json);

}  // namespace gdkm
