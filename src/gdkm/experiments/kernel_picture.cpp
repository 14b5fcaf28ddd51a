#include "gdkm/experiments/kernel_picture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/support/random.hpp"
#include "gdkm/training/cka.hpp"

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

double cka_with_labels(const NodeFeatures& features, const std::vector<std::int32_t>& label, int classes) {
  std::vector<std::int32_t> all(label.size());
  std::iota(all.begin(), all.end(), 0);
  return cka_with_labels(features.values, features.width, label, classes, all);
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

}  // namespace gdkm
