#include "gdkm/data/formats/shared/number_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Calls visit(line, number) for each line that is not blank, until it returns false.
template <class Visit>
void for_each_row(const Text& text, Visit visit) {
  std::string_view rest = text.bytes;
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.find_first_not_of(" \t\r\v\f") != std::string_view::npos && !visit(line, number)) return;
  }
}

Index count_columns(const Text& text) {
  Index out = 0;
  for_each_row(text, [&](std::string_view line, std::int64_t) {
    out = 1 + std::count(line.begin(), line.end(), ',');
    return false;
  });
  return out;
}

std::int32_t next_value(Line& line, const char* what, std::int32_t*) {
  return line.number<std::int32_t>(what);
}

/// Numbers too large for float32 count as infinite; numbers too small for it become 0.
float next_value(Line& line, const char* what, float*) {
  const auto value = line.number<double>(what);
  if (std::fabs(value) <= std::numeric_limits<float>::max()) return static_cast<float>(value);
  refuse("expected {} that is finite, got {}; replace it", what, value);
}

}  // namespace

void refuse_blank_lines(const Text& text, const char* what) {
  std::int64_t rows = 0;
  for_each_row(text, [&](std::string_view, std::int64_t number) {
    if (number == ++rows) return true;
    refuse("{}: line {}: expected {}, got a blank line; fill or remove it", text.where, rows, what);
  });
}

std::vector<std::int32_t> read_integer_lines(const Text& text, ThreadPool& pool, const char* what,
                                             std::int32_t least, std::int32_t most) {
  return parse_lines<std::int32_t>(text, 0, pool, [&](Line& line) {
    const auto value = line.number<std::int32_t>(what);
    line.expect_end();
    if (value < least || value > most)
      refuse("expected {} from {} to {}, got {}; correct it", what, least, most, value);
    return value;
  });
}

Edge read_edge(Line& line, std::int32_t first, Index nodes) {
  const auto end = [&] {
    const auto node = line.number<std::int64_t>("a node number");
    if (node < first || node - first >= nodes) {
      refuse("refers to node {}, but nodes are numbered {}..{}; correct or remove the line", node, first,
             nodes - 1 + first);
    }
    return static_cast<std::int32_t>(node - first);
  };
  Edge out{};
  out.from = end();
  line.accept(',');
  out.to = end();
  line.expect_end();
  return out;
}

template <class T>
NumberTable<T> read_number_table(Text text, ThreadPool& pool, const char* what) {
  NumberTable<T> out;
  out.cols = count_columns(text);
  auto chunks = parse_chunks<std::vector<T>>(text, 0, pool, [&](Line& line, std::vector<T>& values) {
    Index count = 0;
    do {
      values.push_back(next_value(line, what, static_cast<T*>(nullptr)));
    } while (++count < out.cols && line.accept(','));
    if (count < out.cols || !line.at_end()) {
      const auto here = 1 + std::count(line.text().begin(), line.text().end(), ',');
      if (here == out.cols) line.expect_end();
      refuse("has {} numbers, but the first line has {}; give every line the same number", here, out.cols);
    }
  });
  text.bytes = std::string();
  out.value = std::move(chunks.front());
  for (std::size_t k = 1; k < chunks.size(); ++k) {
    out.value.insert(out.value.end(), chunks[k].begin(), chunks[k].end());
    chunks[k] = std::vector<T>();
  }
  if (out.cols > 0) out.rows = static_cast<Index>(out.value.size()) / out.cols;
  return out;
}
template NumberTable<float> read_number_table(Text, ThreadPool&, const char*);
template NumberTable<std::int32_t> read_number_table(Text, ThreadPool&, const char*);

std::int64_t line_of_row(const Text& text, std::int64_t row) {
  std::int64_t out = 0;
  for_each_row(text, [&](std::string_view, std::int64_t number) {
    out = number;
    return row-- > 0;
  });
  return out;
}

}  // namespace gdkm
