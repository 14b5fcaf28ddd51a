#include "gdkm/experiments/tables/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {

TableNumber number_of(const Summary& summary) {
  return {summary.mean, summary.count > 1 ? std::optional(summary.std) : std::nullopt};
}

std::optional<TableNumber> known_number(const Summary& summary) {
  return summary.count > 0 ? std::optional(number_of(summary)) : std::nullopt;
}

std::optional<TableNumber> fact(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(TableNumber{value, std::nullopt});
}

bool is_left_out(const std::string& dataset, const TableScope& scope) {
  return std::find(scope.without.begin(), scope.without.end(), dataset) != scope.without.end();
}

std::vector<DatasetFacts> facts_of(const std::vector<DatasetFacts>& all, const std::string& task,
                                   const TableScope& scope) {
  std::vector<DatasetFacts> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const DatasetFacts& facts) {
    return facts.task == task && !is_left_out(facts.name, scope);
  });
  std::stable_sort(out.begin(), out.end(), more_homophilous);
  return out;
}

bool has_ours(const ResultTable::Row& row) {
  return std::any_of(row.cells.begin(), row.cells.end(),
                     [](const ResultTable::Cell& cell) { return cell.ours.has_value(); });
}

bool has_exact(const FinalResults& results, const std::string& task) {
  const auto facts = results.datasets();
  return std::any_of(facts.begin(), facts.end(), [&](const DatasetFacts& each) {
    return each.task == task && results.of(each.name, [](const Configuration& c) { return is_exact(c); });
  });
}

void fail_empty(const Store& store, const std::string& name, const std::string& task) {
  const auto runs = store.runs();
  const auto is_of_numbers = [](const StoredRun& run) {
    return run.result && run.result->val && run.result->val->r2;
  };
  if (!runs.empty() && std::all_of(runs.begin(), runs.end(), is_of_numbers))
    throw InputError(fmt::format(
        "{}: the table '{}' is for classes, and these runs predict numbers; compare them with:  gdkm runs "
        "compare {} {}",
        store.name(), name, store.name(), option("by", "nu")));
  throw InputError(
      fmt::format("{}: no runs of models of classes for the table '{}'; make some with:  gdkm sweep "
                  "experiments/{}-dkm.toml {}",
                  store.name(), name, task, option("store", store.name())));
}

ResultTable::Cell cell_of(const std::optional<FinalResult>& result, const std::optional<TableNumber>& paper) {
  ResultTable::Cell out;
  out.paper = paper;
  if (!result || result->test.count == 0) return out;
  out.ours = number_of(result->test);
  const bool is_fixed = result->configuration.model == "dkm" && result->configuration.option("nu") == "inf";
  out.mark = fmt::format("{}{}", is_fixed ? "*" : "", result->finished ? "" : "†");
  return out;
}

void add_sentence(std::string& text, const std::string& sentence) {
  text += (text.empty() ? "" : " ") + sentence;
}

void explain_marks(ResultTable& table, const std::string& of_unfinished) {
  const auto has = [&](std::string_view mark) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const ResultTable::Row& row) {
      return std::any_of(row.cells.begin(), row.cells.end(), [&](const ResultTable::Cell& cell) {
        return cell.mark.find(mark) != std::string::npos;
      });
    });
  };
  if (has("*")) add_sentence(table.explanation, "*: ν = inf validates best.");
  if (!has("†")) return;
  add_sentence(table.explanation,
               "†: the sweep is not finished; settings were compared on some of the splits.");
  if (!of_unfinished.empty()) add_sentence(table.explanation, of_unfinished);
}

}  // namespace gdkm
