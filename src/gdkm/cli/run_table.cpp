#include "gdkm/cli/runs_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gdkm/experiments/number_text.hpp"

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

std::string regression_table(const std::string& title, const std::vector<RunResult>& runs) {
  std::string out =
      fmt::format("{:>5} {:>6} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9} {:>8}\n", "split", "seed", "train R2",
                  "val R2", "test R2", "test RMSE", "test NLL", "jitter", "seconds");
  std::vector<RunValue> r2;
  for (const RunResult& run : runs) {
    out += fmt::format("{:>5} {:>6} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9.0e} {:>8.1f}\n", run.split, run.seed,
                       number(run.train, &Metrics::r2), number(run.val, &Metrics::r2),
                       number(run.test, &Metrics::r2), number(run.test, &Metrics::rmse),
                       run.test ? fmt::format("{:.4f}", run.test->nll) : "-", run.jitter, run.seconds);
    if (run.test && run.test->r2)
      r2.push_back({static_cast<std::int64_t>(run.seed), run.split, *run.test->r2});
  }
  out += fmt::format("{}: test R2 {}, test NLL {}\n", title,
                     spread(r2.empty() ? std::nullopt : std::optional(summarise_runs(r2)), 4),
                     spread(summarise(runs, &RunResult::test, &Metrics::nll), 4));
  return out;
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
  return out;
}

}  // namespace gdkm::cli
