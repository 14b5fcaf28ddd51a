#include "gdkm/experiments/report/report_json.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "gdkm/experiments/drawing/colours.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/report/report_run_json.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::ordered_json;

/// [mean, standard deviation, count], as the page's script takes it.
Json triple(const Summary& summary) {
  return {rounded(summary.mean), rounded(summary.std), summary.count};
}

Json triple(const std::optional<Summary>& summary) {
  return summary ? triple(*summary) : Json(nullptr);
}

Json datasets_json(const std::vector<DatasetFacts>& facts) {
  Json out = Json::array();
  for (const DatasetFacts& each : facts) {
    out.push_back({{"name", each.name},
                   {"task", each.task},
                   {"nodes", each.nodes},
                   {"edges", each.edges},
                   {"features", each.features},
                   {"classes", each.classes},
                   {"graphs", each.graphs},
                   {"homophily", rounded(each.homophily)}});
  }
  return out;
}

Json mixing_json(const MixingWeights& mixing) {
  if (mixing.layers.empty()) return nullptr;
  Json layers = Json::array();
  for (const auto& layer : mixing.layers) {
    Json weights = Json::array();
    for (const double weight : layer) weights.push_back(rounded(weight));
    layers.push_back(std::move(weights));
  }
  return {{"names", mixing.names}, {"layers", layers}};
}

Json results_json(const std::vector<ReportResult>& results) {
  Json out = Json::array();
  for (const ReportResult& each : results) {
    Json options = Json::object();
    for (const auto& [key, value] : each.options.items()) options[key] = option_text(value);
    out.push_back({{"sweep", each.sweep},
                   {"study", each.study},
                   {"dataset", each.dataset},
                   {"model", each.model},
                   {"stage", each.stage},
                   {"options", options},
                   {"val", triple(each.val)},
                   {"test", triple(each.test)},
                   {"ece", triple(each.ece)},
                   {"nll", triple(each.nll)},
                   {"runs", each.runs},
                   {"failed", each.failed},
                   {"planned", each.planned},
                   {"regression", each.regression},
                   {"chosen_by", each.chosen_by},
                   {"mixing", mixing_json(each.mixing)}});
  }
  return out;
}

Json curves_json(const std::vector<ReportNuCurve>& curves) {
  Json out = Json::array();
  for (const ReportNuCurve& curve : curves) {
    Json points = Json::array();
    for (const ReportNuPoint& point : curve.points) {
      points.push_back({{"nu", nu_name(point.nu)},
                        {"scheme", point.scheme},
                        {"val", triple(point.val)},
                        {"test", triple(point.test)},
                        {"runs", point.runs}});
    }
    Json fixed = Json::array();
    for (const FixedKernel& kernel : curve.fixed) {
      fixed.push_back({{"name", name_of(kernel.kind)},
                       {"style", kernel.style()},
                       {"val", triple(kernel.val)},
                       {"test", triple(kernel.test)},
                       {"runs", kernel.runs}});
    }
    Json one{{"dataset", curve.dataset}, {"points", points}, {"fixed", fixed}};
    if (curve.gain) {
      const ReportGain& gain = *curve.gain;
      one["gain"] = {{"nu", nu_name(gain.nu)},
                     {"mean", rounded(gain.difference.summary.mean)},
                     {"error", rounded(gain.difference.error)},
                     {"count", gain.difference.summary.count},
                     {"verdict", name_of(gain.verdict())}};
    }
    out.push_back(std::move(one));
  }
  return out;
}

Json kernels_json(const ReportKernelSet& set) {
  Json out = Json::array();
  for (const ReportKernels& kernels : set.kernels) {
    Json by_nu = Json::array();
    for (const ReportKernel& kernel : kernels.by_nu) {
      by_nu.push_back({{"nu", nu_name(kernel.nu)},
                       {"run", kernel.run},
                       {"val", kernel.val ? rounded(*kernel.val) : Json(nullptr)},
                       {"cka", rounded(kernel.cka)},
                       {"pixels", half_picture(kernel.picture)}});
    }
    out.push_back({{"dataset", kernels.dataset},
                   {"of_graphs", kernels.of_graphs},
                   {"of_class", kernels.of_class},
                   {"class_names", kernels.class_names},
                   {"by_nu", by_nu}});
  }
  return out;
}

/// What the page's charts share with those that the library draws; colours are CSS variables.
Json drawing_json() {
  return {{"colours", colours::series.size()}, {"markers", colours::markers}, {"ramp", colours::ramp}};
}

}  // namespace

Json overview_json(const ReportContent& content) {
  std::map<RunStatus, int> count;
  double seconds = 0, first = 0, last = 0;
  std::map<std::string, std::set<std::string>> found;
  for (const auto& [id, run] : content.runs) {
    ++count[run.status];
    if (run.result) seconds += run.result->seconds;
    if (run.started > 0 && (first == 0 || run.started < first)) first = run.started;
    last = std::max(last, run.ended);
    if (!run.environment) continue;
    const nlohmann::json its = to_json(*run.environment);
    for (const auto& [key, value] : its.items()) found[key].insert(option_text(value));
  }
  Json environment = Json::object();
  for (const auto& [key, values] : found) environment[key] = values;
  return {{"runs", content.runs.size()},
          {"done", count[RunStatus::done]},
          {"failed", count[RunStatus::failed]},
          {"running", count[RunStatus::running]},
          {"pending", count[RunStatus::pending]},
          {"seconds", rounded(seconds)},
          {"first", rounded(first)},
          {"last", rounded(last)},
          {"environment", environment}};
}

Json report_json(const ReportContent& content, const Store& store) {
  Json without = Json::array();
  for (const auto& [dataset, why, no_time] : content.kernels.without)
    without.push_back({{"dataset", dataset}, {"why", why}, {"no_time", no_time}});
  return {{"format", 1},
          {"gdkm", std::string(version)},
          {"store", content.store},
          {"made", std::floor(wall_clock())},
          {"overview", overview_json(content)},
          {"datasets", datasets_json(content.facts)},
          {"results", results_json(content.results)},
          {"nu_curves", curves_json(content.curves)},
          {"kernels", kernels_json(content.kernels)},
          {"gain_rule", std::string(ReportGain::rule)},
          {"drawing", drawing_json()},
          {"without_kernels", without},
          {"runs", runs_json(content.runs)},
          {"curves", learning_curves_json(content.runs, store)},
          {"reliability", reliability_json(content.runs)}};
}

}  // namespace gdkm
