#include "gdkm/experiments/tables/paper_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/confidence.hpp"
#include "gdkm/experiments/figures/option_curves.hpp"
#include "gdkm/experiments/tables/final_results.hpp"
#include "gdkm/experiments/tables/kernel_gains.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Column = ResultTable::Column;
using Cell = ResultTable::Cell;
using Sweeps = std::vector<std::string>;  // names; none for all

TableNumber number_of(const Summary& summary) {
  return {summary.mean, summary.count > 1 ? std::optional(summary.std) : std::nullopt};
}

/// A number without a deviation; empty for NaN.
std::optional<TableNumber> fact(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(TableNumber{value, std::nullopt});
}

bool is_exact(const Configuration& configuration) {
  return configuration.option("exact") == "true";
}

/// With inducing points, trained as the paper's are.
bool is_sparse(const Configuration& configuration) {
  return !is_exact(configuration) && configuration.option("landmarks") != "true";
}

/// The data sets of one task, sorted by decreasing homophily.
std::vector<DatasetFacts> facts_of(const std::vector<DatasetFacts>& all, const std::string& task) {
  std::vector<DatasetFacts> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [&](const DatasetFacts& facts) { return facts.task == task; });
  std::stable_sort(out.begin(), out.end(), [](const DatasetFacts& a, const DatasetFacts& b) {
    return std::isnan(b.homophily) ? !std::isnan(a.homophily) : a.homophily > b.homophily;
  });
  return out;
}

bool has_ours(const ResultTable::Row& row) {
  return std::any_of(row.cells.begin(), row.cells.end(),
                     [](const Cell& cell) { return cell.ours.has_value(); });
}

[[noreturn]] void fail_empty(const Store& store, const std::string& name, const std::string& task) {
  throw InputError(
      fmt::format("{}: no runs for the table '{}'; make some with:  gdkm sweep experiments/{}-dkm.toml {}",
                  store.name(), name, task, option("store", store.name())));
}

Cell cell_of(const std::optional<FinalResult>& result, const std::optional<TableNumber>& paper) {
  Cell out;
  out.paper = paper;
  if (!result || result->test.count == 0) return out;
  out.ours = number_of(result->test);
  if (result->configuration.model == "dkm" && result->configuration.option("nu") == "inf") out.mark = "*";
  if (!result->finished) out.mark += "†";
  return out;
}

/// What the marks of a table mean, of those that it has.
void explain_marks(ResultTable& table) {
  const auto has = [&](std::string_view mark) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const ResultTable::Row& row) {
      return std::any_of(row.cells.begin(), row.cells.end(),
                         [&](const Cell& cell) { return cell.mark.find(mark) != std::string::npos; });
    });
  };
  if (has("*")) table.caption += " *: ν = inf validates best.";
  if (has("†"))
    table.caption += " †: the sweep is not finished; settings were compared on some of the splits.";
}

/// Accuracies on the data sets of one task; the paper has fewer models of graphs.
ResultTable accuracy_table(const Store& store, const std::string& name, const std::string& task,
                           const Sweeps& sweeps) {
  const FinalResults results(store, sweeps);
  const bool nodes = task == "node";
  ResultTable out;
  out.caption = fmt::format(
      "Test accuracy (%) on {} classification, mean ± standard deviation; in parentheses: the paper.", task);
  out.columns = {{"GCDKM"}, {"sparse GCNNGP"}};
  if (nodes) out.columns.insert(out.columns.end(), {{"GCNNGP"}, {"GCN (no dropout)"}});
  out.columns.push_back({"GCN"});
  for (const DatasetFacts& facts : facts_of(results.datasets(), task)) {
    ResultTable::Row row{display_name(facts.name), {}};
    const auto add = [&](auto include, std::optional<TableNumber> PaperNumbers::*number) {
      const PaperNumbers* paper = paper_numbers(facts.name);
      row.cells.push_back(cell_of(results.of(facts.name, include), paper ? paper->*number : std::nullopt));
    };
    using Run = const Configuration&;
    add([](Run c) { return c.model == "dkm" && is_sparse(c); }, &PaperNumbers::dkm);
    add([](Run c) { return c.model == "nngp" && is_sparse(c); }, &PaperNumbers::sparse_nngp);
    if (nodes) {
      add([](Run c) { return c.model == "nngp" && is_exact(c); }, &PaperNumbers::nngp);
      add([](Run c) { return c.model == "gcn" && c.option("dropout") == "0"; },
          &PaperNumbers::gcn_no_dropout);
    }
    add([](Run c) { return c.model == "gcn"; }, &PaperNumbers::gcn);
    if (has_ours(row)) out.rows.push_back(std::move(row));
  }
  if (out.rows.empty()) fail_empty(store, name, task);
  explain_marks(out);
  return out;
}

