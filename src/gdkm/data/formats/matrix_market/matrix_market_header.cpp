#include "gdkm/data/formats/matrix_market/matrix_market_header.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr Index most_indices = std::numeric_limits<std::int32_t>::max();

/// The words of the banner in lower case; at most six, which is one too many.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  constexpr std::string_view blanks = " \t\r";
  while (out.size() < 6) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (line.empty()) break;
    std::string word(line.substr(0, line.find_first_of(blanks)));
    line.remove_prefix(word.size());
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    out.push_back(std::move(word));
  }
  return out;
}

void read_banner(std::string_view line, MatrixMarketHeader& out) {
  const auto words = words_of(line);
  if (words.empty() || words[0] != "%%matrixmarket")
    refuse(
        "is not a Matrix Market banner; begin the file with '%%MatrixMarket matrix coordinate real general'");
  if (words.size() != 5 || words[1] != "matrix")
    refuse("the banner is incomplete; write '%%MatrixMarket matrix', then layout, type and symmetry");
  const auto choose = [](const std::string& word, const char* what,
                         std::initializer_list<const char*> known) {
    for (const char* candidate : known) {
      if (word == candidate) return;
    }
    std::string list;
    for (const char* candidate : known) list += std::string(list.empty() ? "" : ", ") + candidate;
    std::string shown = word.substr(0, 40);
    std::replace_if(
        shown.begin(), shown.end(), [](unsigned char c) { return c < 32 || c == 127; }, ' ');
    refuse("the {} '{}' is not supported; use one of: {}", what, shown, list);
  };
  choose(words[2], "layout", {"coordinate", "array"});
  choose(words[3], "type", {"real", "double", "integer", "pattern"});
  choose(words[4], "symmetry", {"general", "symmetric"});
  out.is_array = words[2] == "array";
  out.is_pattern = words[3] == "pattern";
  out.is_symmetric = words[4] == "symmetric";
  if (out.is_array && out.is_pattern) refuse("an array needs values; write 'real' instead of 'pattern'");
}

void read_sizes(Line line, MatrixMarketHeader& out) {
  out.rows = line.number<Index>("a number of rows");
  out.cols = line.number<Index>("a number of columns");
  if (out.rows < 1 || out.cols < 0 || std::max(out.rows, out.cols) > most_indices) {
    refuse("the size {} x {} is out of range; use at least 1 row and at most {} rows and columns", out.rows,
           out.cols, most_indices);
  }
  if (out.is_symmetric && out.rows != out.cols)
    refuse("{} x {} cannot be symmetric; write 'general'", out.rows, out.cols);
  if (out.is_array) {
    out.entries = out.is_symmetric ? out.rows * (out.rows + 1) / 2 : out.rows * out.cols;
  } else {
    out.entries = line.number<Index>("a number of entries");
  }
  line.expect_end();
}

}  // namespace

MatrixMarketHeader read_matrix_market_header(const Text& text) {
  MatrixMarketHeader out;
  std::string_view rest = text.bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // a byte order mark
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++out.lines;
    try {
      if (out.lines == 1) {
        read_banner(line, out);
      } else if (!Line(line).at_end() && !line.starts_with('%')) {
        read_sizes(Line(line), out);
        return out;
      }
    } catch (const InputError& error) {
      refuse("{}: line {}: {}", text.where, out.lines, error.what());
    }
  }
  refuse(text.where + ": has no size line; the file is cut short, fetch it again");
}

}  // namespace gdkm
