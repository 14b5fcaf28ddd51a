#pragma once

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/cuda/launch.hpp"

namespace gdkm::cuda {

/// C ← α op(A) op(B) + β C in plain float arithmetic, for small matrices: one launch of small tiles, where a
/// library takes two or three times as long. It leaves out what the regions say is zero or not wanted. Blocks
/// add up shares of the terms in a fixed order.
struct SmallProduct {
  float alpha = 1;
  Factor<float> a, b;
  float beta = 0;
  View<float> c;
  Region wanted = Region::all;

  /// Whether this is the faster way.
  bool is_small() const;
  /// `clusters`: whether blocks can be launched in clusters.
  void compute(bool clusters, const Queue& queue) const;
};

}  // namespace gdkm::cuda
