#pragma once

#include <string>
#include <vector>

namespace gdkm {

/// Rows of text under a line of titles, in columns that line up; widths are counted in characters of UTF-8.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> titles);

  /// Numbers of columns whose texts end at the same place.
  void align_right(const std::vector<std::size_t>& columns);
  void add(std::vector<std::string> row);
  bool empty() const { return rows_.size() == 1; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // titles first
  std::vector<bool> right_;
};

/// Text in lines of at most `columns` characters (of ASCII; others count a little more).
std::string wrapped(const std::string& text, std::size_t columns);

/// " (did you mean 'train'?)", or nothing where no known name is near.
std::string suggestion(const std::string& given, const std::vector<std::string>& known);

}  // namespace gdkm
