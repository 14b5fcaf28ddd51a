#include "gdkm/data/formats/csv/csv_header.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "gdkm/data/formats/shared/text_field.hpp"

namespace gdkm {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The words of a name in lower case: from, user for from_user, fromUser and "From user".
std::set<std::string> words_of(std::string_view name) {
  std::set<std::string> out;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) out.insert(lower_case(word));
    word.clear();
  };
  for (std::size_t k = 0; k < name.size(); ++k) {
    const bool is_upper = name[k] >= 'A' && name[k] <= 'Z';
    const bool was_lower = k > 0 && name[k - 1] >= 'a' && name[k - 1] <= 'z';
    if (!is_letter(name[k]) || (is_upper && was_lower)) end();
    if (is_letter(name[k])) word += name[k];
  }
  end();
  return out;
}

bool has_word(std::string_view name, const std::set<std::string>& known) {
  const auto words = words_of(name);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return known.contains(word); });
}

bool is_known_pair(const std::vector<std::string>& row) {
  static const std::set<std::string> second{"class", "label"};
  const std::string first = lower_case(row[0]);
  if (std::any_of(row.begin(), row.end(), [](const auto& name) { return id_rank(name).has_value(); }))
    return true;
  if (row.size() < 2) return false;
  if (first == "name" && second.contains(lower_case(row[1]))) return true;
  using Pair = std::pair<const char*, const char*>;
  static constexpr std::array<Pair, 4> numbered{
      {{"node1", "node2"}, {"node_1", "node_2"}, {"id_1", "id_2"}, {"id1", "id2"}}};
  for (const auto& [a, b] : numbered)
    if (first == a && lower_case(row[1]) == b) return true;
  for (std::size_t c = 0; c + 1 < std::min<std::size_t>(row.size(), 3); ++c)
    if (names_source(row[c]) && names_target(row[c + 1])) return true;
  return false;
}

bool has_words_above_numbers(const std::vector<std::vector<std::string>>& rows) {
  const auto& first = rows[0];
  const auto has_number = [](const std::vector<std::string>& row, std::size_t c) {
    return c < row.size() && to_double(row[c]).has_value();
  };
  for (std::size_t c = 0; c < first.size(); ++c) {
    if (first[c].empty() || has_number(first, c)) continue;
    if (std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) { return has_number(row, c); }))
      return true;
  }
  return false;
}

/// Whether the other file knows the ids of the next row, and not those of the first, whose words do not occur
/// below.
bool is_unknown_elsewhere(const std::vector<std::vector<std::string>>& rows, const CsvHint& hint) {
  if (!hint.knows || rows.size() < 3 || rows[0].size() < std::max<std::size_t>(hint.ids, 2) ||
      rows[1].size() < hint.ids)
    return false;
  for (const std::string& field : rows[0])
    if (field.empty() || to_double(field)) return false;
  for (std::size_t c = 0; c < rows[0].size(); ++c) {
    const auto repeats = [&](const auto& row) { return c < row.size() && row[c] == rows[0][c]; };
    if (std::any_of(rows.begin() + 1, rows.end(), repeats)) return false;
  }
  for (std::size_t k = 0; k < hint.ids; ++k) {
    if (hint.knows(rows[0][k]) || !hint.knows(rows[1][k])) return false;
  }
  return true;
}

}  // namespace

bool occurs_in(std::string_view text, std::string_view field) {
  const auto ends = [](char c) { return std::string_view(",;\t \"\r\n").find(c) != std::string_view::npos; };
  for (auto at = text.find(field); at != std::string_view::npos; at = text.find(field, at + 1)) {
    const auto after = at + field.size();
    if ((at == 0 || ends(text[at - 1])) && (after == text.size() || ends(text[after]))) return true;
  }
  return false;
}

bool names_source(std::string_view name) {
  static const std::set<std::string> words{"source", "src", "from", "follower", "sender", "origin", "citing"};
  return has_word(name, words);
}

bool names_target(std::string_view name) {
  static const std::set<std::string> words{"target",   "dst",      "to",          "dest",
                                           "followee", "receiver", "destination", "cited"};
  return has_word(name, words);
}

std::optional<std::size_t> id_rank(std::string_view name) {
  static const std::array<std::string_view, 6> ids{"id", "node_id", "nodeid", "node id", "node", "node_name"};
  const auto at = std::find(ids.begin(), ids.end(), lower_case(name));
  return at == ids.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - ids.begin()));
}

bool is_like_id(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const char* ending : {"_id", " id", "-id", ".id"})
    if (lower.ends_with(ending)) return true;
  if (lower == "key") return true;
  const bool has_hump = name.size() > 2 && (name.ends_with("Id") || name.ends_with("ID"));
  return has_hump && name[name.size() - 3] >= 'a' && name[name.size() - 3] <= 'z';
}

bool is_index_name(std::string_view name) {
  return name.empty() || name.starts_with("Unnamed: ");
}

HeaderVerdict judge_header(const std::vector<std::vector<std::string>>& rows, const CsvHint& hint) {
  const auto verdict = [](bool is_header) { return is_header ? HeaderVerdict::yes : HeaderVerdict::no; };
  const auto& first = rows[0];
  if (hint.header) return verdict(*hint.header);
  for (const std::string& name : hint.names)
    if (std::find(first.begin(), first.end(), name) != first.end()) return HeaderVerdict::yes;
  if (is_known_pair(first)) return HeaderVerdict::yes;
  if (rows.size() < 2) return HeaderVerdict::no;
  const auto has_first = [](const auto& row) { return !row[0].empty(); };
  if (first[0].empty() && first.size() > 1 && std::all_of(rows.begin() + 1, rows.end(), has_first))
    return HeaderVerdict::yes;
  if (has_words_above_numbers(rows)) return HeaderVerdict::yes;
  return is_unknown_elsewhere(rows, hint) ? HeaderVerdict::guess : HeaderVerdict::no;
}

}  // namespace gdkm
