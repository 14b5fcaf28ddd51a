#include "gdkm/experiments/tables/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/store/run_export.hpp"

namespace gdkm {

namespace {

/// How a format writes a number.
struct Notation {
  std::string_view thousands, plus_minus, none;
  std::string_view open_bold, close_bold, open_math, close_math;
};

constexpr Notation markdown{",", " ± ", "–", "**", "**", "", ""};
constexpr Notation latex{"{,}", " \\pm ", "--", "\\mathbf{", "}", "$", "$"};

std::string number_text(const std::optional<TableNumber>& number, int decimals, const Notation& how,
                        bool bold) {
  if (!number) return std::string(how.none);
  std::string out = decimals == ResultTable::shortest ? fmt::format("{:g}", number->mean)
                                                      : grouped_digits(number->mean, decimals, how.thousands);
  if (number->std) out += std::string(how.plus_minus) + grouped_digits(*number->std, decimals, how.thousands);
  return fmt::format("{}{}{}{}{}", how.open_math, bold ? how.open_bold : "", out, bold ? how.close_bold : "",
                     how.close_math);
}

/// The highest rounded means; several cells may share one.
struct Best {
  std::optional<double> ours, paper;
};

double rounded(double value, int decimals) {
  return std::round(value * std::pow(10, decimals));
}

Best best_of(const ResultTable& table, const ResultTable::Row& row) {
  Best out;
  const auto better = [](std::optional<double>& best, double value) {
    if (!best || value > *best) best = value;
  };
  for (std::size_t c = 0; table.compared && c < row.cells.size(); ++c) {
    const int decimals = table.columns[c].decimals;
    if (row.cells[c].ours) better(out.ours, rounded(row.cells[c].ours->mean, decimals));
    if (row.cells[c].paper) better(out.paper, rounded(row.cells[c].paper->mean, decimals));
  }
  return out;
}

std::string latex_text(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"±", "$\\pm$"}, {"†", "$\\dagger$"}, {"ν", "$\\nu$"}, {"∞", "$\\infty$"}, {"&", "\\&"},
      {"%", "\\%"},    {"#", "\\#"},        {"_", "\\_"},    {"$", "\\$"}};
  std::string out;
  while (!text.empty()) {
    const auto* sign = std::find_if(std::begin(signs), std::end(signs),
                                    [&](const auto& pair) { return text.starts_with(pair.first); });
    const bool found = sign != std::end(signs);
    out += found ? sign->second : text.substr(0, 1);
    text.remove_prefix(found ? sign->first.size() : 1);
  }
  return out;
}

std::string cell_text(const ResultTable& table, const ResultTable::Row& row, std::size_t c, const Best& best,
                      const Notation& how) {
  const auto& cell = row.cells[c];
  const int decimals = table.columns[c].decimals;
  const auto is_best = [&](const std::optional<TableNumber>& number, const std::optional<double>& highest) {
    return number && highest && rounded(number->mean, decimals) == *highest;
  };
  std::string out = number_text(cell.ours, decimals, how, cell.strong || is_best(cell.ours, best.ours));
  if (cell.ours && !cell.mark.empty()) out += how.open_math.empty() ? cell.mark : latex_text(cell.mark);
  if (cell.paper)
    out += fmt::format(" ({})", number_text(cell.paper, decimals, how, is_best(cell.paper, best.paper)));
  return out;
}

std::string caption_of(const ResultTable& table, bool brief) {
  std::string out = table.caption;
  for (const std::string& part : {brief ? "" : table.explanation, table.finding})
    out += (part.empty() ? "" : " ") + part;
  return out;
}

std::string to_markdown(const ResultTable& table, bool brief) {
  std::string out = caption_of(table, brief) + "\n\n| data set |", rule = "|---|";
  for (const auto& column : table.columns) {
    out += fmt::format(" {} |", column.name);
    rule += "---:|";
  }
  if (!table.notes.empty()) {
    out += fmt::format(" {} |", table.notes);
    rule += "---|";
  }
  out += fmt::format("\n{}\n", rule);
  for (const auto& row : table.rows) {
    const Best best = best_of(table, row);
    out += fmt::format("| {} |", row.name);
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      out += fmt::format(" {} |", cell_text(table, row, c, best, markdown));
    if (!table.notes.empty()) out += fmt::format(" {} |", row.note);
    out += "\n";
  }
  return out;
}

std::string to_latex(const ResultTable& table, bool brief) {
  std::string out = fmt::format(
      "\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{l{}}}\n    \\toprule\n   ",
      latex_text(caption_of(table, brief)),
      std::string(table.columns.size(), 'r') + (table.notes.empty() ? "" : "l"));
  for (const auto& column : table.columns) out += fmt::format(" & {}", latex_text(column.name));
  if (!table.notes.empty()) out += fmt::format(" & {}", latex_text(table.notes));
  out += " \\\\\n    \\midrule\n";
  for (const auto& row : table.rows) {
    const Best best = best_of(table, row);
    out += fmt::format("    {}", latex_text(row.name));
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      out += fmt::format(" & {}", cell_text(table, row, c, best, latex));
    if (!table.notes.empty()) out += fmt::format(" & {}", latex_text(row.note));
    out += " \\\\\n";
  }
  return out + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
}

std::string to_csv(const ResultTable& table) {
  ExportTable out;
  out.columns.push_back({"dataset"});
  const auto has_some = [&](std::size_t c, bool paper, bool spread) {
    return table.compared || std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
             const auto& number = paper ? row.cells[c].paper : row.cells[c].ours;
             return number && (!spread || number->std);
           });
  };
  struct Part {
    std::size_t column;
    bool paper, spread;
  };
  std::vector<Part> parts;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    for (const bool paper : {false, true}) {
      const std::string name = table.columns[c].name + (paper ? " paper" : "");
      for (const bool spread : {false, true}) {
        // A column of ours is there even where no data set has a number.
        if (!has_some(c, paper, spread) && (paper || spread)) continue;
        out.columns.push_back(
            {spread ? name + (table.columns[c].has_intervals ? " ± (95 %)" : " std") : name});
        parts.push_back({c, paper, spread});
      }
    }
  }
  if (!table.notes.empty()) out.columns.push_back({table.notes});
  const auto json = [](const std::optional<double>& value, int decimals) {
    if (!value) return nlohmann::json();
    return decimals == 0 ? nlohmann::json(std::llround(*value)) : nlohmann::json(*value);
  };
  for (const auto& row : table.rows) {
    std::vector<nlohmann::json> line{row.name};
    for (const Part& part : parts) {
      const auto& cell = row.cells[part.column];
      const auto& number = part.paper ? cell.paper : cell.ours;
      if (!number) {
        line.emplace_back();
        continue;
      }
      line.push_back(json(part.spread ? number->std : number->mean, table.columns[part.column].decimals));
    }
    if (!table.notes.empty()) line.push_back(row.note);
    out.add(std::move(line));
  }
  return gdkm::to_csv(out);
}

}  // namespace

std::string to_text(const ResultTable& table, TableFormat format, bool brief) {
  if (format == TableFormat::markdown) return to_markdown(table, brief);
  return format == TableFormat::latex ? to_latex(table, brief) : to_csv(table);
}

}  // namespace gdkm
