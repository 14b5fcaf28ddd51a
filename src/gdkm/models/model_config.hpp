#pragma once

#include <cmath>
#include <vector>

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/layers/readout.hpp"

namespace gdkm {

/// Where inducing points sit: inter-domain ones stand alone, intra-domain ones at nodes of the graph.
enum class Scheme { inter, intra };

/// Everything that defines a sparse graph convolutional DKM, but for the data.
struct ModelConfig {
  std::vector<double> nu{1.0};  // one for all layers, or one each; ∞ is the NNGP
  Scheme scheme = Scheme::inter;
  Index inducing = 200;
  int layers = 2;
  double lambda = 0;
  KernelKind kernel = KernelKind::arccos;
  bool learned_scale = true;
  double temper = 1;
  Index samples = 4;
  Sampling sampling = Sampling::node;
  double jitter = 1e-5;

  double nu_of(int layer) const { return nu.size() == 1 ? nu[0] : nu[static_cast<std::size_t>(layer)]; }
};

}  // namespace gdkm
