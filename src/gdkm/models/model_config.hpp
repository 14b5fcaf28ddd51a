#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gdkm/graph/relation.hpp"
#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/layers/readout.hpp"
#include "gdkm/models/architecture.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// Inter-domain inducing points are independent of the graph; intra-domain ones sit at some of its nodes.
enum class Scheme { inter, intra };

template <>
struct EnumNames<Scheme> {
  static constexpr std::string_view names[] = {"inter", "intra"};
};

/// Pooling over a graph's nodes, where the labels are those of graphs.
enum class Pooling { mean, sum };

template <>
struct EnumNames<Pooling> {
  static constexpr std::string_view names[] = {"mean", "sum"};
};

/// Everything that defines a sparse graph convolutional DKM, except the data.
struct ModelConfig {
  std::vector<double> nu{1.0};  // one value, or one per layer; ∞ gives the NNGP; empty: see NuSearch
  Scheme scheme = Scheme::inter;
  Index inducing = 200;
  Architecture arch = Architecture::kipf;
  int layers = 2;
  double lambda = 0;
  std::vector<RelationSpec> relations;  // what to mix with; empty for the architecture's own
  Index edge_types = 0;                 // of the data, where `relations` has types
  bool learned_relations = true;        // the weights of relations, where there are several
  KernelKind kernel = KernelKind::arccos;
  bool center = false;  // centre kernels before every Gram layer
  bool affine = false;  // with `center`: learn a scale and a bias
  Pooling pooling = Pooling::mean;
  bool regression = false;  // the outputs are numbers, not classes
  bool learned_scale = true;
  bool bias = false;  // every output has a learned constant
  double temper = 1;
  Index samples = 4;
  Sampling sampling = Sampling::node;
  double jitter = 1e-5;

  /// Whether the first layer sees ÂX instead of X.
  bool mixes_inputs() const { return traits_of(arch).mixes_inputs; }
  /// What to mix with: as asked for, or as the architecture has it.
  std::vector<RelationSpec> mixing() const {
    return relations.empty() ? parse_relations(traits_of(arch).relations) : relations;
  }
  Index relation_count() const { return std::max<Index>(1, count_relations(mixing(), edge_types)); }
  /// The number of inducing locations: those of the first layer, and of each relation in later ones. From 64
  /// on it is a multiple of four, which a GPU is faster with.
  Index locations() const {
    const Index count = relation_count();
    const bool mixes_once = mixes_inputs() && layers == 1;
    if (count == 1 || mixes_once) return inducing;
    const Index each = std::max<Index>(1, inducing / count);
    return each >= 64 ? each - each % 4 : each;
  }
  /// Inducing variables of a layer that mixes: one per location and relation.
  Index variables() const {
    const bool mixes_once = mixes_inputs() && layers == 1;
    return mixes_once ? inducing : locations() * relation_count();
  }
  /// Of the polynomial that mixes; 0 if none does.
  int degree() const { return mixing().front().degree; }
  /// How many edges away a node can be that a label depends on.
  int hops() const { return layers * std::max(1, degree()); }
  double nu_of(int layer) const { return nu.size() == 1 ? nu[0] : nu[static_cast<std::size_t>(layer)]; }
};

}  // namespace gdkm
