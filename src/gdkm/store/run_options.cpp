#include "gdkm/store/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/support/edit_distance.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/settings.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::json;

/// Kinds of models, as far as they have different options.
enum Family : unsigned { sparse = 1, gcn = 2, exact_dkm = 4, exact_nngp = 8 };
constexpr unsigned exact_models = exact_dkm | exact_nngp, every = sparse | gcn | exact_models;

struct Option {
  enum class Kind { flag, whole, real, choice, nu, text, split };
  std::string key;
  unsigned families;
  Kind kind;
  double least = 0, most = 0;
  std::vector<std::string> choices = {};
  bool later = false;  // added when there were stores: no part of a run's identity at its default
};

const std::vector<Option>& table() {
  using enum Option::Kind;
  static const std::vector<Option> options{
      {"nu", sparse | exact_dkm, nu},
      {"scheme", sparse, choice, 0, 0, {"inter", "intra"}},
      {"inducing", sparse, whole, 1, 20000},
      {"layers", every, whole, 1, 64},
      {"arch", sparse | gcn, choice, 0, 0, {"kipf", "resid", "platonov", "algorithm1"}},
      {"center", sparse, flag},
      {"affine", sparse, flag},
      {"pool", sparse | gcn, choice, 0, 0, {"mean", "sum"}},
      {"lambda", every, real, 0, 1},
      {"kernel", sparse | exact_models, choice, 0, 0, {"arccos", "rbf", "linear"}},
      {"exact", every, flag},
      {"network", exact_nngp, choice, 0, 0, {"gcn", "sage", "gin", "gcnii", "rbf", "linear"}},
      {"noise", exact_dkm, real, 1e-12, 1e12},
      {"width", gcn, whole, 1, 1000000},
      {"dropout", gcn, real, 0, 0.999},
      {"batch_norm", gcn, flag},
      {"row_normalise", gcn, flag},
      {"weight_decay", gcn, real, 0, 1e6},
      {"patience", gcn, whole, 0, 1e9},
      {"epochs", sparse | gcn | exact_dkm, whole, 1, 10000000},
      {"lr", sparse | gcn | exact_dkm, real, 1e-12, 1e3},
      {"batches", sparse, whole, 1, 1000000},
      {"partition", sparse, choice, 0, 0, {"metis", "random"}},
      {"batch_size", sparse | gcn, whole, 1, 1e9},
      {"samples", sparse, whole, 1, 4096},
      {"sampling", sparse, choice, 0, 0, {"node", "weights"}},
      {"temper_w", sparse, real, 0, 1e6},
      {"fixed_scale", sparse, flag},
      {"bias", sparse, flag, 0, 0, {}, true},
      {"init", sparse, choice, 0, 0, {"kmeans", "random"}},
      {"jitter", sparse | exact_dkm, real, 0, 0.1},
      {"normalise", every, choice, 0, 0, {"l2", "sum", "none"}},
      {"directed", every, flag},
      {"ignore_weights", every, flag},
      {"keep_self_loops", every, flag},
      {"largest_component", every, flag},
      {"degree_features", every, flag, 0, 0, {}, true},
      {"split_set", every, text},
      {"split", every, split},
      {"split_seed", every, whole, 0, 4294967295.0},
      {"precision", every, choice, 0, 0, {"float32", "float64"}},
  };
  return options;
}

/// Those that were added later, at their defaults.
const RunOptions& later_defaults() {
  static const RunOptions defaults = [] {
    const Settings settings;
    const nlohmann::ordered_json all = to_json(settings);
    RunOptions out;
    for (const Option& option : table()) {
      if (option.later) out[option.key] = check_option(option.key, all.at(option.key));
    }
    return out;
  }();
  return defaults;
}

const Option* find(const std::string& key) {
  const auto& all = table();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Option& o) { return o.key == key; });
  return at == all.end() ? nullptr : &*at;
}

unsigned family_of(const std::string& model, bool exact) {
  if (model == "gcn") return gcn;
  if (!exact) return sparse;
  return model == "dkm" ? exact_dkm : exact_nngp;
}

[[noreturn]] void refuse(const std::string& key, const Json& value, const std::string& allowed) {
  throw InputError(fmt::format("{} = {} cannot be; it must be {}", key, value.dump(), allowed));
}

std::optional<double> nu_value(const Json& value) {
  if (value.is_string()) return value == "inf" ? std::optional(INFINITY) : std::nullopt;
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  const bool possible = number >= 0 && (std::isinf(number) || number <= 1e12);
  return possible ? std::optional(number) : std::nullopt;
}

