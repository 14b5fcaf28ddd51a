#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/tables/final_results.hpp"
#include "gdkm/experiments/tables/paper_tables.hpp"

/// What the tables of results have in common: which data sets have a row, and what their cells say.
namespace gdkm {

TableNumber number_of(const Summary& summary);
/// The same; empty where there are no numbers.
std::optional<TableNumber> known_number(const Summary& summary);
/// A number without a deviation; empty for NaN.
std::optional<TableNumber> fact(double value);

bool is_left_out(const std::string& dataset, const TableScope& scope);
/// The data sets of one task, sorted by decreasing homophily.
std::vector<DatasetFacts> facts_of(const std::vector<DatasetFacts>& all, const std::string& task,
                                   const TableScope& scope);

bool has_ours(const ResultTable::Row& row);
/// Whether exact models ran on data sets of the task. On graphs they need pooled features, and the paper has
/// none.
bool has_exact(const FinalResults& results, const std::string& task);
/// The InputError of a table that has no rows.
[[noreturn]] void fail_empty(const Store& store, const std::string& name, const std::string& task);

ResultTable::Cell cell_of(const std::optional<FinalResult>& result, const std::optional<TableNumber>& paper);
/// Adds a sentence to a part of a caption.
void add_sentence(std::string& text, const std::string& sentence);
/// What the marks of a table mean, of those that it has. `of_unfinished` says what else holds of sweeps that
/// are not finished.
void explain_marks(ResultTable& table, const std::string& of_unfinished = "");

}  // namespace gdkm
