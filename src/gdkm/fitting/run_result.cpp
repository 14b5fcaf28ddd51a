#include "gdkm/fitting/run_result_json.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

namespace gdkm {

namespace {

using Json = nlohmann::ordered_json;

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
double number(const Json& json) {
  return json.is_null() ? std::nan("") : json.get<double>();
}

Json to_json(const std::optional<Metrics>& metrics) {
  if (!metrics) return nullptr;
  if (metrics->r2) return {{"r2", finite(*metrics->r2)}, {"rmse", *metrics->rmse}, {"nll", metrics->nll}};
  Json out{{"accuracy", metrics->accuracy}, {"nll", metrics->nll}, {"ece", metrics->ece}};
  if (metrics->auc) out["auc"] = *metrics->auc;
  if (metrics->confusion) {
    out["f1_macro"] = *metrics->f1_macro();
    out["f1_weighted"] = *metrics->f1_weighted();
    out["balanced_accuracy"] = *metrics->balanced_accuracy();
    Json& confusion = out["confusion"] = Json::array();
    for (int truth = 0; truth < metrics->confusion->classes; ++truth) {
      Json& row = confusion.emplace_back(Json::array());
      for (int c = 0; c < metrics->confusion->classes; ++c) row.push_back(metrics->confusion->at(truth, c));
    }
  }
  Json& reliability = out["reliability"] = Json::array();
  for (const ReliabilityBin& bin : metrics->reliability)
    reliability.push_back({bin.bin, bin.count, bin.confidence, bin.correct});
  return out;
}

std::optional<Metrics> metrics_from_json(const Json& json) {
  if (json.is_null()) return std::nullopt;
  Metrics out;
  if (json.contains("r2")) {
    out.accuracy = out.ece = std::nan("");
    out.r2 = number(json.at("r2"));
    out.rmse = json.at("rmse").get<double>();
    out.nll = json.at("nll");
    return out;
  }
  out.accuracy = json.at("accuracy");
  out.nll = json.at("nll");
  out.ece = json.at("ece");
  if (json.contains("auc")) out.auc = json.at("auc").get<double>();
  if (json.contains("confusion")) {  // the other scores follow from it
    const Json& rows = json.at("confusion");
    out.confusion = ConfusionMatrix(static_cast<int>(rows.size()));
    for (int truth = 0; truth < out.confusion->classes; ++truth) {
      for (int c = 0; c < out.confusion->classes; ++c) out.confusion->at(truth, c) = rows.at(truth).at(c);
    }
  }
  if (!json.contains("reliability")) return out;  // version 0.1 and 0.2 kept none
  for (const Json& bin : json.at("reliability"))
    out.reliability.push_back({bin.at(0), bin.at(1), bin.at(2), bin.at(3)});
  return out;
}

}  // namespace

Json to_json(const RunResult& run) {
  Json out{{"seed", run.seed},
           {"split", run.split},
           {"epochs", run.epochs},
           {"best_epoch", run.best_epoch},
           {"converged", run.converged},
           {"seconds", run.seconds},
           {"first_loss", finite(run.first_loss)},
           {"last_loss", finite(run.last_loss)},
           {"jitter", run.jitter},
           {"majority_accuracy", finite(run.majority)},
           {"train", to_json(run.train)},
           {"val", to_json(run.val)},
           {"test", to_json(run.test)}};
  if (!run.lost.empty()) out["lost"] = run.lost;
  if (std::isfinite(run.mean_rmse)) out["mean_rmse"] = run.mean_rmse;
  if (run.coverage)
    out["coverage"] = {{"asked", run.coverage->asked},
                       {"test", run.coverage->measured},
                       {"size", finite(run.coverage->size)},
                       {"items", run.coverage->items},
                       {"calibration_items", run.coverage->calibration_items}};
  if (!run.mixing.layers.empty())
    out["relations"] = {{"names", run.mixing.names}, {"weights", run.mixing.layers}};
  if (!run.nu.empty()) {
    for (const double nu : run.nu) out["nu"].push_back(std::isinf(nu) ? Json("inf") : Json(nu));
    if (run.nu.size() == 1) out["nu"] = Json(out["nu"][0]);
  }
  if (run.calibration)
    out["calibration"] = {{"temperature", run.calibration->temperature},
                          {"moderation", run.calibration->moderation}};
  return out;
}

RunResult run_from_json(const Json& json) {
  RunResult out;
  out.seed = json.at("seed");
  out.split = json.at("split");
  out.epochs = json.at("epochs");
  out.best_epoch = json.value("best_epoch", out.epochs);  // versions up to 0.2 did not say
  out.converged = json.value("converged", false);
  out.lost = json.value("lost", "");
  if (json.contains("calibration"))
    out.calibration =
        Calibration{json["calibration"].at("temperature"), json["calibration"].at("moderation")};
  if (json.contains("relations")) {
    json["relations"].at("names").get_to(out.mixing.names);
    json["relations"].at("weights").get_to(out.mixing.layers);
  }
  if (json.contains("coverage")) {
    const Json& coverage = json.at("coverage");
    out.coverage = Coverage{coverage.at("asked"), coverage.at("calibration_items"), coverage.at("items"),
                            coverage.at("test"), number(coverage.at("size"))};
  }
  if (json.contains("nu")) {
    const auto number = [](const Json& each) {
      return each.is_string() ? std::numeric_limits<double>::infinity() : each.get<double>();
    };
    const Json& nu = json["nu"];
    if (!nu.is_array()) out.nu = {number(nu)};
    if (nu.is_array()) {
      for (const Json& each : nu) out.nu.push_back(number(each));
    }
  }
  out.seconds = json.at("seconds");
  out.first_loss = number(json.at("first_loss"));
  out.last_loss = number(json.at("last_loss"));
  out.jitter = json.at("jitter");
  out.majority = number(json.at("majority_accuracy"));
  if (json.contains("mean_rmse")) out.mean_rmse = json.at("mean_rmse");
  out.train = metrics_from_json(json.at("train"));
  out.val = metrics_from_json(json.at("val"));
  out.test = metrics_from_json(json.at("test"));
  return out;
}

std::optional<double> score_of(const RunResult& run, Select select) {
  if (select == Select::elbo && std::isfinite(run.last_loss)) return -run.last_loss;
  const std::optional<Metrics>& judged = run.val ? run.val : run.train;
  if (!judged) return std::nullopt;
  if (select == Select::nll) return -judged->nll;
  if (select == Select::auc && judged->auc) return judged->auc;
  if (select == Select::f1 && judged->confusion) return judged->f1_macro();
  return judged->score();
}

std::string score_name(const RunResult& run, Select select) {
  if (select == Select::elbo && std::isfinite(run.last_loss)) return "ELBO";
  const std::optional<Metrics>& judged = run.val ? run.val : run.train;
  if (select == Select::nll) return "lowest NLL";
  if (select == Select::auc && judged && judged->auc) return "AUC";
  if (select == Select::f1 && judged && judged->confusion) return "macro F1";
  return judged && judged->r2 ? "R²" : "accuracy";
}

std::optional<Summary> summarise(const std::vector<RunResult>& runs, std::optional<Metrics> RunResult::*part,
                                 double Metrics::*metric) {
  std::vector<RunValue> values;
  for (const RunResult& run : runs) {
    if (run.*part) {
      values.push_back({static_cast<std::int64_t>(run.seed), run.split, (*(run.*part)).*metric});
    }
  }
  if (values.empty()) return std::nullopt;
  return summarise_runs(values);
}

Json summary_json(const std::vector<RunResult>& runs) {
  Json out = Json::object();
  const auto add = [&](const std::string& name, const std::optional<Summary>& summary) {
    if (!summary) return;
    out[name + "_mean"] = summary->mean;
    out[name + "_std"] = summary->std;
  };
  using Part = std::optional<Metrics> RunResult::*;
  for (const auto& [name, part] : {std::pair<std::string, Part>{"train", &RunResult::train},
                                   {"val", &RunResult::val},
                                   {"test", &RunResult::test}}) {
    // A member, or a function of the metrics.
    const auto optional = [&](const char* metric, auto field) {
      std::vector<RunValue> values;
      for (const RunResult& run : runs) {
        if (!(run.*part)) continue;
        if (const std::optional<double> value = std::invoke(field, *(run.*part)))
          values.push_back({static_cast<std::int64_t>(run.seed), run.split, *value});
      }
      if (!values.empty()) add(name + metric, summarise_runs(values));
      return !values.empty();
    };
    const bool regression = optional("_r2", &Metrics::r2);
    optional("_rmse", &Metrics::rmse);
    add(name + "_nll", summarise(runs, part, &Metrics::nll));
    if (regression) continue;
    add(name + "_accuracy", summarise(runs, part, &Metrics::accuracy));
    add(name + "_ece", summarise(runs, part, &Metrics::ece));
    std::vector<const Metrics*> scored;
    for (const RunResult& run : runs) {
      if (run.*part) scored.push_back(&*(run.*part));
    }
    if (const auto pooled = pooled_ece(scored)) out[name + "_ece_pooled"] = *pooled;
    optional("_auc", &Metrics::auc);
    optional("_f1_macro", &Metrics::f1_macro);
    optional("_f1_weighted", &Metrics::f1_weighted);
    optional("_balanced_accuracy", &Metrics::balanced_accuracy);
  }
  std::vector<RunValue> coverage, size;
  for (const RunResult& run : runs) {
    if (!run.coverage) continue;
    coverage.push_back({static_cast<std::int64_t>(run.seed), run.split, run.coverage->measured});
    size.push_back({static_cast<std::int64_t>(run.seed), run.split, run.coverage->size});
  }
  if (!coverage.empty()) {
    add("test_coverage", summarise_runs(coverage));
    const Summary sizes = summarise_runs(size);
    if (std::isfinite(sizes.mean)) add("test_set_size", sizes);  // infinite where calibration items are few
  }
  return out;
}

}  // namespace gdkm
