#include "gdkm/settings/model_choice.hpp"

#include <cmath>

namespace gdkm {

ModelChoice model_choice(const Settings& s) {
  if (s.model == ModelKind::gcn) {
    GcnConfig out{s.gcn};
    out.arch = s.config.arch;
    out.layers = s.config.layers;
    out.pooling = s.config.pooling;
    return out;
  }
  if (s.exact && s.model == ModelKind::nngp)
    return ExactNngpConfig{s.network, s.config.layers, s.config.kernel};
  if (s.exact) {
    FullRankConfig out{{}, s.config.kernel, s.config.jitter, s.noise};
    for (int layer = 0; layer < s.config.layers; ++layer) out.nu.push_back(s.config.nu_of(layer));
    return out;
  }
  ModelConfig out = s.config;
  if (s.model == ModelKind::nngp) out.nu = {INFINITY};
  return out;
}

Architecture input_architecture(const Settings& s) {
  if (s.exact && s.model == ModelKind::dkm) return Architecture::algorithm1;
  return s.is_sparse() ? s.config.arch : Architecture::kipf;
}

}  // namespace gdkm
