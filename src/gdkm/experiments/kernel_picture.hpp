#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/training/predictor.hpp"

namespace gdkm {

/// A kernel over some nodes, scaled to cosines: entry (i, j) is K_ij / √(K_ii K_jj), in [−1, 1].
struct KernelPicture {
  Index size = 0;
  std::vector<double> cosine;  // size × size
};

/// `each` nodes of every class (all of a smaller class), evenly spaced over the node numbers, sorted by
/// class.
std::vector<std::int32_t> nodes_by_class(const std::vector<std::int32_t>& label, int classes, Index each);

/// `count` nodes that have a label, drawn at random without repetition, sorted by class and then by number.
/// If there are fewer, all of them.
std::vector<std::int32_t> sampled_nodes(const std::vector<std::int32_t>& label, Index count,
                                        std::uint64_t seed);
/// The classes of `nodes`.
std::vector<std::int32_t> labels_of(const std::vector<std::int32_t>& label,
                                    const std::vector<std::int32_t>& nodes);

/// F Fᵀ over `nodes`.
KernelPicture picture_of_features(const NodeFeatures& features, const std::vector<std::int32_t>& nodes);
/// Y Yᵀ over `nodes`: 1 where two nodes share a class.
KernelPicture picture_of_labels(const std::vector<std::int32_t>& label,
                                const std::vector<std::int32_t>& nodes);

/// The CKA of F Fᵀ with the labels, over all nodes.
double cka_with_labels(const NodeFeatures& features, const std::vector<std::int32_t>& label, int classes);

/// The mean cosine of nodes of different classes: near 1 if the kernel finds all nodes similar.
double between_classes(const KernelPicture& kernel, const KernelPicture& labels);

}  // namespace gdkm
