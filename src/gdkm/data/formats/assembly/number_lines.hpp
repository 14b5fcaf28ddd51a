#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/graph/graph.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// What published text files consist of: lines of numbers. Blank lines are left out, unless they are refused;
/// errors name file and line.

/// For files of which each line belongs to the item of its number: a blank line before the last row is an
/// InputError, since all that follows would move up by one. `what` is missing there ("a fold").
void refuse_blank_lines(const Text& text, const char* what);

/// One integer a line, from `least` to `most`. `what` names it in errors ("a graph number").
std::vector<std::int32_t> read_integer_lines(const Text& text, ThreadPool& pool, const char* what,
                                             std::int32_t least, std::int32_t most);

/// The two ends of an edge, with a comma or blanks between them; nodes are numbered from `first`. The edge
/// returned is numbered from 0.
Edge read_edge(Line& line, std::int32_t first, Index nodes);

/// Rows of equally many numbers, row-major.
template <class T>
struct NumberTable {
  Index rows = 0, cols = 0;
  std::vector<T> value;
};

/// Numbers separated by commas, as many in each line; T: float (finite ones) or int32. The text is let go as
/// soon as it is parsed, since it is larger than the numbers.
template <class T>
NumberTable<T> read_number_table(Text text, ThreadPool& pool, const char* what);

/// The line, counted from 1, in which the row of that number stands, counted from 0 and without blank lines.
std::int64_t line_of_row(const Text& text, std::int64_t row);

}  // namespace gdkm
