#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/graph/graph.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Reading text files that consist of lines of numbers. Blank lines are skipped unless they are refused.
/// Errors name the file and the line.

/// For files whose line k belongs to item k: a blank line before the last row is an InputError, since it
/// would shift everything after it. `what` says what is missing ("a fold").
void refuse_blank_lines(const Text& text, const char* what);

/// One integer per line, from `least` to `most`. `what` names it in errors ("a graph number").
std::vector<std::int32_t> read_integer_lines(const Text& text, ThreadPool& pool, const char* what,
                                             std::int32_t least, std::int32_t most);

/// The two ends of an edge, separated by a comma or blanks. In the file nodes are numbered from `first`, in
/// the result from 0.
Edge read_edge(Line& line, std::int32_t first, Index nodes);

/// A row-major table of numbers.
template <class T>
struct NumberTable {
  Index rows = 0, cols = 0;
  std::vector<T> value;
};

/// Numbers separated by commas, the same number in every line. T is float (finite numbers only) or int32. The
/// text is freed after parsing, since it is larger than the numbers.
template <class T>
NumberTable<T> read_number_table(Text text, ThreadPool& pool, const char* what);

/// The line, counted from 1, that holds row number `row`; rows count from 0 and skip blank lines.
std::int64_t line_of_row(const Text& text, std::int64_t row);

}  // namespace gdkm
