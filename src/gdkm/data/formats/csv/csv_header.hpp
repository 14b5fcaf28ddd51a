#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdkm {

/// What is known about the first row of a file before it is read.
struct CsvHint {
  CsvHint() = default;
  CsvHint(std::optional<bool> is_header) : header(is_header) {}  // NOLINT: a plain answer is a hint
  CsvHint(bool is_header) : header(is_header) {}                 // NOLINT

  std::optional<bool> header;      // whether it names the columns, if somebody says so
  std::vector<std::string> names;  // columns that somebody names
  /// Whether another file has that id.
  std::function<bool(std::string_view)> knows;
  std::size_t ids = 1;  // how many fields of a row are ids: two in a list of edges
};

enum class HeaderVerdict { no, yes, guess };

/// Whether the first of some rows names the columns, rather than being one of them: it holds well-known names
/// or those of the hint, words above a column of numbers, or an empty name above the index that pandas
/// writes. It is a guess where the other file knows the ids of the next row and not those of the first, whose
/// words do not occur below.
HeaderVerdict judge_header(const std::vector<std::vector<std::string>>& rows, const CsvHint& hint);

/// Whether `field` stands in a text as a whole field.
bool occurs_in(std::string_view text, std::string_view field);

/// Whether a name says where an edge begins (source, from_user) or where it ends (target, to_user).
bool names_source(std::string_view name);
bool names_target(std::string_view name);

/// Whether a name says that the column has the ids of nodes; the most telling names have the lowest rank.
std::optional<std::size_t> id_rank(std::string_view name);

/// Whether a name probably says so: customer_id, userId, "Customer ID", key.
bool is_like_id(std::string_view name);

/// Whether a column is the index that pandas writes: it has no name, or "Unnamed: 0".
bool is_index_name(std::string_view name);

}  // namespace gdkm
