#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// `count` nodes that have a label, drawn at random without repetition, sorted by class and then by number.
/// If there are fewer, all of them.
std::vector<std::int32_t> sampled_nodes(const std::vector<std::int32_t>& label, Index count,
                                        std::uint64_t seed);

/// The classes of `nodes`.
std::vector<std::int32_t> labels_of(const std::vector<std::int32_t>& label,
                                    const std::vector<std::int32_t>& nodes);

}  // namespace gdkm
