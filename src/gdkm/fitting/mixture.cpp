#include "gdkm/fitting/mixture.hpp"

#include <cassert>
#include <cmath>

namespace gdkm {

namespace {

std::vector<double> mean_of(const std::vector<std::vector<double>>& models) {
  std::vector<double> out(models.front().size(), 0.0);
  for (const auto& model : models) {
    assert(model.size() == out.size());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += model[k];
  }
  for (double& value : out) value /= static_cast<double>(models.size());
  return out;
}

}  // namespace

std::vector<double> mixture(const std::vector<std::vector<double>>& models, Index outputs, bool regression) {
  assert(!models.empty());
  std::vector<double> out = mean_of(models);
  if (!regression) return out;
  const auto width = static_cast<std::size_t>(outputs);
  for (std::size_t row = 0; row < out.size(); row += 2 * width) {
    for (std::size_t mean = row; mean < row + width; ++mean) {
      const std::size_t deviation = mean + width;
      double variance = 0;
      for (const auto& model : models) {
        const double away = model[mean] - out[mean];
        variance += model[deviation] * model[deviation] + away * away;
      }
      out[deviation] = std::sqrt(variance / static_cast<double>(models.size()));
    }
  }
  return out;
}

}  // namespace gdkm
