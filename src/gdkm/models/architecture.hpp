#pragma once

#include <stdexcept>
#include <utility>

#include "gdkm/support/enum_names.hpp"

namespace gdkm {

template <class T>
class Network;

// Architectures: the order of the layers, in the vocabulary of Network. Each is a class with its traits and
// with `build`, which appends the layers; its entry stands at the end. Where kernels are centred, every Gram
// layer does that itself.

/// What the rest of the program must know about an architecture. The defaults are always correct; a trait
/// that an architecture states can save memory or work.
struct ArchitectureTraits {
  bool mixes_inputs = false;            // the first layer sees ÂX; otherwise X
  bool scales_inputs_by_width = false;  // X is divided by √d before anything else
  const char* relations = "gcn";        // what to mix with, unless users say otherwise: see RelationKind
  /// Every Gram layer follows a mixing, so one gradient of node features is enough: see Workspace.
  bool mixes_before_every_gram = false;
  /// A Gram layer may take its kernel as features even with inter-domain inducing points. It then factorises
  /// K_ii by QR, which needs more memory.
  bool needs_qr = true;
};

/// The same order of layers, with other relations.
constexpr ArchitectureTraits with_relations(ArchitectureTraits traits, const char* relations) {
  traits.relations = relations;
  return traits;
}

/// How a layer's features are used: only by Φ or the readout (chain), as the state of a residual chain,
/// which can also be mixed, or as the summand that is added to that state.
enum class Use { chain, state, summand };

/// mix, linear kernel, Gram; then (L−1) times Φ, mix, Gram; readout. This is also the order for Â_λ, which
/// only changes the mixing matrix.
struct Kipf {
  static constexpr ArchitectureTraits traits{
      .mixes_inputs = true, .mixes_before_every_gram = true, .needs_qr = false};

  template <class T>
  static void build(Network<T>& network) {
    network.input();
    network.gram(0);
    for (int layer = 1; layer < network.layers(); ++layer) {
      network.nonlinearity();
      network.mix();
      network.gram(layer);
    }
    network.readout();
  }
};

/// Like Kipf, but every block after the first adds its kernel to the one it started from:
/// K ← ½(K + Gram(mix(Φ(K)))).
struct Resid {
  static constexpr ArchitectureTraits traits{.mixes_inputs = true, .needs_qr = false};

  template <class T>
  static void build(Network<T>& network) {
    network.input();
    network.gram(0, Use::state);
    for (int layer = 1; layer < network.layers(); ++layer) {
      auto& before = network.features();
      network.nonlinearity();
      network.mix();
      network.gram(layer, Use::summand);
      network.half_sum(before);
    }
    network.readout();
  }
};

/// Gram, Φ; then L times K ← ½(K + Gram(Φ(Gram(mix K)))); readout. This follows the networks of Platonov et
/// al. (2023): a block has two layers, and only the first of them sees the graph.
struct Platonov {
  static constexpr ArchitectureTraits traits{};

  template <class T>
  static void build(Network<T>& network) {
    network.input();
    network.gram(0);
    network.nonlinearity();
    network.factor(Use::state);
    for (int layer = 0; layer < network.layers(); ++layer) {
      auto& before = network.features();
      network.mix();
      network.gram(layer);
      network.nonlinearity();
      network.gram(layer, Use::summand);
      network.half_sum(before);
    }
    network.readout();
  }
};

/// The paper's Algorithm 1: kernel XXᵀ/d; L times Φ, mix, Gram; Φ; readout.
struct Algorithm1 {
  static constexpr ArchitectureTraits traits{.scales_inputs_by_width = true, .needs_qr = false};

