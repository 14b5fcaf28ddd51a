#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

namespace gdkm {

/// Accuracy as a function of confidence: 15 equal bins over the probability of the predicted class, bin b
/// covering (b/15, (b+1)/15]. The metrics' expected calibration error uses the same bins.
struct Reliability {
  struct Bin {
    std::int64_t count = 0;
    double confidence = 0;  // mean; 0 if the bin is empty
    double accuracy = 0;    // fraction of correct predictions
  };
  std::array<Bin, 15> bins{};
};

/// From row-major class probabilities, over the labelled ones of `rows` (label −1 means none).
Reliability reliability(std::span<const double> probabilities, int classes,
                        std::span<const std::int32_t> labels, std::span<const std::int32_t> rows);

/// [[count, confidence, accuracy], …], one triple per bin.
nlohmann::json to_json(const Reliability& reliability);
Reliability reliability_from_json(const nlohmann::json& json);

}  // namespace gdkm
