#include "gdkm/experiments/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "gdkm/support/edit_distance.hpp"

namespace gdkm {

namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

TextTable::TextTable(std::vector<std::string> titles) : right_(titles.size(), false) {
  rows_.push_back(std::move(titles));
}

void TextTable::align_right(const std::vector<std::size_t>& columns) {
  for (const std::size_t column : columns) right_.at(column) = true;
}

void TextTable::add(std::vector<std::string> row) {
  row.resize(right_.size());
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(right_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blank(widths[c] - width(row[c]), ' ');
      line += (c > 0 ? "  " : "") + (right_[c] ? blank + row[c] : row[c] + blank);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string wrapped(const std::string& text, std::size_t columns) {
  std::istringstream words(text);
  std::string out, word;
  std::size_t column = 0;
  while (words >> word) {
    const bool fits = column + 1 + word.size() <= columns;
    if (column > 0) out += fits ? ' ' : '\n';
    column = (column > 0 && fits ? column + 1 : 0) + word.size();
    out += word;
  }
  return out;
}

std::string suggestion(const std::string& given, const std::vector<std::string>& known) {
  const auto distance = [&](const std::string& name) { return edit_distance(given, name); };
  const auto nearest = std::min_element(
      known.begin(), known.end(), [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  const bool near = nearest != known.end() && distance(*nearest) <= 1 + given.size() / 4;
  return near ? fmt::format(" (did you mean '{}'?)", *nearest) : "";
}

}  // namespace gdkm
