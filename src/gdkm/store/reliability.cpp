#include "gdkm/store/reliability.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace gdkm {

Reliability reliability(std::span<const double> probabilities, int classes,
                        std::span<const std::int32_t> labels, std::span<const std::int32_t> rows) {
  Reliability out;
  const int bins = static_cast<int>(out.bins.size());
  for (const auto row : rows) {
    if (labels[row] < 0) continue;
    const auto p = probabilities.subspan(static_cast<std::size_t>(row) * classes, classes);
    const auto best = std::max_element(p.begin(), p.end());
    const double confidence = std::clamp(*best, 0.0, 1.0);
    Reliability::Bin& bin =
        out.bins[std::clamp(static_cast<int>(std::ceil(confidence * bins)) - 1, 0, bins - 1)];
    ++bin.count;
    bin.confidence += confidence;
    bin.accuracy += best - p.begin() == labels[row] ? 1 : 0;
  }
  for (Reliability::Bin& bin : out.bins) {
    if (bin.count == 0) continue;
    bin.confidence /= static_cast<double>(bin.count);
    bin.accuracy /= static_cast<double>(bin.count);
  }
  return out;
}

nlohmann::json to_json(const Reliability& reliability) {
  auto out = nlohmann::json::array();
  for (const auto& bin : reliability.bins) out.push_back({bin.count, bin.confidence, bin.accuracy});
  return out;
}

Reliability reliability_from_json(const nlohmann::json& json) {
  Reliability out;
  for (std::size_t b = 0; b < out.bins.size(); ++b)
    out.bins[b] = {json.at(b).at(0), json.at(b).at(1), json.at(b).at(2)};
  return out;
}

}  // namespace gdkm
