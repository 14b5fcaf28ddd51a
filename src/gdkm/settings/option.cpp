#include "gdkm/settings/option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// Why models of this family lack an option that `models` have.
std::string lack_in_model(unsigned models, const Settings& settings) {
  const unsigned family = family_of(settings.model, form_of(settings));
  if (models == gcn_models) return "it is an option of " + option("model", "gcn");
  if (models == exact_nngp) return "it goes with " + option("model", "nngp") + " " + option("exact");
  if (models == full_rank_dkm) return "it goes with " + option("model", "dkm") + " " + option("exact");
  if (family == landmark_nngp)
    return option("landmarks") +
           " is one step of regression at fixed inducing points, without a trained readout";
  if ((family & exact_models) == 0) return "a " + name_of(settings.model) + " has no such option";
  if (family == full_rank_dkm && (models & exact_nngp) != 0) return "a dkm of full rank has no such option";
  if (family == exact_nngp && (models & full_rank_dkm) != 0) return "GP regression has a single step";
  return "an exact model has no such option: it has no inducing points, no trained readout and one order of "
         "layers, and computes in float64, one run at a time";
}

}  // namespace

DataKind kind_of(const Dataset& dataset) {
  return {dataset.task, dataset.is_regression(), dataset.graph.directed,
          dataset.columns.kind == FeatureColumns::Kind::table};
}

const Option* find_option(const std::string& name) {
  const auto& all = option_table();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Option& o) { return o.name == name; });
  return at == all.end() ? nullptr : &*at;
}

OptionValue value_before(const Option& option, ModelKind model) {
  return option.before ? OptionValue(option.before(model)) : option.get(Settings{});
}

bool model_has(const Option& option, ModelKind model, ModelForm form) {
  const bool fixed_by_model = option.name == "nu" && model == ModelKind::nngp;
  return (option.models & family_of(model, form)) != 0 && !fixed_by_model;
}

std::string lack_of_effect(const Option& option, const Settings& settings, const DataKind& data) {
  if ((option.models & family_of(settings.model, form_of(settings))) == 0)
    return lack_in_model(option.models, settings);
  return option.condition ? option.condition(settings, data) : "";
}

void refuse_without_effect(const std::set<std::string>& given, const Settings& settings,
                           const DataKind& data) {
  for (const Option& option : option_table()) {
    if (!given.contains(option.name)) continue;
    const std::string why = lack_of_effect(option, settings, data);
    if (why.empty() || to_text(option.get(settings)) == option.implied) continue;
    throw OptionError(option.name, "", why, "leave it out");
  }
}

namespace {

void check_gcn(const Settings& s) {
  if (s.model != ModelKind::gcn) return;
  const ModelConfig& config = s.config;
  if (config.degree() > 0)
    throw OptionError(config.relations.empty() ? "arch" : "relations",
                      config.relations.empty() ? name_of(config.arch) : to_string(config.relations),
                      "the weights of its powers are learned, and a gcn has matrices that stay",
                      "use " + option("relations", "self,gcn,gcn2"));
  if (!is_kipf(config.arch) && config.arch != Architecture::platonov)
    throw OptionError("arch", name_of(config.arch),
                      "a gcn is kipf or platonov, or kipf with the relations of sage, mixhop, rgcn or dirgnn",
                      "use one of these");
}

void check_exact_relations(const Settings& s) {
  const auto& asked = s.config.relations;
  if (!s.exact || asked.empty() || asked == std::vector<RelationSpec>{RelationSpec{}}) return;
  if (s.model == ModelKind::dkm)
    throw OptionError("relations", to_string(asked), "a dkm of full rank mixes with gcn alone",
                      "leave it out");
  if (s.network != ExactNetwork::gcn)
    throw OptionError("relations", to_string(asked),
                      option("network", name_of(s.network)) + " has relations of its own",
                      "leave one of them out");
}

}  // namespace

