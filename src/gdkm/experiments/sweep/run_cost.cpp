#include "gdkm/experiments/sweep/run_cost.hpp"

#include <algorithm>

#include "gdkm/settings/settings_json.hpp"

namespace gdkm {

namespace {

constexpr double guessed_rate = 25e9;
constexpr double constant_flops = 5e8;  // loading, k-means and the like, independent of size

/// The number of Gram layers of a DKM.
double gram_layers(const std::string& arch, double layers) {
  return arch == "platonov" ? 1 + 2 * layers : layers;
}

double dkm_step(const nlohmann::json& o, const DatasetFacts& facts, double nodes) {
  const auto n = nodes, m = std::min(o.value("inducing", 200.0), nodes);
  const double grams = gram_layers(o.value("arch", "kipf"), o.value("layers", 2.0));
  const double intra = o.value("scheme", "inter") == "intra" ? 2 : 1;
  const double first =
      4 * static_cast<double>(facts.nonzeros) * m * (nodes / static_cast<double>(facts.nodes));
  const double layers = grams * (14 * n * m * m + 10 * m * m * m) * intra;
  const double mixing = grams * 8 * static_cast<double>(facts.edges) * m;
  const double readout = 6 * n * m * static_cast<double>(std::max<std::int64_t>(facts.classes, 1));
  return first + layers + mixing + readout;
}

double gcn_step(const nlohmann::json& o, const DatasetFacts& facts) {
  const auto n = static_cast<double>(facts.nodes), w = o.value("width", 64.0);
  const double layers = o.value("layers", 2.0);
  const double hidden = o.value("arch", "kipf") == "platonov" ? 2 * layers : layers - 2;
  const double out = 2 * n * w * static_cast<double>(std::max<std::int64_t>(facts.classes, 1));
  // Validation costs another half step.
  return 4 * (2 * static_cast<double>(facts.nonzeros) * w +
              2 * layers * static_cast<double>(facts.edges) * w + 2 * hidden * n * w * w + out);
}

/// Regression with a kernel over all nodes: XXᵀ, for every layer two sparse products and Φ, and the solves,
/// whose size is that of the training nodes, which is not known here.
double exact_regression(const nlohmann::json& o, const DatasetFacts& facts, double n) {
  const double layer = 8 * n * static_cast<double>(facts.edges) + 60 * n * n;
  return 2 * n * static_cast<double>(facts.nonzeros) + o.value("layers", 2.0) * layer + n * n * n / 10;
}

/// Whether a run was on such a device. A run that does not name its device may have been.
bool ran_on(const StoredRun& run, const std::string& device) {
  if (!run.environment || run.environment->device.empty()) return true;
  return run.environment->device.starts_with("cuda") == (device == "cuda");
}

/// What a model sees: where it pools features, a row for each graph and no edges.
DatasetFacts facts_of_rows(const Configuration& c, DatasetFacts facts) {
  if (facts.task != "graph" || c.options.value("pool_features", "none") == "none") return facts;
  facts.nodes = facts.graphs;
  facts.edges = 0;
  return facts;
}

}  // namespace

double run_flops(const Configuration& c, const DatasetFacts& given) {
  const DatasetFacts facts = facts_of_rows(c, given);
  double of_members = 0;
  for (const MemberOptions& member : parse_members(c.options.value("members", ""))) {
    Configuration alone = c;
    alone.options.erase("members");
    for (const auto& [name, value] : member) alone.options[name] = to_json(*find_option(name), value);
    of_members += run_flops(alone, given);
  }
  if (of_members > 0) return of_members;
  const auto n = static_cast<double>(std::max<std::int64_t>(facts.nodes, 1));
  const double epochs = c.options.value("epochs", 1.0);
  if (c.options.value("exact", false)) {
    if (c.model != "dkm") return constant_flops + exact_regression(c.options, facts, n);
    return constant_flops + epochs * 10 * c.options.value("layers", 2.0) * n * n * n;
  }
  if (c.model == "gcn") return constant_flops + epochs * gcn_step(c.options, facts);
  // Training leaves out nodes that no training label reaches; their number is not known here.
  return constant_flops + (epochs + 1) * dkm_step(c.options, facts, n);
}

std::string cost_kind(const Configuration& c) {
  if (c.options.value("exact", false)) return c.model == "dkm" ? "full-rank" : "exact";
  if (c.options.value("landmarks", false)) return "landmarks";
  return c.model == "gcn" ? "gcn" : "sparse";
}

RunCost::RunCost(const std::vector<StoredRun>& finished, const std::vector<DatasetFacts>& facts,
                 const std::string& device) {
  for (const StoredRun& run : finished) {
    if (!run.result || !(run.result->seconds > 0) || !ran_on(run, device)) continue;
    const Configuration& c = run.configuration;
    const auto found = std::find_if(facts.begin(), facts.end(),
                                    [&](const DatasetFacts& each) { return each.name == c.dataset; });
    if (found == facts.end()) continue;
    const double rate = run_flops(c, *found) / run.result->seconds;
    rates_[cost_kind(c) + " " + c.dataset].push_back(rate);
    rates_[cost_kind(c)].push_back(rate);
  }
  for (auto& [key, rates] : rates_) std::sort(rates.begin(), rates.end());
}

RunCost::Estimate RunCost::estimate(const Configuration& c, const DatasetFacts& facts) const {
  const double flops = run_flops(c, facts);
  const auto median = [](const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; };
  if (const auto at = rates_.find(cost_kind(c) + " " + c.dataset); at != rates_.end())
    return {flops / median(at->second), Basis::same_data};
  if (const auto at = rates_.find(cost_kind(c)); at != rates_.end())
    return {flops / median(at->second), Basis::same_model};
  return {flops / guessed_rate, Basis::guess};
}

}  // namespace gdkm