Json canonical_nu(const std::string& key, const Json& value) {
  const std::string allowed = "a number from 0 to 1e12, \"inf\", or a list of these, one per layer";
  const auto one = [&](const Json& each) -> Json {
    const auto number = nu_value(each);
    if (!number) refuse(key, value, allowed);
    return std::isinf(*number) ? Json("inf") : Json(*number);
  };
  if (!value.is_array()) return one(value);
  if (value.empty()) refuse(key, value, allowed);
  Json out = Json::array();
  for (const Json& each : value) out.push_back(one(each));
  return out.size() == 1 ? out[0] : out;
}

void check_together(const std::string& model, const Json& options) {
  const auto is_set = [&](const char* key) { return options.value(key, false); };
  if (is_set("affine") && !is_set("center"))
    throw InputError("affine = true goes with center = true; set both or neither");
  if (options.contains("nu") && options["nu"].is_array() &&
      options["nu"].size() != options.value("layers", std::size_t{0})) {
    throw InputError(fmt::format("nu = {} has {} values for {} layers; give one, or one per layer",
                                 options["nu"].dump(), options["nu"].size(), options["layers"].dump()));
  }
  const std::string arch = options.value("arch", "kipf");
  if (model == "gcn" && arch != "kipf" && arch != "platonov")
    throw InputError("arch = \"" + arch + "\": a gcn is kipf or platonov; use one of these");
}

}  // namespace

std::string option_key(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool is_option(const std::string& key) {
  return find(key) != nullptr;
}

bool has_option(const std::string& model, bool exact, const std::string& key) {
  const Option* option = find(key);
  if (option == nullptr || ((key == "nu" || key == "exact") && model == "gcn")) return false;
  return (option->families & family_of(model, exact)) != 0 && !(key == "nu" && model == "nngp");
}

std::vector<std::string> options_of(const std::string& model, bool exact) {
  std::vector<std::string> out;
  for (const Option& option : table()) {
    if (has_option(model, exact, option.key)) out.push_back(option.key);
  }
  return out;
}

Json check_option(const std::string& key, const Json& value) {
  const Option& option = *find(key);
  switch (option.kind) {
    case Option::Kind::flag:
      if (!value.is_boolean()) refuse(key, value, "true or false");
      return value;
    case Option::Kind::whole:
      if (!value.is_number_integer() || value.get<double>() < option.least ||
          value.get<double>() > option.most) {
        refuse(key, value, fmt::format("a whole number from {:.0f} to {:.0f}", option.least, option.most));
      }
      return value.get<std::int64_t>();
    case Option::Kind::real:
      // Negated, so that NaN fails too.
      if (!value.is_number() ||
          !(value.get<double>() >= option.least && value.get<double>() <= option.most)) {
        refuse(key, value, fmt::format("a number from {:g} to {:g}", option.least, option.most));
      }
      return value.get<double>();
    case Option::Kind::choice:
      if (!value.is_string() ||
          std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end()) {
        refuse(key, value, fmt::format("one of {}", fmt::join(option.choices, ", ")));
      }
      return value;
    case Option::Kind::nu:
      return canonical_nu(key, value);
    case Option::Kind::split:
      if (!value.is_string()) refuse(key, value, "a text such as \"60/20/20\"");
      if (value != "") parse_split_spec(value.get<std::string>());
      return value;
    case Option::Kind::text:
      break;
  }
  if (!value.is_string()) refuse(key, value, "a text");
  return value;
}

Json complete_options(const std::string& model, const RunOptions& given) {
  const auto exact_given = given.find("exact");
  const bool exact = exact_given != given.end() && exact_given->second == true;
  const Settings defaults;
  const nlohmann::ordered_json all = to_json(defaults);
  Json out = Json::object();
  for (const std::string& key : options_of(model, exact)) out[key] = check_option(key, all.at(key));
  if (model == "nngp") out["nu"] = "inf";
  for (const auto& [key, value] : given) {
    if (!has_option(model, exact, key)) {
      throw InputError(fmt::format("'{}' is no option of {}{}; it has {}", key, exact ? "an exact " : "",
                                   model, fmt::join(options_of(model, exact), ", ")));
    }
    out[key] = check_option(key, value);
  }
  check_together(model, out);
  return out;
}

Json identifying_options(const Json& options) {
  Json out = options;
  for (const auto& [key, value] : later_defaults()) {
    if (const auto at = out.find(key); at != out.end() && *at == value) out.erase(at);
  }
  return out;
}

void add_later_options(const std::string& model, Json& options) {
  const bool exact = options.value("exact", false);
  for (const auto& [key, value] : later_defaults()) {
    if (has_option(model, exact, key) && !options.contains(key)) options[key] = value;
  }
}

}  // namespace gdkm