void check_settings(const Settings& s, const DataKind& data) {
  const ModelConfig& config = s.config;
  if (s.model == ModelKind::gcn && s.exact)
    throw OptionError("exact", "true", "it goes with " + option("model", "nngp") + " or dkm",
                      "leave it out for a gcn");
  if (s.landmarks && s.model != ModelKind::nngp)
    throw OptionError("landmarks", "true", "it goes with " + option("model", "nngp"),
                      "leave it out for a " + name_of(s.model));
  if (s.landmarks && s.exact)
    throw OptionError("landmarks", "true", option("exact") + " has no landmarks", "leave one of them out");
  const bool pooled = s.preprocessing.makes_rows();
  const std::string pool_first = option("pool_features", "root") + " makes one row of each graph";
  if (s.landmarks && data.task == Task::graph && !pooled)
    throw OptionError("landmarks", "true", "it predicts rows of features, not graphs of several nodes",
                      pool_first + "; or use " + option("fixed_inducing"));
  if (s.chooses_nu() && s.exact)
    throw OptionError("nu", "auto", "a dkm of full rank takes nu as it is given", "give a number");
  if (s.chooses_nu() && s.training.select == Select::elbo)
    throw OptionError("nu", "auto", "the ELBO does not compare values of nu; it is larger for smaller ones",
                      "select by something else, or give a number");
  if (s.model == ModelKind::dkm && !s.chooses_nu() && config.nu.size() != 1 &&
      config.nu.size() != static_cast<std::size_t>(config.layers)) {
    throw OptionError("nu", to_text(config.nu),
                      fmt::format("{} values for {} layers", config.nu.size(), config.layers),
                      "give one, or one per layer");
  }
  check_gcn(s);
  check_exact_relations(s);
  if (config.affine && !config.center && s.is_sparse())
    throw OptionError("affine", "true", "it goes with " + option("center"), "add it, or leave both out");
  if (s.is_sparse() && s.training.inference != Inference::paper && config.temper <= 0)
    throw OptionError("temper_w", "0", "natural inference needs the prior of the weights",
                      "use a positive number, or " + option("inference", "paper"));
  if (s.is_sparse() && s.training.inference != Inference::paper && config.sampling == Sampling::weights)
    throw OptionError("sampling", "weights", "natural inference samples no weights",
                      "leave it out, or use " + option("inference", "paper"));
  if (s.training.inference == Inference::paper && s.training.epochs == 0 &&
      (s.is_sparse() || s.model == ModelKind::gcn))
    throw OptionError("epochs", "auto", "the paper's schedule needs to know its end", "give a number");
  if (s.exact && s.training.epochs == 0)
    throw OptionError("epochs", "auto", "exact models take a number of steps", "give a number");
  const MathMode math = s.device.math;
  if (asks_for_tensor_cores(math) && (s.device.device.is_cpu() || s.precision == Precision::float64))
    throw OptionError("math", name_of(math),
                      "it goes with " + option("device", "cuda") + " and " + option("precision", "float32"),
                      "leave it out");
  if (s.is_sparse() && config.scheme == Scheme::intra) {
    const std::string inter = "use " + option("scheme", "inter");
    if (config.mixing() != std::vector<RelationSpec>{RelationSpec{}})
      throw OptionError("relations", to_string(config.mixing()),
                        "inducing points at nodes (" + option("scheme", "intra") +
                            ") would need the features of all relations side by side",
                        inter);
    if (s.preprocessing.adjacency.keep_direction && data.directed.value_or(false))
      throw OptionError("directed", "true",
                        "inducing points at nodes (" + option("scheme", "intra") + ") need a symmetric graph",
                        inter);
    if (data.task == Task::graph)
      throw OptionError(
          "scheme", "intra",
          "its inducing points sit at the nodes of one graph, and this data set has many graphs", inter);
  }
  const bool mixes_once = config.mixes_inputs() && config.layers == 1;  // with as many variables as locations
  if (s.is_sparse() && !mixes_once && config.inducing < config.relation_count())
    throw OptionError("inducing", std::to_string(config.inducing),
                      fmt::format("every one of {} relations needs one at least", config.relation_count()),
                      "use more");
  if (s.model == ModelKind::gcn && data.regression.value_or(false))
    throw OptionError("model", "gcn", "it predicts classes, and this data set has numbers to predict",
                      "use dkm or nngp");
  if (s.training.select == Select::r2 && data.regression == false)
    throw OptionError("select", "r2", "it is for numbers to predict, and this data set has classes",
                      "use accuracy or f1");
  if ((s.training.select == Select::f1 || s.training.select == Select::auc) && data.regression == true)
    throw OptionError("select", name_of(s.training.select),
                      "it is for classes, and this data set has numbers to predict", "use r2");
  if (s.exact && data.task == Task::graph && !pooled)
    throw OptionError("exact", "true", "exact models predict rows of features, not graphs of several nodes",
                      pool_first + "; or leave it out");
  if (pooled && relations_of(s) != std::vector<RelationSpec>{RelationSpec{}}) {
    const bool by_name = !config.relations.empty(), by_network = s.exact && s.model == ModelKind::nngp;
    const std::string what = by_name      ? option("relations")
                             : by_network ? option("network", name_of(s.network))
                                          : option("arch", name_of(config.arch));
    throw OptionError("pool_features", name_of(s.preprocessing.pool_features),
                      what + " mixes with relations, and no edge is left",
                      by_name ? "leave " + option("relations") + " out"
                              : "use " + (by_network ? option("network", "gcn") : option("arch", "kipf")));
  }
  if (s.exact && !s.members.empty())
    throw OptionError("members", to_string(s.members),
                      "a committee is made of models that can be saved, and exact ones cannot",
                      "leave out one of " + option("members") + " and " + option("exact"));
  check_members(s, data);
}

}  // namespace gdkm
