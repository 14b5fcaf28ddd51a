#include "gdkm/settings/model_choice.hpp"

#include <cmath>

#include "gdkm/models/exact/wide_network_kernels.hpp"
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
    out.arch = is_kipf(s.config.arch) ? Architecture::kipf : s.config.arch;
    out.relations = s.config.relation_count();
    out.layers = s.config.layers;
    out.pooling = s.config.pooling;
    return out;
  }
  if (s.exact && s.model == ModelKind::nngp)
    return ExactNngpConfig{s.network, s.config.layers, s.config.kernel, relations_of(s).front().degree};
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

std::vector<RelationSpec> relations_of(const Settings& s, bool directed) {
  if (!s.exact) return s.config.mixing();
  if (s.model == ModelKind::dkm) return {RelationSpec{}};
  const WideNetwork& network = wide_network(name_of(s.network));
  if (!network.uses_graph()) return {RelationSpec{}};
  if (s.network == ExactNetwork::gcn && !s.config.relations.empty()) return s.config.relations;
  const bool by_direction = directed && s.preprocessing.adjacency.keep_direction;
  return parse_relations(by_direction && network.directed_relations != nullptr ? network.directed_relations
                                                                               : network.relations);
}

Architecture input_architecture(const Settings& s) {
  if (s.exact && s.model == ModelKind::dkm) return Architecture::algorithm1;
  return s.is_sparse() ? s.config.arch : Architecture::kipf;
}

}  // namespace gdkm
