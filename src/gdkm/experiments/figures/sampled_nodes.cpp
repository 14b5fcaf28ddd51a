#include "gdkm/experiments/figures/sampled_nodes.hpp"

#include <algorithm>

#include "gdkm/support/random.hpp"

namespace gdkm {

std::vector<std::int32_t> sampled_nodes(const std::vector<std::int32_t>& label, Index count,
                                        std::uint64_t seed) {
  std::vector<std::int32_t> out;
  for (std::size_t k = 0; k < label.size(); ++k) {
    if (label[k] >= 0) out.push_back(static_cast<std::int32_t>(k));
  }
  const std::size_t taken = std::min(out.size(), static_cast<std::size_t>(count));
  Random random(Stream{seed, Purpose::shuffle, 0});
  for (std::size_t k = 0; k < taken; ++k) std::swap(out[k], out[k + random.below(out.size() - k)]);
  out.resize(taken);
  std::sort(out.begin(), out.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(label[static_cast<std::size_t>(a)], a) <
           std::pair(label[static_cast<std::size_t>(b)], b);
  });
  return out;
}

std::vector<std::int32_t> labels_of(const std::vector<std::int32_t>& label,
                                    const std::vector<std::int32_t>& nodes) {
  std::vector<std::int32_t> out;
  for (const auto node : nodes) out.push_back(label[static_cast<std::size_t>(node)]);
  return out;
}

}  // namespace gdkm
