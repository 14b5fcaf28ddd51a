#include "gdkm/cli/runs_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/support/utf8.hpp"

namespace gdkm::cli {

namespace {

std::string percent(const std::optional<Metrics>& metrics) {
  return metrics ? fmt::format("{:.2f}", metrics->accuracy) : "-";
}

std::string spread(const std::optional<Summary>& summary, int decimals) {
  return summary ? mean_text(*summary, decimals) : "-";
}

std::string number(const std::optional<Metrics>& metrics, std::optional<double> Metrics::*field) {
  return metrics && (*metrics).*field ? fmt::format("{:.4f}", *((*metrics).*field)) : "-";
}

/// The start of a text, with … for what is left out.
std::string first_characters(const std::string& text, std::size_t most) {
  const std::u32string all = from_utf8(text);
  if (all.size() <= most) return text;
  std::string out;
  for (const char32_t code : all.substr(0, most - 1)) append_utf8(code, out);
  append_utf8(U'…', out);
  return out;
}

std::optional<Summary> test_summary(const std::vector<RunResult>& runs,
                                    std::optional<double> (Metrics::*score)() const) {
  std::vector<RunValue> values;
  for (const RunResult& run : runs) {
    const auto value = run.test ? ((*run.test).*score)() : std::nullopt;
    if (value) values.push_back({static_cast<std::int64_t>(run.seed), run.split, *value});
  }
  return values.empty() ? std::nullopt : std::optional(summarise_runs(values));
}

/// How often prediction sets held the truth, where that was measured.
std::string coverage_line(const std::string& title, const std::vector<RunResult>& runs) {
  std::vector<RunValue> coverage, size;
  double asked = 0;
  std::int64_t fewest = 0;
  for (const RunResult& run : runs) {
    if (!run.coverage) continue;
    asked = run.coverage->asked;
    fewest =
        size.empty() ? run.coverage->calibration_items : std::min(fewest, run.coverage->calibration_items);
    coverage.push_back({static_cast<std::int64_t>(run.seed), run.split, 100 * run.coverage->measured});
    size.push_back({static_cast<std::int64_t>(run.seed), run.split, run.coverage->size});
  }
  if (coverage.empty()) return "";
  const bool numbers = runs[0].train && runs[0].train->r2;
  return fmt::format("{}: coverage {} % where {:g} % was asked, mean {} {}, {} items kept apart\n", title,
                     spread(summarise_runs(coverage), 2), 100 * asked,
                     numbers ? "width of intervals" : "size of sets", spread(summarise_runs(size), 3),
                     fewest);
}

/// What an error has to be compared with.
std::string baseline_text(const std::vector<RunResult>& runs) {
  double sum = 0;
  for (const RunResult& run : runs) sum += run.mean_rmse;
  if (runs.empty() || std::isnan(sum)) return "";
  return fmt::format(" (predicting the mean: {:.4f})", sum / static_cast<double>(runs.size()));
}

std::string regression_table(const std::string& title, const std::vector<RunResult>& runs) {
  std::string out =
      fmt::format("{:>5} {:>6} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9} {:>8}\n", "split", "seed", "train R2",
                  "val R2", "test R2", "test RMSE", "test NLL", "jitter", "seconds");
  std::vector<RunValue> r2, rmse;
  for (const RunResult& run : runs) {
    out += fmt::format("{:>5} {:>6} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9.0e} {:>8.1f}\n", run.split, run.seed,
                       number(run.train, &Metrics::r2), number(run.val, &Metrics::r2),
                       number(run.test, &Metrics::r2), number(run.test, &Metrics::rmse),
                       run.test ? fmt::format("{:.4f}", run.test->nll) : "-", run.jitter, run.seconds);
    const auto add = [&](const std::optional<double>& value, std::vector<RunValue>& to) {
      if (value) to.push_back({static_cast<std::int64_t>(run.seed), run.split, *value});
    };
    if (run.test) add(run.test->r2, r2);
    if (run.test) add(run.test->rmse, rmse);
  }
  const auto summary = [](const std::vector<RunValue>& values) {
    return values.empty() ? std::nullopt : std::optional(summarise_runs(values));
  };
  out += fmt::format("{}: test R2 {}, test RMSE {}{}, test NLL {}\n", title, spread(summary(r2), 4),
                     spread(summary(rmse), 4), baseline_text(runs),
                     spread(summarise(runs, &RunResult::test, &Metrics::nll), 4));
  return out + coverage_line(title, runs);
}

/// What an accuracy has to be compared with.
std::string majority_text(const std::vector<RunResult>& runs) {
  double sum = 0;
  for (const RunResult& run : runs) sum += run.majority;
  if (runs.empty() || std::isnan(sum)) return "";
  return fmt::format(" (most frequent class: {:.2f} %)", sum / static_cast<double>(runs.size()));
}

}  // namespace

std::string run_table(const std::string& title, const std::vector<RunResult>& runs) {
  if (!runs.empty() && runs[0].train && runs[0].train->r2) return regression_table(title, runs);
  const bool auc = !runs.empty() && runs[0].test && runs[0].test->auc;
  std::string out =
      fmt::format("{:>5} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9}{} {:>9} {:>8}\n", "split", "seed", "train %",
                  "val %", "test %", "test NLL", "test ECE", auc ? "  test AUC" : "", "jitter", "seconds");
  for (const RunResult& run : runs) {
    out += fmt::format("{:>5} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9}{} {:>9.0e} {:>8.1f}\n", run.split, run.seed,
                       percent(run.train), percent(run.val), percent(run.test),
                       run.test ? fmt::format("{:.4f}", run.test->nll) : "-",
                       run.test ? fmt::format("{:.4f}", run.test->ece) : "-",
                       auc ? fmt::format("{:>10.4f}", run.test && run.test->auc ? *run.test->auc : 0.0) : "",
                       run.jitter, run.seconds);
  }
  out += fmt::format("{}: test accuracy {} %{}, validation {} %, test NLL {}\n", title,
                     spread(summarise(runs, &RunResult::test, &Metrics::accuracy), 2), majority_text(runs),
                     spread(summarise(runs, &RunResult::val, &Metrics::accuracy), 2),
                     spread(summarise(runs, &RunResult::test, &Metrics::nll), 4));
  out += coverage_line(title, runs);
  const auto f1 = test_summary(runs, &Metrics::f1_macro);
  if (f1)
    out += fmt::format("{}: test macro F1 {}, weighted F1 {}, balanced accuracy {} %\n", title, spread(f1, 4),
                       spread(test_summary(runs, &Metrics::f1_weighted), 4),
                       spread(test_summary(runs, &Metrics::balanced_accuracy), 2));
  return out;
}

std::string confusion_table(const std::vector<RunResult>& runs, const std::vector<std::string>& class_names) {
  constexpr int most_classes = 10;
  constexpr std::size_t most_characters = 10;  // of a class's name
  ConfusionMatrix sum;
  for (const RunResult& run : runs) {
    if (!run.test || !run.test->confusion) continue;
    if (sum.classes == 0) sum = ConfusionMatrix(run.test->confusion->classes);
    sum += *run.test->confusion;
  }
  if (sum.classes == 0 || sum.classes > most_classes) return "";
  std::vector<std::string> titles{"true \\ predicted"};
  std::vector<std::size_t> numbers;
  for (int c = 0; c < sum.classes; ++c) {
    const auto k = static_cast<std::size_t>(c);
    titles.push_back(k < class_names.size() ? first_characters(class_names[k], most_characters)
                                            : std::to_string(c));
    numbers.push_back(k + 1);
  }
  const std::vector<std::string> names(titles.begin() + 1, titles.end());
  titles.insert(titles.end(), {"recall", "F1"});
  numbers.insert(numbers.end(), {titles.size() - 2, titles.size() - 1});
  TextTable table(titles);
  table.align_right(numbers);
  for (int truth = 0; truth < sum.classes; ++truth) {
    std::vector<std::string> row{names[static_cast<std::size_t>(truth)]};
    for (int c = 0; c < sum.classes; ++c) row.push_back(std::to_string(sum.at(truth, c)));
    const bool occurs = sum.occurrences(truth) > 0;
    row.push_back(occurs ? fmt::format("{:.1f} %", 100 * sum.recall(truth)) : "-");
    row.push_back(fmt::format("{:.4f}", sum.f1(truth)));
    table.add(std::move(row));
  }
  return table.text();
}

}  // namespace gdkm::cli
