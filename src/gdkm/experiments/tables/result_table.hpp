#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/tables/paper_numbers.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

enum class TableFormat { markdown, latex, csv };

template <>
struct EnumNames<TableFormat> {
  static constexpr std::string_view names[] = {"md", "latex", "csv"};
};

/// A table with one row per data set, and the paper's number beside each of ours.
struct ResultTable {
  static constexpr int shortest = -1;
  struct Column {
    std::string name;
    int decimals = 1;            // `shortest`: as many as a number needs
    bool has_intervals = false;  // behind the ± stands half of a 95 % interval, not a standard deviation
  };
  struct Cell {
    std::optional<TableNumber> ours, paper;
    std::string mark = "";  // printed after our number: "*"
    bool strong = false;    // our number is bold, whether or not columns compete
  };
  struct Row {
    std::string name;
    std::vector<Cell> cells;  // one per column
    std::string note = "";    // in a last column, which has the title `notes`
  };
  std::string caption;           // one sentence
  std::string explanation = "";  // what columns and marks mean
  std::string finding = "";      // what the rows say together
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::string notes = "";  // no such column if it is empty
  /// Whether the columns compete: then the best of our numbers and the best of the paper's are bold.
  bool compared = true;
};

/// Markdown and LaTeX (with booktabs) round numbers to the column's decimals, and show the paper's in
/// parentheses. CSV has all digits and one column per number; where columns do not compete, those alone that
/// have some. `brief` leaves out the explanation.
std::string to_text(const ResultTable& table, TableFormat format, bool brief = false);

}  // namespace gdkm
