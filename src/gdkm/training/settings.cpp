#include "gdkm/training/settings.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::ordered_json;

template <class E>
E value_of(const std::string& name, const std::string& what) {
  if (const auto value = value_named<E>(name)) return *value;
  throw InputError("'" + name + "' is no " + what);
}

// JSON has no infinity.
Json number(double value) {
  return std::isinf(value) ? Json("inf") : Json(value);
}
double number(const Json& json) {
  return json.is_string() && json.get<std::string>() == "inf" ? INFINITY : json.get<double>();
}

}  // namespace

Json to_json(const Settings& s) {
  Json nu = Json::array();
  for (const double v : s.config.nu) nu.push_back(number(v));
  return {{"nu", nu.size() == 1 ? nu[0] : nu},
          {"scheme", name_of(s.config.scheme)},
          {"inducing", s.config.inducing},
          {"layers", s.config.layers},
          {"arch", name_of(s.config.arch)},
          {"center", s.config.center},
          {"affine", s.config.affine},
          {"pool", name_of(s.config.pooling)},
          {"regression", s.config.regression},
          {"lambda", s.config.lambda},
          {"kernel", name_of(s.config.kernel)},
          {"exact", s.exact},
          {"network", name_of(s.network)},
          {"noise", s.noise},
          {"width", s.gcn.width},
          {"dropout", s.gcn.dropout},
          {"batch_norm", s.gcn.batch_norm},
          {"row_normalise", s.gcn.row_normalise},
          {"weight_decay", s.gcn.weight_decay},
          {"patience", s.patience},
          {"epochs", s.training.epochs},
          {"lr", s.training.rate},
          {"batches", s.training.batches.batches},
          {"partition", name_of(s.training.batches.partition)},
          {"batch_size", s.training.batches.graphs},
          {"samples", s.config.samples},
          {"sampling", name_of(s.config.sampling)},
          {"temper_w", s.config.temper},
          {"fixed_scale", !s.config.learned_scale},
          {"bias", s.config.bias},
          {"init", name_of(s.training.init)},
          {"jitter", s.config.jitter},
          {"normalise", name_of(s.preprocessing.normalise)},
          {"directed", s.preprocessing.adjacency.keep_direction},
          {"ignore_weights", !s.preprocessing.adjacency.use_weights},
          {"keep_self_loops", s.preprocessing.adjacency.keep_self_loops},
          {"largest_component", s.preprocessing.largest_component},
          {"degree_features", s.preprocessing.degree_features},
          {"split_set", s.split_set},
          {"split", s.split},
          {"split_seed", s.split_seed},
          {"seed", s.training.seed},
          {"seeds", s.seeds},
          {"splits", s.splits == 0 ? Json("all") : Json(s.splits)},
          {"precision", name_of(s.precision)},
          {"device", s.device},
          {"tf32", s.tf32},
          {"threads", s.threads},
          {"jobs", s.jobs}};
}

Settings settings_from_json(const Json& json, const std::string& where) {
  try {
    Settings s;
    const Json& nu = json.at("nu");
    s.config.nu.clear();
    if (nu.is_array()) {
      for (const Json& v : nu) s.config.nu.push_back(number(v));
    } else {
      s.config.nu.push_back(number(nu));
    }
    s.config.scheme = value_of<Scheme>(json.at("scheme"), "scheme");
    s.config.inducing = json.at("inducing");
    s.config.layers = json.at("layers");
    s.config.arch = value_of<Architecture>(json.at("arch"), "architecture");
    s.config.center = json.at("center");
    s.config.affine = json.at("affine");
    s.config.regression = json.at("regression");
    s.config.pooling = value_of<Pooling>(json.at("pool"), "pooling");
    s.training.batches.batches = json.at("batches");
    s.training.batches.partition = value_of<Partition>(json.at("partition"), "partition");
    s.training.batches.graphs = json.at("batch_size");
    s.config.lambda = json.at("lambda");
    s.config.kernel = value_of<KernelKind>(json.at("kernel"), "kernel");
    s.exact = json.at("exact");
    s.network = value_of<ExactNetwork>(json.at("network"), "network");
    s.noise = json.at("noise");
    s.gcn.width = json.at("width");
    s.gcn.dropout = json.at("dropout");
    s.gcn.batch_norm = json.at("batch_norm");
    s.gcn.row_normalise = json.at("row_normalise");
    s.gcn.weight_decay = json.at("weight_decay");
    s.patience = json.at("patience");
    s.gcn.arch = s.config.arch == Architecture::platonov ? Architecture::platonov : Architecture::kipf;
    s.gcn.layers = s.config.layers;
    s.gcn.pooling = s.config.pooling;
    s.training.epochs = json.at("epochs");
    s.training.rate = json.at("lr");
    s.config.samples = json.at("samples");
    s.config.sampling = value_of<Sampling>(json.at("sampling"), "sampling");
    s.config.temper = json.at("temper_w");
    s.config.learned_scale = !json.at("fixed_scale").get<bool>();
    s.config.bias = json.value("bias", false);  // older files do not say it
    s.training.init = value_of<Init>(json.at("init"), "init");
    s.config.jitter = json.at("jitter");
    s.preprocessing.normalise = value_of<Normalisation>(json.at("normalise"), "normalisation");
    s.preprocessing.adjacency.keep_direction = json.at("directed");
    s.preprocessing.adjacency.use_weights = !json.at("ignore_weights").get<bool>();
    s.preprocessing.adjacency.keep_self_loops = json.at("keep_self_loops");
    s.preprocessing.largest_component = json.at("largest_component");
    s.preprocessing.degree_features = json.value("degree_features", false);  // older files do not say it
    s.split_set = json.at("split_set");
    s.split = json.at("split");
    s.split_seed = json.at("split_seed");
    s.training.seed = json.at("seed");
    s.seeds = json.at("seeds");
    s.splits = json.at("splits").is_string() ? 0 : json.at("splits").get<int>();
    s.precision = value_of<Precision>(json.at("precision"), "precision");
    s.device = json.value("device", "cpu");  // older files do not say it
    s.tf32 = json.value("tf32", false);
    s.threads = json.at("threads");
    s.jobs = json.value("jobs", 0);
    if (s.config.inducing < 1 || s.config.layers < 1 || s.config.nu.empty() ||
        (s.config.nu.size() != 1 && s.config.nu.size() != static_cast<std::size_t>(s.config.layers))) {
      throw InputError("its sizes are impossible");
    }
    return s;
  } catch (const Json::exception& error) {
    throw InputError(where + ": the options are incomplete (" + error.what() + ")");
  } catch (const InputError& error) {
    throw InputError(where + ": the options cannot be used: " + error.what());
  }
}

}  // namespace gdkm
