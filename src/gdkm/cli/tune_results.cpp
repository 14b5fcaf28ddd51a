#include "gdkm/cli/tune_results.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/text_table.hpp"

namespace gdkm::cli {

std::string tune_table(const TuneSummary& summary, Select metric, bool regression) {
  const std::string name = regression && metric == Select::accuracy ? "R2" : name_of(metric);
  TextTable table({"settings", "val " + name, "gain over the default", "test " + name, "runs"});
  table.align_right({1, 2, 3, 4});
  for (const FinalistSummary& each : summary.finalists) {
    const auto test = each.winner ? summary.test : each.plain ? summary.default_test : std::nullopt;
    table.add({contender_text(each.contender) + (each.plain ? " (default)" : ""),
               metric_text(each.val, metric, regression),
               each.gain ? gain_text(*each.gain, metric, regression) : "",
               test ? metric_text(*test, metric, regression) : "", std::to_string(each.runs)});
  }
  return table.text();
}

nlohmann::ordered_json tune_json(const TuneResult& result, const TuneSummary& summary, Select metric) {
  using Json = nlohmann::ordered_json;
  const double sign = metric == Select::nll ? -1 : 1;
  const auto add = [&](Json& to, const std::string& name, const std::optional<Summary>& score) {
    if (!score) return;
    to[name + "_mean"] = sign * score->mean;
    to[name + "_std"] = score->std;
  };
  const auto difference = [&](const PairedDifference& gain) {
    return Json{{"mean", sign * gain.mean}, {"standard_error", gain.error}, {"pairs", gain.pairs}};
  };
  Json out{{"metric", name_of(metric)},    {"seconds", result.seconds}, {"complete", result.complete},
           {"settings", summary.settings}, {"runs", summary.runs},      {"failed", summary.failed},
           {"winner", result.winner},      {"finalists", Json::array()}};
  for (const FinalistSummary& each : summary.finalists) {
    Json line{
        {"options", each.contender}, {"winner", each.winner}, {"default", each.plain}, {"runs", each.runs}};
    add(line, "val", each.val);
    if (each.gain) line["gain_over_default"] = difference(*each.gain);
    out["finalists"].push_back(std::move(line));
  }
  add(out, "test", summary.test);
  add(out, "default_test", summary.default_test);
  if (summary.test_gain) out["test_gain_over_default"] = difference(*summary.test_gain);
  if (summary.gain_over_gcn) out["val_gain_over_gcn"] = difference(*summary.gain_over_gcn);
  if (summary.majority) out["majority_accuracy_mean"] = summary.majority->mean;
  Json& effects = out["effects"] = Json::array();
  for (const OptionEffect& each : summary.effects) {
    effects.push_back({{"option", each.option},
                       {"value", each.value},
                       {"usual", each.usual},
                       {"difference", difference(each.difference)}});
  }
  return out;
}

}  // namespace gdkm::cli
