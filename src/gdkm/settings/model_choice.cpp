#include "gdkm/settings/model_choice.hpp"

#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {

ModelKind model_named(const std::string& name) {
  if (const auto kind = value_named<ModelKind>(name)) return *kind;
  std::string known;
  for (const std::string& each : names_of<ModelKind>()) known += (known.empty() ? "" : ", ") + each;
  throw OptionError("model", name, "expected one of " + known, "");
}

ModelForm form_of(const Settings& settings) {
  if (settings.exact) return ModelForm::exact;
  return settings.landmarks ? ModelForm::landmarks : ModelForm::inducing;
}

unsigned family_of(ModelKind model, ModelForm form) {
  if (model == ModelKind::gcn) return gcn_models;
  if (form == ModelForm::landmarks) return landmark_nngp;
  if (form == ModelForm::inducing) return sparse_models;
  return model == ModelKind::dkm ? full_rank_dkm : exact_nngp;
}

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
  if (s.landmarks) {
    out.regression = true;
    out.learned_scale = false;  // the readout's weights have it
    return LandmarkConfig{out};
  }
  return out;
}

Architecture input_architecture(const Settings& s) {
  if (s.exact && s.model == ModelKind::dkm) return Architecture::algorithm1;
  return s.is_sparse() ? s.config.arch : Architecture::kipf;
}

}  // namespace gdkm
