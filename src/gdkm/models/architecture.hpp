#pragma once

#include "gdkm/models/network.hpp"

namespace gdkm {

// Architectures, in the vocabulary of Network. Where kernels are centred, that is part of every Gram layer.

/// mix, linear kernel, Gram; then (L−1) times Φ, mix, Gram; readout. With Â_λ the mixing differs, not the
/// order.
template <class T>
void kipf(Network<T>& network, const ModelConfig& config) {
  network.input();
  network.gram(config.nu_of(0));
  for (int layer = 1; layer < config.layers; ++layer) {
    network.nonlinearity();
    network.mix();
    network.gram(config.nu_of(layer));
  }
  network.readout();
}

/// As kipf, and each later block's kernel is added to the one it started from: K ← ½(K + Gram(mix(Φ(K)))).
template <class T>
void resid(Network<T>& network, const ModelConfig& config) {
  network.input();
  network.gram(config.nu_of(0), Use::state);
  for (int layer = 1; layer < config.layers; ++layer) {
    DenseFeatures<T>& before = network.features();
    network.nonlinearity();
    network.mix();
    network.gram(config.nu_of(layer), Use::summand);
    network.half_sum(before);
  }
  network.readout();
}

/// Gram, Φ; then L times K ← ½(K + Gram(Φ(Gram(mix K)))); readout. After the networks of Platonov et al.
/// (2023): each block has two layers, of which one sees the graph.
template <class T>
void platonov(Network<T>& network, const ModelConfig& config) {
  network.input();
  network.gram(config.nu_of(0));
  network.nonlinearity();
  network.factor(Use::state);
  for (int layer = 0; layer < config.layers; ++layer) {
    DenseFeatures<T>& before = network.features();
    network.mix();
    network.gram(config.nu_of(layer));
    network.nonlinearity();
    network.gram(config.nu_of(layer), Use::summand);
    network.half_sum(before);
  }
  network.readout();
}

/// The paper's Algorithm 1: kernel XXᵀ/d; L times Φ, mix, Gram; Φ; readout.
template <class T>
void algorithm1(Network<T>& network, const ModelConfig& config) {
  network.input();
  network.factor();
  for (int layer = 0; layer < config.layers; ++layer) {
    network.nonlinearity();
    network.mix();
    network.gram(config.nu_of(layer));
  }
  network.nonlinearity();
  network.factor();
  network.readout();
}

template <class T>
void build(Network<T>& network, const ModelConfig& config) {
  switch (config.arch) {
    case Architecture::kipf:
      return kipf(network, config);
    case Architecture::resid:
      return resid(network, config);
    case Architecture::platonov:
      return platonov(network, config);
    case Architecture::algorithm1:
      return algorithm1(network, config);
  }
}

}  // namespace gdkm
