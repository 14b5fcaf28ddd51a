#pragma once

#include "gdkm/models/network.hpp"

namespace gdkm {

/// `kipf`: mix, linear kernel, Gram; then (L−1) times Φ, mix, Gram; readout.
template <class T>
void kipf(Network<T>& network, const ModelConfig& config) {
  network.mixed_input();
  network.gram(config.nu_of(0));
  for (int layer = 1; layer < config.layers; ++layer) {
    network.nonlinearity();
    network.mix();
    network.gram(config.nu_of(layer));
  }
  network.readout();
}

}  // namespace gdkm
