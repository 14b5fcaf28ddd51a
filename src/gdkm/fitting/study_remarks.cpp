#include "gdkm/fitting/study_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "gdkm/dataset/preprocessing.hpp"
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

std::string class_text(const Dataset& dataset, std::size_t c) {
  return dataset.class_names.empty() ? std::to_string(c) : "'" + dataset.class_names[c] + "'";
}

/// A class that is never seen in training is hardly ever predicted.
void add_missing_classes(const Dataset& dataset, const Split& split, std::vector<std::string>& out) {
  std::vector<char> seen(static_cast<std::size_t>(dataset.classes), 0);
  for (const auto item : split.train) {
    if (dataset.label[item] >= 0) seen[dataset.label[item]] = 1;
  }
  for (int c = 0; c < dataset.classes; ++c) {
    if (!seen[c])
      out.push_back(fmt::format("class {} has no training {}: it will hardly be predicted", c,
                                dataset.task == Task::graph ? "graph" : "node"));
  }
}

void add_tiny_classes(const Dataset& dataset, const Split& split, std::vector<std::string>& out) {
  std::vector<Index> count(static_cast<std::size_t>(dataset.classes), 0);
  for (const auto item : split.train) {
    if (dataset.label[item] >= 0) ++count[dataset.label[item]];
  }
  constexpr Index few = 3;
  std::vector<std::string> tiny;
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] > 0 && count[c] < few)
      tiny.push_back(fmt::format("{} ({})", class_text(dataset, c), count[c]));
  }
  if (tiny.empty()) return;
  const std::size_t shown = std::min<std::size_t>(5, tiny.size());
  out.push_back(fmt::format("{} fewer than {} training {}: {}{}; what is said of them is a guess",
                            counted(tiny.size(), "class has", "classes have"), few, items_of(dataset),
                            fmt::join(tiny.begin(), tiny.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                            tiny.size() > shown ? ", ..." : ""));
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
  if (!dataset.is_regression()) add_missing_classes(dataset, split, out);
  if (const auto remark =
          dominating_column(dataset, resolved(settings.preprocessing.normalise, dataset.columns)))
    out.push_back(*remark);
  if (!dataset.is_regression()) add_tiny_classes(dataset, split, out);
  if (split.val.empty() && settings.training.inference != Inference::paper && !settings.exact)
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
  constexpr std::size_t few = 30;
  const std::size_t tested = splits[static_cast<std::size_t>(*used.begin())].test.size();
  if (tested > 0 && tested < few)
    out.push_back(fmt::format("{} tested: a score of so few says little",
                              tested == 1
                                  ? std::string(dataset.task == Task::graph ? "1 graph is" : "1 node is")
                                  : fmt::format("{} {} are", tested, items_of(dataset))));
  if (dataset.is_regression()) return out;
  double gain = 0;
  int counted_runs = 0;
  for (const RunResult& run : runs) {
    if (!run.test || std::isnan(run.majority)) continue;
    gain += run.test->accuracy - run.majority;
    ++counted_runs;
  }
  if (counted_runs > 0 && !(gain > 0))
    out.emplace_back("the model is not better than always predicting the most frequent class");
  return out;
}

}  // namespace gdkm
