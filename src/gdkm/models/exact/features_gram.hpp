#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// The n × n matrices that an exact kernel has at the same time take at most this many bytes of the host. On
/// a device they may take all that is free.
inline constexpr std::size_t kernel_memory_limit = std::size_t{8} << 30;

/// XXᵀ, the first of so many n × n matrices, on a device if one is given. If they would not fit, an
/// InputError has the largest possible n: on the host 32,768 for one, 23,170 for two, 18,918 for three.
Dense features_gram(const Features& x, int matrices, Backend<double>* device = nullptr);

}  // namespace gdkm
