#pragma once

#include <cmath>
#include <vector>

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/layers/readout.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// Where inducing points sit: inter-domain ones stand alone, intra-domain ones at nodes of the graph.
enum class Scheme { inter, intra };

template <>
struct EnumNames<Scheme> {
  static constexpr std::string_view names[] = {"inter", "intra"};
};

/// The order of layers: see architecture.hpp.
enum class Architecture { kipf, resid, platonov, algorithm1 };

template <>
struct EnumNames<Architecture> {
  static constexpr std::string_view names[] = {"kipf", "resid", "platonov", "algorithm1"};
};

/// How the rows of a graph's nodes become one row, where graphs have classes.
enum class Pooling { mean, sum };

template <>
struct EnumNames<Pooling> {
  static constexpr std::string_view names[] = {"mean", "sum"};
};

/// Everything that defines a sparse graph convolutional DKM, but for the data.
struct ModelConfig {
  std::vector<double> nu{1.0};  // one for all layers, or one each; ∞ is the NNGP
  Scheme scheme = Scheme::inter;
  Index inducing = 200;
  Architecture arch = Architecture::kipf;
  int layers = 2;
  double lambda = 0;
  KernelKind kernel = KernelKind::arccos;
  bool center = false;  // kernels are centred before every Gram layer
  bool affine = false;  // with a learned scale and bias
  Pooling pooling = Pooling::mean;
  bool regression = false;  // outputs are numbers, not classes
  bool learned_scale = true;
  bool bias = false;  // outputs have a learned constant
  double temper = 1;
  Index samples = 4;
  Sampling sampling = Sampling::node;
  double jitter = 1e-5;

  /// Whether the first layer sees mixed features.
  bool mixes_inputs() const { return arch == Architecture::kipf || arch == Architecture::resid; }
  double nu_of(int layer) const { return nu.size() == 1 ? nu[0] : nu[static_cast<std::size_t>(layer)]; }
};

}  // namespace gdkm
