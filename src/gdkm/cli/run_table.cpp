#include "gdkm/cli/run_table.hpp"

#include <fmt/format.h>

namespace gdkm::cli {

namespace {

std::string percent(const std::optional<Metrics>& metrics) {
  return metrics ? fmt::format("{:.2f}", metrics->accuracy) : "-";
}

std::string spread(const std::optional<Summary>& summary, int digits) {
  if (!summary) return "-";
  return summary->count > 1 ? fmt::format("{:.{}f} ± {:.{}f}", summary->mean, digits, summary->std, digits)
                            : fmt::format("{:.{}f}", summary->mean, digits);
}

}  // namespace

std::string run_table(const std::string& title, const std::vector<RunResult>& runs) {
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
  out += fmt::format("{}: test accuracy {} %, validation {} %, test NLL {}\n", title,
                     spread(summarise(runs, &RunResult::test, &Metrics::accuracy), 2),
                     spread(summarise(runs, &RunResult::val, &Metrics::accuracy), 2),
                     spread(summarise(runs, &RunResult::test, &Metrics::nll), 4));
  return out;
}

}  // namespace gdkm::cli