/// The best number of the paper's row, of all its models.
std::optional<TableNumber> best_of_paper(const PaperNumbers* paper) {
  std::optional<TableNumber> out;
  if (paper == nullptr) return out;
  for (const auto& number :
       {paper->dkm, paper->sparse_nngp, paper->nngp, paper->gcn_no_dropout, paper->gcn}) {
    if (number && (!out || number->mean > out->mean)) out = number;
  }
  return out;
}

/// The options of a run that are not at their defaults: "nu=0.1 center=true".
std::string changed_options(const Configuration& configuration) {
  Settings defaults;
  defaults.model = settings_of(configuration).model;
  const auto usual = to_json(defaults);
  std::string out = configuration.model == "dkm" ? "" : configuration.model;
  for (const auto& [name, value] : configuration.options.items()) {
    const std::string was = usual.contains(name) ? option_text(usual[name]) : "";
    const bool differs = was != "auto" && was != option_text(value);  // the data decides what "auto" is
    if (differs || name == "nu")
      out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, option_text(value));
  }
  return out;
}

/// On every data set the kernel machine with inducing points, learned or fixed, that validates best of all
/// sweeps.
ResultTable best_table(const Store& store, const Sweeps& sweeps) {
  const FinalResults results(store, sweeps);
  ResultTable out;
  out.caption =
      "The kernel machine, at any ν, that validates best of all sweeps: validation and test accuracy (%), "
      "mean ± "
      "standard deviation, NLL and ECE of test items; in parentheses: the best of all models in the paper.";
  out.columns = {{"validation"}, {"test"}, {"NLL", 3}, {"ECE", 3}};
  out.notes = "settings";
  out.compared = false;
  for (const char* task : {"node", "graph"}) {
    for (const DatasetFacts& facts : facts_of(results.datasets(), task)) {
      const auto result =
          results.of(facts.name, [](const Configuration& c) { return c.model != "gcn" && is_sparse(c); });
      if (!result || result->test.count == 0) continue;
      Cell test = cell_of(result, best_of_paper(paper_numbers(facts.name)));
      out.rows.push_back({display_name(facts.name),
                          {{number_of(result->val), std::nullopt},
                           std::move(test),
                           {fact(result->nll.mean), std::nullopt},
                           {fact(result->ece), std::nullopt}},
                          fmt::format("{}: {}", result->sweep, changed_options(result->configuration))});
    }
  }
  if (out.rows.empty()) fail_empty(store, "best", "node");
  explain_marks(out);
  return out;
}

/// NLL and ECE of the models of the accuracy tables, on the data sets of both tasks.
ResultTable calibration_table(const Store& store, const Sweeps& sweeps) {
  const FinalResults results(store, sweeps);
  ResultTable out;
  out.caption = "Mean negative log-likelihood and expected calibration error on test items.";
  out.columns = {{"GCDKM NLL", 3},  {"ECE", 3}, {"sparse GCNNGP NLL", 3}, {"ECE", 3},
                 {"GCNNGP NLL", 3}, {"ECE", 3}, {"GCN NLL", 3},           {"ECE", 3}};
  out.compared = false;
  using Run = const Configuration&;
  const std::function<bool(Run)> models[] = {[](Run c) { return c.model == "dkm" && is_sparse(c); },
                                             [](Run c) { return c.model == "nngp" && is_sparse(c); },
                                             [](Run c) { return c.model == "nngp" && is_exact(c); },
                                             [](Run c) { return c.model == "gcn"; }};
  for (const char* task : {"node", "graph"}) {
    for (const DatasetFacts& facts : facts_of(results.datasets(), task)) {
      ResultTable::Row row{display_name(facts.name), {}};
      for (const auto& model : models) {
        const auto result = results.of(facts.name, model);
        const bool known = result && result->test.count > 0;
        row.cells.push_back({known ? fact(result->nll.mean) : std::nullopt, std::nullopt});
        row.cells.push_back({known ? fact(result->ece) : std::nullopt, std::nullopt});
      }
      if (has_ours(row)) out.rows.push_back(std::move(row));
    }
  }
  if (out.rows.empty()) fail_empty(store, "calibration", "node");
  return out;
}

ResultTable gain_table(const Store& store, const std::string& name, const std::string& task,
                       const Sweeps& sweeps) {
  ResultTable out;
  out.caption =
      "Test accuracy (%) of a DKM at the finite ν that validates best and, with the same settings, at ν = ∞: "
      "mean ± standard deviation. Their paired difference: mean ± half of its 95 % interval. In the last "
      "column every split (seed) has the ν that validates best on it.";
  out.columns = {{"homophily", 2}, {"ν", 2}, {"learned"}, {"fixed"}, {"difference", 2}, {"ν by split"}};
  out.compared = false;
  std::vector<double> homophily, gain;
  for (const KernelGain& each : kernel_gains(store, task, sweeps)) {
    const auto half = std::isnan(each.half_width) ? std::nullopt : std::optional(each.half_width);
    out.rows.push_back({display_name(each.facts.name),
                        {{fact(each.facts.homophily), std::nullopt},
                         {fact(each.nu), std::nullopt},
                         {number_of(each.learned), std::nullopt},
                         {number_of(each.fixed), std::nullopt},
                         {TableNumber{each.difference.mean, half}, std::nullopt},
                         {number_of(each.per_split), std::nullopt}}});
    if (std::isnan(each.facts.homophily)) continue;
    homophily.push_back(each.facts.homophily);
    gain.push_back(each.difference.mean);
  }
  if (out.rows.empty()) fail_empty(store, name, task);
  if (const RankCorrelation found = rank_correlation(homophily, gain); !std::isnan(found.value))
    out.caption += fmt::format(
        " Rank correlation of the difference with homophily over {} data sets: {:.2f}, 95 % interval {:.2f} "
        "to "
        "{:.2f}.",
        gain.size(), found.value, found.low, found.high);
  return out;
}

