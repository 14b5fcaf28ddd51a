#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/models/model_config.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// How inducing points start: spread out over the features by k-means (k-means++ and a few rounds of Lloyd),
/// or at random nodes.
enum class Init { kmeans, random };

template <>
struct EnumNames<Init> {
  static constexpr std::string_view names[] = {"kmeans", "random"};
};

/// Where inducing points start: their inputs X_i (m×d, row-major) and, intra-domain, the nodes they sit at.
struct InducingPoints {
  std::vector<double> inputs;
  std::vector<std::int32_t> nodes;
};

/// Chooses distinct starts: a K_ii of repeated or zero rows is singular, and a zero row never learns.
/// Inter-domain inputs are rows of ÂX (they live in the mixed space; of X where inputs are not mixed),
/// intra-domain ones rows of X at their nodes. Rows that still coincide with another, or are zero, get noise
/// of 0.3 of a typical row's length.
InducingPoints choose_inducing_points(const Csr& adjacency, const Features& features,
                                      const ModelConfig& config, Init init, std::uint64_t seed);

}  // namespace gdkm
