#include "gdkm/fitting/study_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "gdkm/dataset/preprocessing.hpp"
#include "gdkm/dataset/split_remarks.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm {

namespace {

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

const char* items_of(const Dataset& dataset) {
  return dataset.task == Task::graph ? "graphs" : "nodes";
}

/// What a feature column is called.
std::string feature_name(const FeatureColumns& columns, Index column) {
  Index first = 0;
  for (const TableColumn& each : columns.table) {
    if (column < first + each.width()) return "column '" + each.feature_name(column - first) + "'";
    first += each.width();
  }
  return fmt::format("feature {}", column);
}

/// Rows are scaled as they are: one column that is thousands of times larger than the others leaves them no
/// say.
std::optional<std::string> dominating_column(const Dataset& dataset, Normalisation how) {
  const Features& x = dataset.features;
  if (how == Normalisation::standard || x.is_sparse || x.cols < 2) return std::nullopt;
  std::vector<double> squares(static_cast<std::size_t>(x.cols), 0.0);
  double sum = 0;
  for (Index r = 0; r < x.rows; ++r) {
    for (Index c = 0; c < x.cols; ++c) {
      const double value = x.dense[r * x.cols + c];
      squares[c] += value * value;
      sum += value * value;
    }
  }
  const auto most = std::max_element(squares.begin(), squares.end());
  constexpr double nearly_all = 0.99;
  if (!(*most > nearly_all * sum)) return std::nullopt;
  return fmt::format(
      "{} drowns the others: it has {:.2f} % of the squared length of all features; {} gives "
      "every column the same say",
      feature_name(dataset.columns, most - squares.begin()), 100 * *most / sum,
      option("normalise", "standard"));
}

bool learns_kernels(const Settings& settings) {
  const auto& nu = settings.config.nu;
  return settings.model == ModelKind::dkm && !settings.exact &&
         std::any_of(nu.begin(), nu.end(), [](double each) { return std::isfinite(each); });
}

}  // namespace

std::string described(const FeatureColumns& columns) {
  if (columns.kind != FeatureColumns::Kind::table) return "";
  std::string out;
  constexpr std::size_t most = 6;
  const auto add = [&](ColumnType type, const std::string& one, const std::string& many) {
    std::vector<std::string> names;
    for (const TableColumn& column : columns.table) {
      if (column.type != type) continue;
      names.push_back(
          type == ColumnType::category
              ? fmt::format("{}: {}", column.name, counted(column.values.size(), "value", "values"))
              : column.name);
    }
    if (names.empty()) return;
    out += (out.empty() ? "" : ", ") + counted(names.size(), one, many);
    const bool more = names.size() > most;
    if (more) names.resize(most);
    out += fmt::format(" ({}{})", fmt::join(names, ", "), more ? ", ..." : "");
  };
  add(ColumnType::number, "number", "numbers");
  add(ColumnType::flag, "flag", "flags");
  add(ColumnType::category, "category", "categories");
  add(ColumnType::ordinal, "rank", "ranks");
  return out;
}

std::vector<std::string> remarks_on_data(const Dataset& dataset, const Split& split,
                                         const Settings& settings) {
  std::vector<std::string> out;
  if (const auto remark = dominating_column(dataset, resolved(settings.preprocessing, dataset.columns)))
    out.push_back(*remark);
  const auto lines = training_remarks(dataset, split);
  out.insert(out.end(), lines.begin(), lines.end());
  if (split.val.empty() && settings.training.inference != Inference::paper && !settings.uses_dense())
    out.push_back(
        fmt::format("no {} validate: nothing tells when to stop, and probabilities are not calibrated",
                    items_of(dataset)));
  return out;
}

std::vector<std::string> remarks_on_scores(const Dataset& dataset, const std::vector<Split>& splits,
                                           const std::vector<RunResult>& runs, const Settings& settings) {
  std::vector<std::string> out;
  if (runs.empty()) return out;
  std::set<int> used;
  for (const RunResult& run : runs) used.insert(run.split);
  const auto set = dataset.splits.find(settings.split.set);
  const std::size_t there = settings.split.random || set == dataset.splits.end() ? 0 : set->second.size();
  if (used.size() < there)
    out.push_back(fmt::format("{} of {} splits {} used; {} uses them all", used.size(), there,
                              used.size() == 1 ? "was" : "were", option("splits", "all")));
  if (std::string line = test_remark(dataset, splits[static_cast<std::size_t>(*used.begin())]); !line.empty())
    out.push_back(std::move(line));
  if (learns_kernels(settings) && std::all_of(runs.begin(), runs.end(), [](const RunResult& run) {
        return run.epochs > 0 && run.best_epoch == 0;
      }))
    out.push_back(fmt::format(
        "the epoch that validates best is 0, before any kernel has moved: {} makes no difference here",
        option("nu")));
  double gain = 0;
  int counted_runs = 0;
  for (const RunResult& run : runs) {
    const double baseline = dataset.is_regression() ? run.mean_rmse : run.majority;
    if (!run.test || std::isnan(baseline) || (dataset.is_regression() && !run.test->rmse)) continue;
    gain += dataset.is_regression() ? baseline - *run.test->rmse : run.test->accuracy - baseline;
    ++counted_runs;
  }
  if (counted_runs > 0 && !(gain > 0))
    out.push_back(fmt::format("the model is not better than always predicting the {}",
                              dataset.is_regression() ? "mean" : "most frequent class"));
  return out;
}

}  // namespace gdkm
