#include "gdkm/experiments/kernel_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gdkm {

std::vector<std::int32_t> nodes_by_class(const std::vector<std::int32_t>& label, int classes, Index each) {
  std::vector<std::int32_t> out;
  for (int c = 0; c < classes; ++c) {
    std::vector<std::int32_t> members;
    for (std::size_t i = 0; i < label.size(); ++i) {
      if (label[i] == c) members.push_back(static_cast<std::int32_t>(i));
    }
    const auto count = static_cast<Index>(members.size()), taken = std::min(each, count);
    for (Index k = 0; k < taken; ++k) out.push_back(members[static_cast<std::size_t>(k * count / taken)]);
  }
  return out;
}

KernelPicture picture_of_features(const NodeFeatures& features, const std::vector<std::int32_t>& nodes) {
  const auto row = [&](std::int32_t node) { return features.values.data() + node * features.width; };
  const auto dot = [&](std::int32_t a, std::int32_t b) {
    double sum = 0;
    for (Index c = 0; c < features.width; ++c) sum += row(a)[c] * row(b)[c];
    return sum;
  };
  KernelPicture out{static_cast<Index>(nodes.size()), {}};
  out.cosine.reserve(nodes.size() * nodes.size());
  for (const auto a : nodes) {
    for (const auto b : nodes) {
      const double scale = std::sqrt(dot(a, a) * dot(b, b));
      out.cosine.push_back(scale > 0 ? std::clamp(dot(a, b) / scale, -1.0, 1.0) : 0);
    }
  }
  return out;
}

KernelPicture picture_of_labels(const std::vector<std::int32_t>& label,
                                const std::vector<std::int32_t>& nodes) {
  KernelPicture out{static_cast<Index>(nodes.size()), {}};
  for (const auto a : nodes) {
    for (const auto b : nodes) out.cosine.push_back(label[a] == label[b] ? 1 : 0);
  }
  return out;
}

double between_classes(const KernelPicture& kernel, const KernelPicture& labels) {
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < kernel.cosine.size(); ++k) {
    if (labels.cosine[k] > 0) continue;
    sum += kernel.cosine[k];
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

std::string cosine_text(double cosine) {
  const std::string digits = fmt::format("{:.2f}", std::abs(cosine));
  return (cosine < 0 && digits != "0.00" ? "−" : "") + digits;
}

}  // namespace gdkm