  template <class T>
  static void build(Network<T>& network) {
    network.input();
    network.factor();
    for (int layer = 0; layer < network.layers(); ++layer) {
      network.nonlinearity();
      network.mix();
      network.gram(layer);
    }
    network.nonlinearity();
    network.factor();
    network.readout();
  }
};

/// GraphSAGE with mean aggregation (Hamilton et al., 2017): a node, and the mean of its neighbours.
struct Sage : Kipf {
  static constexpr ArchitectureTraits traits = with_relations(Kipf::traits, "self,und:row");
};

/// Dir-GNN (Rossi et al., 2023): a node, what points at it, and where it points.
struct DirGnn : Kipf {
  static constexpr ArchitectureTraits traits = with_relations(Kipf::traits, "self,in,out");
};

/// MixHop (Abu-El-Haija et al., 2019): powers of Â.
struct MixHop : Kipf {
  static constexpr ArchitectureTraits traits = with_relations(Kipf::traits, "self,gcn,gcn2");
};

/// R-GCN (Schlichtkrull et al., 2018): a node, and the mean of its neighbours by each type of edges.
struct Rgcn : Kipf {
  static constexpr ArchitectureTraits traits = with_relations(Kipf::traits, "self,types:row");
};

/// GPR-GNN (Chien et al., 2021): a learned polynomial of Â.
struct Gpr : Kipf {
  static constexpr ArchitectureTraits traits = with_relations(Kipf::traits, "poly:3");
};

/// GIN (Xu et al., 2019) with perceptrons of one hidden layer: L times mix, Gram, Φ, Gram, and Φ between
/// them. A + I is not normalised, so that the scale of a kernel grows with the degrees of nodes.
struct Gin {
  static constexpr ArchitectureTraits traits{.mixes_inputs = true, .relations = "gin", .needs_qr = false};

  template <class T>
  static void build(Network<T>& network) {
    network.input();
    for (int layer = 0; layer < network.layers(); ++layer) {
      if (layer > 0) {
        network.nonlinearity();
        network.mix();
      }
      network.gram(layer);
      network.nonlinearity();
      network.gram(layer);
    }
    network.readout();
  }
};

/// H2GCN (Zhu et al., 2020): Gram, Φ; then L times neighbours at distances one and two, without the node
/// itself, and what was there before: K ← ½(K + Gram(mix K)); readout.
struct H2gcn {
  static constexpr ArchitectureTraits traits{.relations = "und,hop2"};

  template <class T>
  static void build(Network<T>& network) {
    network.input();
    network.gram(0);
    network.nonlinearity();
    network.factor(Use::state);
    for (int layer = 0; layer < network.layers(); ++layer) {
      auto& before = network.features();
      network.mix();
      network.gram(layer, Use::summand);
      network.half_sum(before);
    }
    network.readout();
  }
};

// The entries: a value, the name that users write, and the class.

enum class Architecture { kipf, resid, platonov, algorithm1, sage, gin, mixhop, h2gcn, rgcn, dirgnn, gpr };

template <>
struct EnumNames<Architecture> {
  static constexpr std::string_view names[] = {"kipf",   "resid", "platonov", "algorithm1", "sage", "gin",
                                               "mixhop", "h2gcn", "rgcn",     "dirgnn",     "gpr"};
};

/// Returns body.template operator()<A>() for the class A that `arch` names. The switch has no default, so the
/// compiler reports an architecture without a case.
template <class Body>
constexpr decltype(auto) with_architecture(Architecture arch, Body&& body) {
  switch (arch) {
    case Architecture::kipf:
      return std::forward<Body>(body).template operator()<Kipf>();
    case Architecture::resid:
      return std::forward<Body>(body).template operator()<Resid>();
    case Architecture::platonov:
      return std::forward<Body>(body).template operator()<Platonov>();
    case Architecture::algorithm1:
      return std::forward<Body>(body).template operator()<Algorithm1>();
    case Architecture::sage:
      return std::forward<Body>(body).template operator()<Sage>();
    case Architecture::gin:
      return std::forward<Body>(body).template operator()<Gin>();
    case Architecture::mixhop:
      return std::forward<Body>(body).template operator()<MixHop>();
    case Architecture::h2gcn:
      return std::forward<Body>(body).template operator()<H2gcn>();
    case Architecture::rgcn:
      return std::forward<Body>(body).template operator()<Rgcn>();
    case Architecture::dirgnn:
      return std::forward<Body>(body).template operator()<DirGnn>();
    case Architecture::gpr:
      return std::forward<Body>(body).template operator()<Gpr>();
  }
  throw std::logic_error("[with_architecture] not a value of Architecture");
}

constexpr ArchitectureTraits traits_of(Architecture arch) {
  return with_architecture(arch, []<class A>() { return A::traits; });
}

/// Appends the layers of `arch` to an empty network.
template <class T>
void build(Network<T>& network, Architecture arch) {
  with_architecture(arch, [&]<class A>() { A::build(network); });
}

}  // namespace gdkm
