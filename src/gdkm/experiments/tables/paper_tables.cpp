#include "gdkm/experiments/tables/paper_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "gdkm/experiments/figures/option_curves.hpp"
#include "gdkm/experiments/tables/difference_tables.hpp"
#include "gdkm/experiments/tables/table_rows.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Column = ResultTable::Column;
using Cell = ResultTable::Cell;

/// Accuracies on the data sets of one task; the paper has fewer models of graphs.
ResultTable accuracy_table(const Store& store, const std::string& name, const std::string& task,
                           const TableScope& scope) {
  const FinalResults results(store, scope.sweeps);
  const bool nodes = task == "node";
  ResultTable out;
  out.caption = fmt::format(
      "Test accuracy (%) on {} classification, mean ± standard deviation; in parentheses: the paper.", task);
  out.columns = {{"GCDKM"}, {"sparse GCNNGP"}};
  const bool exact = nodes || has_exact(results, task);
  if (exact) out.columns.push_back({"GCNNGP"});
  if (nodes) out.columns.push_back({"GCN (no dropout)"});
  out.columns.push_back({"GCN"});
  for (const DatasetFacts& facts : facts_of(results.datasets(), task, scope)) {
    ResultTable::Row row{display_name(facts.name), {}};
    const auto add = [&](auto include, std::optional<TableNumber> PaperNumbers::*number) {
      const PaperNumbers* paper = paper_numbers(facts.name);
      row.cells.push_back(cell_of(results.of(facts.name, include), paper ? paper->*number : std::nullopt));
    };
    using Run = const Configuration&;
    add([](Run c) { return c.model == "dkm" && is_sparse(c); }, &PaperNumbers::dkm);
    add([](Run c) { return c.model == "nngp" && is_sparse(c); }, &PaperNumbers::sparse_nngp);
    if (exact) add([](Run c) { return c.model == "nngp" && is_exact(c); }, &PaperNumbers::nngp);
    if (nodes) {
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

/// On every data set the kernel machine that validates best of all sweeps: with learned kernels or fixed
/// ones, with inducing points, at landmarks or exact.
ResultTable best_table(const Store& store, const TableScope& scope) {
  const FinalResults results(store, scope.sweeps);
  ResultTable out;
  out.caption =
      "The kernel machine that validates best of all sweeps, with learned or fixed kernels, with inducing "
      "points, landmarks or exact: validation and test accuracy (%) and test NLL, mean ± standard deviation; "
      "ECE of all runs together; in parentheses: the best of all models in the paper.";
  out.columns = {{"validation"}, {"test"}, {"NLL", 3}, {"ECE", 3}};
  out.notes = "settings";
  out.compared = false;
  for (const char* task : {"node", "graph"}) {
    for (const DatasetFacts& facts : facts_of(results.datasets(), task, scope)) {
      const auto result = results.of(facts.name, [](const Configuration& c) { return c.model != "gcn"; });
      if (!result || result->test.count == 0) continue;
      Cell test = cell_of(result, best_of_paper(paper_numbers(facts.name)));
      out.rows.push_back({display_name(facts.name),
                          {{number_of(result->val), std::nullopt},
                           std::move(test),
                           {known_number(result->nll), std::nullopt},
                           {fact(result->ece), std::nullopt}},
                          fmt::format("{}: {}", result->sweep, changed_options(result->configuration))});
    }
  }
  if (out.rows.empty()) fail_empty(store, "best", "node");
  explain_marks(out);
  return out;
}

/// NLL and ECE of the models of the accuracy tables, on the data sets of both tasks.
ResultTable calibration_table(const Store& store, const TableScope& scope) {
  const FinalResults results(store, scope.sweeps);
  ResultTable out;
  out.caption =
      "Negative log-likelihood of test items, mean ± standard deviation, and expected calibration error of "
      "all runs together.";
  out.columns = {{"GCDKM NLL", 3},  {"ECE", 3}, {"sparse GCNNGP NLL", 3}, {"ECE", 3},
                 {"GCNNGP NLL", 3}, {"ECE", 3}, {"GCN NLL", 3},           {"ECE", 3}};
  out.compared = false;
  using Run = const Configuration&;
  const std::function<bool(Run)> models[] = {[](Run c) { return c.model == "dkm" && is_sparse(c); },
                                             [](Run c) { return c.model == "nngp" && is_sparse(c); },
                                             [](Run c) { return c.model == "nngp" && is_exact(c); },
                                             [](Run c) { return c.model == "gcn"; }};
  for (const char* task : {"node", "graph"}) {
    for (const DatasetFacts& facts : facts_of(results.datasets(), task, scope)) {
      ResultTable::Row row{display_name(facts.name), {}};
      for (const auto& model : models) {
        const auto result = results.of(facts.name, model);
        const bool known = result && result->test.count > 0;
        row.cells.push_back({known ? known_number(result->nll) : std::nullopt, std::nullopt,
                             known && !result->finished ? "†" : ""});
        row.cells.push_back({known ? fact(result->ece) : std::nullopt, std::nullopt});
      }
      if (has_ours(row)) out.rows.push_back(std::move(row));
    }
  }
  if (out.rows.empty()) fail_empty(store, "calibration", "node");
  explain_marks(out);
  return out;
}

ResultTable scheme_table(const Store& store, const TableScope& scope) {
  const auto curves = option_curves(
      store, "nu", "scheme", "gdkm sweep experiments/scheme-ablation.toml " + option("store", store.name()),
      scope.sweeps);
  ResultTable out;
  out.caption =
      "Validation accuracy (%) of the inducing-point schemes, each at its best ν, mean ± standard deviation; "
      "in parentheses: the paper.";
  out.columns = {{"inter-domain"}, {"intra-domain"}};
  for (const auto& dataset : curves) {
    if (is_left_out(dataset.facts.name, scope)) continue;
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
  if (out.rows.empty()) fail_empty(store, "schemes", "node");
  return out;
}

/// The number of splits that runs use by default.
double splits_of(const DatasetFacts& facts) {
  const auto at = facts.splits.find("public");
  return at == facts.splits.end() ? NAN : static_cast<double>(at->second);
}

/// The data sets of the sweeps in scope: all of the store, if it names none.
std::vector<DatasetFacts> datasets_in(const Store& store, const TableScope& scope) {
  const StageRecords records(store);
  std::vector<DatasetFacts> out = records.datasets();
  if (scope.sweeps.empty()) return out;
  std::set<std::string> names;
  for (const StageRun& place : records.stages(scope.sweeps)) names.insert(place.dataset);
  std::erase_if(out, [&](const DatasetFacts& facts) { return !names.contains(facts.name); });
  return out;
}

/// Sizes of the data sets of one task.
ResultTable facts_table(const Store& store, const std::string& name, const std::string& task,
                        const TableScope& scope) {
  const bool graphs = task == "graph";
  ResultTable out;
  out.caption = fmt::format("Data sets of {} classification; in parentheses: the paper.", task);
  out.columns = graphs ? std::vector<Column>{{"graphs", 0}, {"nodes per graph", 1}, {"edges per graph", 1}}
                       : std::vector<Column>{{"nodes", 0}, {"edges", 0}, {"homophily", 2}};
  out.columns.insert(out.columns.end(), {{"features", 0}, {"classes", 0}, {"splits", 0}});
  out.compared = false;
  for (const DatasetFacts& facts : facts_of(datasets_in(store, scope), task, scope)) {
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

void check_datasets(const Store& store, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<std::string> known;
  for (const DatasetFacts& facts : StageRecords(store).datasets()) known.push_back(facts.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("{}: no runs of a data set '{}' to leave out; it has {}", store.name(),
                                   name, fmt::join(known, ", ")));
  }
}

void check_score(const std::string& name, const TableScope& scope) {
  if (scope.score == TestScore::accuracy || name.ends_with("differences") || name.ends_with("gains")) return;
  throw InputError(fmt::format("{} is for differences, graph-differences, gains and graph-gains, not for {}",
                               option("score", name_of(scope.score)), name));
}

}  // namespace

std::vector<std::string> table_names() {
  return {"nodes", "graphs",      "differences", "graph-differences", "best",          "calibration",
          "gains", "graph-gains", "schemes",     "datasets",          "graph-datasets"};
}

ResultTable paper_table(const std::string& name, const Store& store, const TableScope& scope) {
  check_score(name, scope);
  check_datasets(store, scope.without);
  if (name == "nodes") return accuracy_table(store, name, "node", scope);
  if (name == "graphs") return accuracy_table(store, name, "graph", scope);
  if (name == "differences") return difference_table(store, name, "node", scope);
  if (name == "graph-differences") return difference_table(store, name, "graph", scope);
  if (name == "best") return best_table(store, scope);
  if (name == "calibration") return calibration_table(store, scope);
  if (name == "gains") return gain_table(store, name, "node", scope);
  if (name == "graph-gains") return gain_table(store, name, "graph", scope);
  if (name == "schemes") return scheme_table(store, scope);
  if (name == "datasets") return facts_table(store, name, "node", scope);
  if (name == "graph-datasets") return facts_table(store, name, "graph", scope);
  throw InputError(
      fmt::format("unknown table '{}'; expected one of {}", name, fmt::join(table_names(), ", ")));
}

}  // namespace gdkm
