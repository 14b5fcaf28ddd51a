#include "gdkm/data/formats/edge_list/adjacency_list.hpp"

#include <algorithm>
#include <unordered_set>

#include "gdkm/data/formats/csv/csv_row.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::size_t first_lines = 50;

/// Calls visit(line) for each line that is no comment, until it returns false.
template <class Visit>
void for_each_list_line(const Text& text, Visit visit) {
  for (std::string_view rest = text.bytes; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (!is_csv_comment(line) && !visit(line)) return;
  }
}

std::vector<std::string_view> first_of(const Text& text) {
  std::vector<std::string_view> out;
  for_each_list_line(text, [&](std::string_view line) {
    out.push_back(line);
    return out.size() < first_lines;
  });
  return out;
}

char delimiter_of(const std::vector<std::string_view>& lines) {
  for (const char c : {'\t', ';', ','}) {
    const auto has = [&](std::string_view line) { return line.find(c) != std::string_view::npos; };
    if (std::any_of(lines.begin(), lines.end(), has)) return c;
  }
  return ' ';
}

/// `a 2` and then two lines like `b {}`.
void refuse_multiline(const Text& text, const std::vector<std::string_view>& lines) {
  CsvRow row;
  if (lines.size() < 2) return;
  std::string_view first = lines[0];
  row.take(first, ' ');
  const bool has_count = row.size() == 2 && whole_number<std::uint32_t>(row[1]).has_value();
  const auto has_dict = [](std::string_view line) {
    const auto brace = line.find('{');
    return brace != std::string_view::npos && brace > 0 && line.ends_with('}');
  };
  if (!has_count || std::none_of(lines.begin() + 1, lines.end(), has_dict)) return;
  refuse(
      "{}: is an adjacency list over several lines (NetworkX' write_multiline_adjlist), which is not read; "
      "write the graph with networkx.write_graphml, or with write_edgelist",
      text.where);
}

bool is_named_so(const std::string& where) {
  const std::string name = lower_case(where);
  return name.ends_with(".adjlist") || name.ends_with(".adjlist.gz");
}

/// Whether each line begins with another node, every neighbour has a line, and not all are equally long.
bool is_adjacency_list(const Text& text, char delimiter) {
  CsvRow row;
  std::size_t size = 0;
  bool differs = false;
  for_each_list_line(text, [&](std::string_view line) {
    row.take(line, delimiter);
    differs = size != 0 && row.size() != size;
    size = row.size();
    return !differs;
  });
  if (!differs) return false;
  std::unordered_set<std::string_view> heads;
  bool fits = true;
  for_each_list_line(text, [&](std::string_view line) {
    row.take(line, delimiter);
    return fits = !row[0].empty() && heads.insert(row[0]).second;
  });
  for_each_list_line(text, [&](std::string_view line) {
    row.take(line, delimiter);
    return fits = fits && std::all_of(row.fields().begin(), row.fields().end(),
                                      [&](std::string_view name) { return heads.contains(name); });
  });
  return fits;
}

}  // namespace

std::optional<AdjacencyList> read_adjacency_list(const Text& text) {
  const auto lines = first_of(text);
  // NetworkX writes no quotation marks, so that a field is a view into the text; UTF-16 is refused later.
  const bool is_utf16 = text.bytes.starts_with("\xFF\xFE") || text.bytes.starts_with("\xFE\xFF");
  if (lines.empty() || is_utf16 || text.bytes.find('"') != std::string::npos) return std::nullopt;
  refuse_multiline(text, lines);
  const char delimiter = delimiter_of(lines);
  if (!is_named_so(text.where) && !is_adjacency_list(text, delimiter)) return std::nullopt;
  AdjacencyList out{{text.where, "source\ttarget\n"}, {}};
  std::unordered_set<std::string_view> seen;
  CsvRow row;
  for_each_list_line(text, [&](std::string_view line) {
    row.take(line, delimiter);
    for (const std::string_view name : row.fields())
      if (!name.empty() && seen.insert(name).second) out.nodes.emplace_back(name);
    for (std::size_t k = 1; k < row.size() && !row[0].empty(); ++k)
      if (!row[k].empty()) out.edges.bytes += csv_field(row[0]) + "\t" + csv_field(row[k]) + "\n";
    return true;
  });
  std::sort(out.nodes.begin(), out.nodes.end(), natural_less);
  return out;
}

}  // namespace gdkm
