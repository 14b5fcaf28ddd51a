#include "gdkm/experiments/tables/paper_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/figures/option_curves.hpp"
#include "gdkm/experiments/tables/final_results.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Column = ResultTable::Column;
using Cell = ResultTable::Cell;

TableNumber number_of(const Summary& summary) {
  return {summary.mean, summary.count > 1 ? std::optional(summary.std) : std::nullopt};
}

bool is_sparse(const Configuration& configuration, const std::string& model) {
  return configuration.model == model && configuration.option("exact") != "true";
}

bool is_exact(const Configuration& configuration) {
  return configuration.model == "nngp" && configuration.option("exact") == "true";
}

bool is_gcn(const Configuration& configuration) {
  return configuration.model == "gcn";
}

bool has_no_dropout(const Configuration& configuration) {
  return is_gcn(configuration) && configuration.option("dropout") == "0";
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

[[noreturn]] void fail_empty(const Store& store, const std::string& name, const std::string& spec) {
  throw InputError(fmt::format("{}: no runs for the table '{}'; make some with:  gdkm sweep {} {}",
                               store.path().string(), name, spec, option("store", store.path().string())));
}

Cell cell_of(const std::optional<FinalResult>& result, const std::optional<TableNumber>& paper) {
  Cell out;
  out.paper = paper;
  if (!result || result->test.count == 0) return out;
  out.ours = number_of(result->test);
  if (result->configuration.model == "dkm" && result->configuration.option("nu") == "inf") out.mark = "*";
  return out;
}

ResultTable node_table(const Store& store) {
  const FinalResults results(store);
  ResultTable out;
  out.caption =
      "Test accuracy (%) on node classification, mean ± standard deviation; in parentheses: the paper.";
  out.columns = {{"GCDKM"}, {"sparse GCNNGP"}, {"GCNNGP"}, {"GCN (no dropout)"}, {"GCN"}};
  for (const DatasetFacts& facts : facts_of(results.datasets(), "node")) {
    const auto* paper = paper_nodes(facts.name);
    const auto of = [&](auto include, std::optional<TableNumber> PaperNodeNumbers::*number) {
      return cell_of(results.of(facts.name, include), paper ? paper->*number : std::nullopt);
    };
    ResultTable::Row row{display_name(facts.name), {}};
    row.cells.push_back(of([](const auto& c) { return is_sparse(c, "dkm"); }, &PaperNodeNumbers::dkm));
    row.cells.push_back(
        of([](const auto& c) { return is_sparse(c, "nngp"); }, &PaperNodeNumbers::sparse_nngp));
    row.cells.push_back(of(is_exact, &PaperNodeNumbers::nngp));
    row.cells.push_back(of(has_no_dropout, &PaperNodeNumbers::gcn_no_dropout));
    row.cells.push_back(of(is_gcn, &PaperNodeNumbers::gcn));
    if (has_ours(row)) out.rows.push_back(std::move(row));
  }
  if (out.rows.empty()) fail_empty(store, "nodes", "experiments/node-dkm.toml");
  return out;
}

ResultTable graph_table(const Store& store) {
  const FinalResults results(store);
  ResultTable out;
  out.caption =
      "Test accuracy (%) on graph classification, mean ± standard deviation; in parentheses: the paper.";
  out.columns = {{"GCDKM"}, {"sparse GCNNGP"}, {"GCN"}};
  for (const DatasetFacts& facts : facts_of(results.datasets(), "graph")) {
    const auto* paper = paper_graphs(facts.name);
    const auto of = [&](auto include, std::optional<TableNumber> PaperGraphNumbers::*number) {
      return cell_of(results.of(facts.name, include), paper ? paper->*number : std::nullopt);
    };
    ResultTable::Row row{display_name(facts.name), {}};
    row.cells.push_back(of([](const auto& c) { return is_sparse(c, "dkm"); }, &PaperGraphNumbers::dkm));
    row.cells.push_back(
        of([](const auto& c) { return is_sparse(c, "nngp"); }, &PaperGraphNumbers::sparse_nngp));
    row.cells.push_back(of(is_gcn, &PaperGraphNumbers::gcn));
    if (has_ours(row)) out.rows.push_back(std::move(row));
  }
  if (out.rows.empty()) fail_empty(store, "graphs", "experiments/graph-dkm.toml");
  return out;
}

ResultTable scheme_table(const Store& store) {
  const auto curves =
      option_curves(store, "nu", "scheme",
                    "gdkm sweep experiments/scheme-ablation.toml " + option("store", store.path().string()));
  ResultTable out;
  out.caption =
      "Validation accuracy (%) of the inducing-point schemes, each at its best ν, mean ± standard deviation; "
      "in parentheses: the paper.";
  out.columns = {{"inter-domain"}, {"intra-domain"}};
  for (const auto& dataset : curves) {
    const auto* paper = paper_nodes(dataset.facts.name);
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

/// A number without a deviation; empty for NaN.
std::optional<TableNumber> fact(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(TableNumber{value, std::nullopt});
}

/// The number of splits that runs use by default.
double splits_of(const DatasetFacts& facts) {
  const auto at = facts.splits.find("public");
  return at == facts.splits.end() ? NAN : static_cast<double>(at->second);
}

ResultTable node_facts(const Store& store) {
  ResultTable out;
  out.caption = "Data sets of node classification; in parentheses: the paper.";
  out.columns = {{"nodes", 0},    {"edges", 0},   {"homophily", 2},
                 {"features", 0}, {"classes", 0}, {"splits", 0}};
  out.compared = false;
  for (const DatasetFacts& facts : facts_of(StageRecords(store).datasets(), "node")) {
    const auto* paper = paper_nodes(facts.name);
    const auto of = [&](double ours, double PaperNodeNumbers::*number) {
      return Cell{fact(ours), paper ? fact(paper->*number) : std::nullopt};
    };
    out.rows.push_back({display_name(facts.name),
                        {of(static_cast<double>(facts.nodes), &PaperNodeNumbers::nodes),
                         of(static_cast<double>(facts.edges), &PaperNodeNumbers::edges),
                         of(facts.homophily, &PaperNodeNumbers::homophily),
                         of(static_cast<double>(facts.features), &PaperNodeNumbers::features),
                         of(static_cast<double>(facts.classes), &PaperNodeNumbers::classes),
                         {fact(splits_of(facts)), std::nullopt}}});
  }
  if (out.rows.empty()) fail_empty(store, "datasets", "experiments/node-dkm.toml");
  return out;
}

ResultTable graph_facts(const Store& store) {
  ResultTable out;
  out.caption = "Data sets of graph classification; in parentheses: the paper.";
  out.columns = {{"graphs", 0},   {"nodes per graph", 1}, {"edges per graph", 1},
                 {"features", 0}, {"classes", 0},         {"splits", 0}};
  out.compared = false;
  for (const DatasetFacts& facts : facts_of(StageRecords(store).datasets(), "graph")) {
    const auto* paper = paper_graphs(facts.name);
    const auto of = [&](double ours, double PaperGraphNumbers::*number) {
      return Cell{fact(ours), paper ? fact(paper->*number) : std::nullopt};
    };
    const auto graphs = static_cast<double>(facts.graphs);
    out.rows.push_back({display_name(facts.name),
                        {of(graphs, &PaperGraphNumbers::graphs),
                         of(static_cast<double>(facts.nodes) / graphs, &PaperGraphNumbers::nodes),
                         of(static_cast<double>(facts.edges) / graphs, &PaperGraphNumbers::edges),
                         of(static_cast<double>(facts.features), &PaperGraphNumbers::features),
                         of(static_cast<double>(facts.classes), &PaperGraphNumbers::classes),
                         {fact(splits_of(facts)), std::nullopt}}});
  }
  if (out.rows.empty()) fail_empty(store, "graph-datasets", "experiments/graph-dkm.toml");
  return out;
}

}  // namespace

std::vector<std::string> table_names() {
  return {"nodes", "graphs", "schemes", "datasets", "graph-datasets"};
}

ResultTable paper_table(const std::string& name, const Store& store) {
  if (name == "nodes") return node_table(store);
  if (name == "graphs") return graph_table(store);
  if (name == "schemes") return scheme_table(store);
  if (name == "datasets") return node_facts(store);
  if (name == "graph-datasets") return graph_facts(store);
  throw InputError(
      fmt::format("unknown table '{}'; expected one of {}", name, fmt::join(table_names(), ", ")));
}

}  // namespace gdkm
