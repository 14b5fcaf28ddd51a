#include "gdkm/experiments/tune/tune_space.hpp"

#include <algorithm>

#include "gdkm/graph/features.hpp"
#include "gdkm/settings/settings_json.hpp"

namespace gdkm {

namespace {

/// Ways to scale features that are worth a try.
constexpr Normalisation scalings[] = {Normalisation::l2, Normalisation::standard, Normalisation::none,
                                      Normalisation::sum};

constexpr std::int64_t many_items_for_exact = 4000;      // whose kernels have n × n entries
constexpr std::int64_t many_nodes_for_structure = 6000;  // which add up to 2n features
constexpr std::int64_t most_diffused = 50'000'000;       // numbers of features, which diffusion makes dense
constexpr int usual_inducing = 200;

/// Without options that say what would hold anyway, so that equal settings are equal contenders.
Contender concise(Contender contender) {
  Settings usual;
  usual.model = model_named(contender.at("model"));
  std::erase_if(contender, [&](const auto& each) {
    const Option* known = find_option(each.first);
    return known != nullptr && value_from_json(*known, each.second) == known->get(usual);
  });
  return contender;
}

std::vector<Contender> concise(std::vector<Contender> contenders) {
  for (Contender& each : contenders) each = concise(std::move(each));
  return contenders;
}

Contender with(Contender base, const Contender& changes) {
  for (const auto& [key, value] : changes) base[key] = value;
  return base;
}

bool is(const Contender& contender, const std::string& key, const nlohmann::json& value) {
  const auto at = contender.find(key);
  return at != contender.end() && at->second == value;
}

bool is_sparse(const Contender& contender) {
  return !is(contender, "model", "gcn") && !is(contender, "exact", true) && !is(contender, "landmarks", true);
}

template <class T>
T value_or(const Contender& contender, const std::string& key, T otherwise) {
  const auto at = contender.find(key);
  return at == contender.end() ? otherwise : at->second.get<T>();
}

/// Both with kernels as they are and with learned ones.
void add_both(std::vector<Contender>& out, const Contender& options) {
  out.push_back(with({{"model", "nngp"}}, options));
  out.push_back(with({{"model", "dkm"}}, options));
}

std::vector<Contender> for_nodes(const TuneTask& task) {
  std::vector<Contender> out;
  const int several = static_cast<int>(std::min<std::int64_t>(2 * usual_inducing, task.facts.nodes));
  const auto mixing = [&](const char* relations, int layers) -> Contender {
    return {{"relations", relations}, {"layers", layers}, {"inducing", several}};
  };
  out.push_back({{"model", "nngp"}});
  if (task.directed) {
    add_both(out, mixing("self,in,out", 1));
    add_both(out, mixing("self,in,out", 2));
    out.push_back(with({{"model", "nngp"}}, mixing("und,in,out", 2)));
    out.push_back({{"model", "gcn"}, {"relations", "in,out"}});
    out.push_back({{"model", "gcn"}, {"relations", "self,in,out"}});
  }
  add_both(out, mixing("self,und", 2));
  add_both(out, {{"arch", "platonov"}});
  if (task.facts.nodes * task.facts.features <= most_diffused) add_both(out, {{"diffuse", 16}});
  add_both(out, mixing("self,gcn", 2));
  if (task.typed) add_both(out, {{"arch", "rgcn"}, {"inducing", several}});
  if (task.facts.nodes <= many_items_for_exact) out.push_back({{"model", "nngp"}, {"exact", true}});
  if (!task.regression) out.push_back({{"model", "nngp"}, {"landmarks", true}});
  out.push_back({{"model", "gcn"}, {"relations", "self,und"}});
  out.push_back({{"model", "gcn"}, {"arch", "platonov"}});
  add_both(out, {{"lambda", 0.5}});
  add_both(out, {{"layers", 1}});
  add_both(out, {{"arch", "resid"}});
  out.push_back({{"model", "nngp"}, {"center", true}, {"scheme", "intra"}});
  return out;
}

std::vector<Contender> for_graphs(const TuneTask& task) {
  std::vector<Contender> out;
  // What tells graphs apart is often how many nodes they have, and with how many neighbours.
  const Contender counts{{"bias", true}, {"degree_features", true}};
  const auto sums = with(counts, {{"pool", "sum"}});
  out.push_back({{"model", "nngp"}});
  for (const Contender& how : {counts, sums}) {
    add_both(out, with(how, {{"inducing", 100}}));
    out.push_back(with(
        how, {{"model", "dkm"}, {"arch", "platonov"}, {"nu", 0.01}, {"center", true}, {"inducing", 100}}));
  }
  if (task.typed) add_both(out, with(counts, {{"arch", "rgcn"}}));
  // Colours say what the surroundings of a node are, so that one layer that mixes nothing is enough.
  if (!task.facts.table) add_both(out, with(sums, {{"wl_features", 2}, {"layers", 1}, {"lambda", 1.0}}));
  // A kernel between histograms, which knows no graph any more.
  Contender rows{{"degree_features", true}, {"pool_features", "root"}, {"layers", 3}};
  if (!task.facts.table) rows["wl_features"] = 2;
  if (task.facts.graphs <= many_items_for_exact && !task.new_graphs)
    out.push_back(with(rows, {{"model", "nngp"}, {"exact", true}}));
  if (!task.regression)
    out.push_back(with(rows, {{"model", "nngp"}, {"landmarks", true}, {"inducing", 400}}));
  add_both(out, rows);
  out.push_back(
      with(counts, {{"model", "dkm"}, {"arch", "platonov"}, {"nu", 0.01}, {"center", true}, {"layers", 4}}));
  add_both(out, with(counts, {{"relations", "self,und"}}));
  out.push_back(with(sums, {{"model", "dkm"}, {"arch", "gin"}, {"inducing", 100}}));
  out.push_back({{"model", "gcn"}, {"degree_features", true}, {"pool", "sum"}});
  out.push_back({{"model", "gcn"}, {"degree_features", true}});
  add_both(out, {{"arch", "platonov"}});
  return out;
}

}  // namespace

Contender plain_default() {
  return {{"model", "dkm"}};
}

std::vector<Contender> reference_models(const TuneTask& task) {
  if (task.regression) return {};
  return {{{"model", "gcn"}}};
}

std::vector<Contender> mixing_contenders(const TuneTask& task) {
  auto out = task.of_graphs() ? for_graphs(task) : for_nodes(task);
  if (task.regression) std::erase_if(out, [](const Contender& c) { return is(c, "model", "gcn"); });
  return concise(std::move(out));
}

std::vector<Contender> feature_changes(const TuneTask& task, const Contender& base) {
  std::vector<Contender> out;
  const auto add = [&](const Contender& changes) {
    const Contender changed = with(base, changes);
    if (changed != base) out.push_back(changed);
  };
  add({{"degree_features", true}});
  for (const Normalisation scaling : scalings) {
    const bool has_units = task.facts.table || base.contains("pool_features");
    const bool is_usual = scaling == (has_units ? Normalisation::standard : Normalisation::l2);
    if (!is_usual) add({{"normalise", name_of(scaling)}});
  }
  if (is_sparse(base)) {
    add({{"center", true}});
    if (!task.regression) add({{"bias", true}});
    if (is(base, "center", true)) add({{"affine", true}});
  }
  if (task.of_graphs() && base.contains("pool_features")) {
    const int rounds = value_or(base, "wl_features", 0);
    for (const int other : {0, 1, 2, 3}) {
      if (other != rounds) add({{"wl_features", other}});
    }
    add({{"pool_features", "sum"}});
  } else if (task.of_graphs()) {
    add({{"pool", "sum"}});
    if (is(base, "pool", "sum")) add({{"pool", "mean"}});
  } else if (task.facts.nodes <= many_nodes_for_structure && !is(base, "exact", true)) {
    add({{"structure_features", true}});
  }
  if (is(base, "model", "gcn")) add({{"batch_norm", true}});
  return concise(std::move(out));
}

std::vector<Contender> size_changes(const TuneTask& task, const Contender& base) {
  std::vector<Contender> out;
  const auto add = [&](const Contender& changes) {
    const Contender changed = with(base, changes);
    if (changed != base) out.push_back(changed);
  };
  const int layers = value_or(base, "layers", 2);
  if (is_sparse(base) || is(base, "landmarks", true)) {
    const int inducing = value_or(base, "inducing", usual_inducing);
    for (const int times : {2, 4}) {
      const int more = static_cast<int>(std::min<std::int64_t>(
          times * inducing, base.contains("pool_features") ? task.facts.graphs : task.facts.nodes));
      if (more > inducing) add({{"inducing", more}});
    }
    if (task.of_graphs() && inducing > 50) add({{"inducing", inducing / 2}});
  }
  if (is(base, "model", "dkm")) {
    for (const double nu : {0.1, 10.0, 0.01, 100.0, 1.0}) {
      if (value_or(base, "nu", 1.0) != nu) add({{"nu", nu}});
    }
    if (is_sparse(base)) {
      Contender fixed = with(base, {{"model", "nngp"}});
      fixed.erase("nu");
      out.push_back(std::move(fixed));
    }
  } else if (is_sparse(base) && is(base, "model", "nngp")) {
    for (const double nu : {1.0, 0.1, 10.0}) add({{"model", "dkm"}, {"nu", nu}});
  }
  add({{"layers", layers + 1}});
  if (layers > 1) add({{"layers", layers - 1}});
  if (task.of_graphs() && layers < 4) add({{"layers", 4}});
  const bool mixes_once = !base.contains("relations") && !base.contains("arch");
  if (!task.of_graphs() && is_sparse(base) && mixes_once) add({{"scheme", "intra"}});
  if (is(base, "model", "gcn")) {
    add({{"width", 256}});
    add({{"dropout", 0.8}});
  }
  return concise(std::move(out));
}

Contender combined(const Contender& base, const Contender& first, const Contender& second) {
  Contender out = first;
  for (const auto& [key, value] : second) {
    const auto before = base.find(key);
    if (before == base.end() || before->second != value) out[key] = value;
  }
  for (const auto& [key, value] : base) {
    if (!second.contains(key)) out.erase(key);
  }
  return concise(std::move(out));
}

}  // namespace gdkm