ResultTable scheme_table(const Store& store, const Sweeps& sweeps) {
  const auto curves =
      option_curves(store, "nu", "scheme",
                    "gdkm sweep experiments/scheme-ablation.toml " + option("store", store.name()), sweeps);
  ResultTable out;
  out.caption =
      "Validation accuracy (%) of the inducing-point schemes, each at its best ν, mean ± standard deviation; "
      "in parentheses: the paper.";
  out.columns = {{"inter-domain"}, {"intra-domain"}};
  for (const auto& dataset : curves) {
    const auto* paper = paper_numbers(dataset.facts.name);
    ResultTable::Row row{display_name(dataset.facts.name), std::vector<Cell>(2)};
    if (paper) {
      row.cells[0].paper = paper->inter;
      row.cells[1].paper = paper->intra;
    }
    for (const auto& line : dataset.lines) {
      const Summary& best = line.scores[line.best].val;
      if (line.name == "inter") row.cells[0].ours = number_of(best);
      if (line.name == "intra") row.cells[1].ours = number_of(best);
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

/// The number of splits that runs use by default.
double splits_of(const DatasetFacts& facts) {
  const auto at = facts.splits.find("public");
  return at == facts.splits.end() ? NAN : static_cast<double>(at->second);
}

/// Sizes of the data sets of one task.
ResultTable facts_table(const Store& store, const std::string& name, const std::string& task) {
  const bool graphs = task == "graph";
  ResultTable out;
  out.caption = fmt::format("Data sets of {} classification; in parentheses: the paper.", task);
  out.columns = graphs ? std::vector<Column>{{"graphs", 0}, {"nodes per graph", 1}, {"edges per graph", 1}}
                       : std::vector<Column>{{"nodes", 0}, {"edges", 0}, {"homophily", 2}};
  out.columns.insert(out.columns.end(), {{"features", 0}, {"classes", 0}, {"splits", 0}});
  out.compared = false;
  for (const DatasetFacts& facts : facts_of(StageRecords(store).datasets(), task)) {
    ResultTable::Row row{display_name(facts.name), {}};
    const auto add = [&](auto ours, double PaperNumbers::*number) {
      const PaperNumbers* paper = paper_numbers(facts.name);
      row.cells.push_back({fact(static_cast<double>(ours)), paper ? fact(paper->*number) : std::nullopt});
    };
    const double each = graphs ? static_cast<double>(facts.graphs) : 1;
    if (graphs) add(facts.graphs, &PaperNumbers::graphs);
    add(static_cast<double>(facts.nodes) / each, &PaperNumbers::nodes);
    add(static_cast<double>(facts.edges) / each, &PaperNumbers::edges);
    if (!graphs) add(facts.homophily, &PaperNumbers::homophily);
    add(facts.features, &PaperNumbers::features);
    add(facts.classes, &PaperNumbers::classes);
    row.cells.push_back({fact(splits_of(facts)), std::nullopt});
    out.rows.push_back(std::move(row));
  }
  if (out.rows.empty()) fail_empty(store, name, task);
  return out;
}

}  // namespace

std::vector<std::string> table_names() {
  return {"nodes",       "graphs",  "best",     "calibration",   "gains",
          "graph-gains", "schemes", "datasets", "graph-datasets"};
}

ResultTable paper_table(const std::string& name, const Store& store, const std::vector<std::string>& sweeps) {
  if (name == "nodes") return accuracy_table(store, name, "node", sweeps);
  if (name == "graphs") return accuracy_table(store, name, "graph", sweeps);
  if (name == "best") return best_table(store, sweeps);
  if (name == "calibration") return calibration_table(store, sweeps);
  if (name == "gains") return gain_table(store, name, "node", sweeps);
  if (name == "graph-gains") return gain_table(store, name, "graph", sweeps);
  if (name == "schemes") return scheme_table(store, sweeps);
  if (name == "datasets") return facts_table(store, name, "node");
  if (name == "graph-datasets") return facts_table(store, name, "graph");
  throw InputError(
      fmt::format("unknown table '{}'; expected one of {}", name, fmt::join(table_names(), ", ")));
}

}  // namespace gdkm
