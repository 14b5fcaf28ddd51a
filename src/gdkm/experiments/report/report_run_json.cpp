#include "gdkm/experiments/report/report_run_json.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "gdkm/experiments/drawing/base64.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t curve_epochs = 60;

Json metric(const std::optional<RunResult>& result, std::optional<Metrics> RunResult::*part,
            double (*value)(const Metrics&)) {
  if (!result || !((*result).*part)) return nullptr;
  return rounded(value(*((*result).*part)));
}

/// Texts that repeat, by number.
class Names {
 public:
  std::size_t operator()(const std::string& name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at != names_.end()) return static_cast<std::size_t>(at - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// A value per run as numbers into a list of texts; −1 where a run has none.
Json coded(const ReportRuns& runs, const std::string& option) {
  Names names;
  Json numbers = Json::array();
  for (const auto& [id, run] : runs) {
    const bool has = run.configuration.options.contains(option);
    numbers.push_back(has ? static_cast<int>(names(run.configuration.option(option))) : -1);
  }
  return {{"names", names.all()}, {"of", numbers}};
}

Json bins_json(const Reliability& reliability) {
  Json out = Json::array();
  for (const Reliability::Bin& bin : reliability.bins) {
    if (bin.count == 0)
      out.push_back(0);
    else
      out.push_back({bin.count, rounded(bin.confidence), rounded(bin.accuracy)});
  }
  return out;
}

}  // namespace

Json rounded(double value, int decimals) {
  if (!std::isfinite(value)) return nullptr;
  const double scale = std::pow(10.0, decimals);
  const double out = std::round(value * scale) / scale;
  if (out == std::floor(out) && std::abs(out) < 1e15) return static_cast<std::int64_t>(out);
  return out;
}

Json runs_json(const ReportRuns& runs) {
  Names datasets, models, statuses, messages;
  Json columns = Json::object();
  std::map<std::string, std::set<std::string>> values;  // of options; "" where a model lacks it
  for (const auto& [id, run] : runs) {
    for (const auto& [key, value] : run.configuration.options.items()) values[key];
  }
  for (const auto& [id, run] : runs) {
    const Configuration& configuration = run.configuration;
    const auto put = [&](const char* column, Json value) { columns[column].push_back(std::move(value)); };
    put("id", id);
    put("dataset", datasets(configuration.dataset));
    put("model", models(configuration.model));
    put("status", statuses(name_of(run.status)));
    put("seed", configuration.seed);
    put("split", configuration.split);
    put("train", metric(run.result, &RunResult::train, [](const Metrics& m) { return m.score(); }));
    put("val", metric(run.result, &RunResult::val, [](const Metrics& m) { return m.score(); }));
    put("test", metric(run.result, &RunResult::test, [](const Metrics& m) { return m.score(); }));
    put("nll", metric(run.result, &RunResult::test, [](const Metrics& m) { return m.nll; }));
    put("ece", metric(run.result, &RunResult::test, [](const Metrics& m) { return m.r2 ? NAN : m.ece; }));
    put("val_ece", metric(run.result, &RunResult::val, [](const Metrics& m) { return m.r2 ? NAN : m.ece; }));
    put("f1",
        metric(run.result, &RunResult::test, [](const Metrics& m) { return m.f1_macro().value_or(NAN); }));
    put("coverage", run.result && run.result->coverage ? rounded(100 * run.result->coverage->measured, 2)
                                                       : Json(nullptr));
    put("seconds", run.result ? rounded(run.result->seconds, 2) : Json(nullptr));
    put("message", run.message.empty() ? -1 : static_cast<int>(messages(run.message)));
    for (auto& [key, seen] : values)
      if (configuration.options.contains(key)) seen.insert(configuration.option(key));
  }
  Json options = Json::object(), same = Json::object();
  for (const auto& [key, seen] : values) {
    if (seen.size() > 1)
      options[key] = coded(runs, key);
    else
      same[key] = *seen.begin();
  }
  return {{"datasets", datasets.all()},
          {"models", models.all()},
          {"statuses", statuses.all()},
          {"messages", messages.all()},
          {"columns", columns},
          {"options", options},
          {"same", same}};
}

Json learning_curves_json(const ReportRuns& runs, const Store& store) {
  Json out = Json::object();
  for (const auto& [id, run] : runs) {
    if (run.status != RunStatus::done) continue;
    const auto curve = store.curve(id);
    if (curve.empty()) continue;
    const std::size_t step = (curve.size() + curve_epochs - 1) / curve_epochs;
    Json epochs = Json::array(), losses = Json::array(), looked = Json::array(), scores = Json::array();
    for (std::size_t k = 0; k < curve.size(); ++k) {
      if (k % step == 0 || k + 1 == curve.size()) {
        epochs.push_back(curve[k].epoch);
        losses.push_back(rounded(curve[k].loss));
      }
      if (!curve[k].val) continue;
      looked.push_back(curve[k].epoch);
      scores.push_back(rounded(*curve[k].val, 2));
    }
    out[std::to_string(id)] = {epochs, losses, looked, scores};
  }
  return out;
}

Json reliability_json(const ReportRuns& runs) {
  Json out = Json::object();
  for (const auto& [id, run] : runs) {
    if (!run.reliability) continue;
    out[std::to_string(id)] = {{"val", bins_json(run.reliability->val)},
                               {"test", bins_json(run.reliability->test)}};
  }
  return out;
}

std::string half_picture(const KernelPicture& picture) {
  std::string bytes;
  for (Index row = 0; row < picture.size; ++row) {
    for (Index column = row; column < picture.size; ++column) {
      const double value = picture.cosine[static_cast<std::size_t>(row * picture.size + column)];
      bytes.push_back(static_cast<char>(static_cast<unsigned char>(std::lround((value + 1) * 100))));
    }
  }
  return base64(bytes);
}

}  // namespace gdkm
