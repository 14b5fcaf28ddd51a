#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gdkm/data/formats/csv/csv_parts.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm {
namespace {

/// An id is looked up in the text of another file, so a few must do.
constexpr std::size_t looked_up = 5;

/// How many of the first fields another file knows as ids.
std::size_t known_ids(const CsvFile& file, std::size_t column) {
  std::size_t out = 0;
  for (std::size_t r = 0; file.knows() && r < std::min(looked_up, file.sample().size()); ++r) {
    const auto& row = file.sample()[r];
    out += column < row.size() && !row[column].empty() && file.knows()(row[column]) ? 1 : 0;
  }
  return out;
}

bool is_different(const CsvFile& file, std::size_t column) {
  std::set<std::string_view> seen;
  return std::all_of(file.sample().begin(), file.sample().end(), [&](const auto& row) {
    return column < row.size() && !row[column].empty() && seen.insert(row[column]).second;
  });
}

/// The columns that are named like ids, the most telling first.
std::vector<std::size_t> named_like_ids(const CsvFile& file, const std::vector<std::string>& others) {
  const auto& header = file.header();
  std::vector<std::size_t> out, likely;
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (std::find(others.begin(), others.end(), header[c]) != others.end()) continue;
    if (id_rank(header[c])) {
      out.push_back(c);
    } else if (is_like_id(header[c]) && is_different(file, c)) {
      likely.push_back(c);
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](auto a, auto b) { return *id_rank(header[a]) < *id_rank(header[b]); });
  out.insert(out.end(), likely.begin(), likely.end());
  return out;
}

}  // namespace

std::size_t find_id_column(const CsvFile& file, const std::string& name,
                           const std::vector<std::string>& others) {
  if (!name.empty()) {
    if (const auto found = file.column(name)) return *found;
  }
  const auto named = named_like_ids(file, others);
  if (named.empty()) return 0;
  if (named.size() == 1 && (named[0] == 0 || id_rank(file.header()[named[0]]))) return named[0];
  const auto is_exact = [&](std::size_t c) { return id_rank(file.header()[c]).has_value(); };
  std::size_t out = named[0], most = known_ids(file, out);
  for (const auto c : named) {
    if (most > 0 && is_exact(out) && !is_exact(c)) break;
    const std::size_t known = known_ids(file, c);
    if (known <= most) continue;
    out = c;
    most = known;
  }
  // "name, team_id": the edges know the names, and no team.
  const bool is_foreign = most == 0 && !is_exact(out) && !is_index_name(file.header()[0]);
  return is_foreign && known_ids(file, 0) > 0 ? 0 : out;
}

std::string id_remark(const CsvFile& file, const std::string& name, std::size_t id) {
  if (id == 0 || !name.empty()) return "";
  return fmt::format("{}: ids are in column {}; choose another with {}", file.where(),
                     show_field(file.column_name(id)), option("id_column"));
}

std::string id_hint(const CsvFile& file, std::size_t id) {
  if (file.header().empty()) return fmt::format(" (ids are in column {})", id + 1);
  return fmt::format(" (ids are in {}; {} chooses another)",
                     file.header()[id].empty() ? fmt::format("column {}", id + 1)
                                               : "column " + show_field(file.header()[id]),
                     option("id_column"));
}

}  // namespace gdkm
