#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/tables/paper_numbers.hpp"

namespace gdkm {

enum class TableFormat { markdown, latex, csv };

/// As the command line spells it: md, latex, csv.
std::string name_of(TableFormat format);

/// A table of a paper: a row per data set, with the paper's number beside each of ours.
struct ResultTable {
  struct Column {
    std::string name;
    int decimals = 1;
  };
  struct Cell {
    std::optional<TableNumber> ours, paper;
    std::string mark = "";  // after ours: "*"
  };
  struct Row {
    std::string name;
    std::vector<Cell> cells;  // one per column
  };
  std::string caption;
  std::vector<Column> columns;
  std::vector<Row> rows;
  /// Whether rows are contests of means with deviations: then the best is bold, of ours and of the paper's.
  bool compared = true;
};

/// In Markdown and LaTeX (with booktabs) numbers are rounded to the column's decimals, and the paper's stand
/// in parentheses. CSV has all digits, each number in a column of its own.
std::string to_text(const ResultTable& table, TableFormat format);

}  // namespace gdkm
