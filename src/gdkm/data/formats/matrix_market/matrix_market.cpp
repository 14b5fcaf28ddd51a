#include "gdkm/data/formats/matrix_market/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/formats/shared/checked_matrix.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// The header of a Matrix Market file.
struct Header {
  bool is_array = false;      // all entries, column by column; else coordinates of some
  bool is_pattern = false;    // entries without values; all are 1
  bool is_symmetric = false;  // only one triangle is stored
  Index rows = 0, cols = 0;
  Index entries = 0;  // coordinate lines, or array numbers, that must follow
  Index lines = 0;    // length of the header
};

constexpr Index most_indices = std::numeric_limits<std::int32_t>::max();

/// The words of the banner in lower case; at most six, which is one too many.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  constexpr std::string_view blanks = " \t\r";
  while (out.size() < 6) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (line.empty()) break;
    out.push_back(lower_case(line.substr(0, line.find_first_of(blanks))));
    line.remove_prefix(out.back().size());
  }
  return out;
}

void read_banner(std::string_view line, Header& out) {
  const auto words = words_of(line);
  if (words.empty() || words[0] != "%%matrixmarket")
    refuse(
        "is not a Matrix Market banner; begin the file with '%%MatrixMarket matrix coordinate real general'");
  if (words.size() != 5 || words[1] != "matrix")
    refuse("the banner is incomplete; write '%%MatrixMarket matrix', then layout, type and symmetry");
  const auto choose = [](const std::string& word, const char* what, const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    refuse("the {} '{}' is not supported; use one of: {}", what, shown(word), fmt::join(known, ", "));
  };
  choose(words[2], "layout", {"coordinate", "array"});
  choose(words[3], "type", {"real", "double", "integer", "pattern"});
  choose(words[4], "symmetry", {"general", "symmetric"});
  out.is_array = words[2] == "array";
  out.is_pattern = words[3] == "pattern";
  out.is_symmetric = words[4] == "symmetric";
  if (out.is_array && out.is_pattern) refuse("an array needs values; write 'real' instead of 'pattern'");
}

void read_sizes(Line line, Header& out) {
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

/// Reads the banner, comments and the size line. Unsupported kinds (complex, skew-symmetric, Hermitian) and
/// malformed headers are InputErrors that name file, line and remedy.
Header read_matrix_market_header(const Text& text) {
  Header out;
  std::string_view rest = text.bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // a byte order mark
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
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

struct Place {
  std::int32_t row, col;  // from 0
};

std::int32_t read_index(Line& line, const char* what, Index count) {
  const auto number = line.number<std::int64_t>(what);
  if (number < 1 || number > count)
    refuse("expected {} from 1 to {}, got {}; correct it or the size line", what, count, number);
  return static_cast<std::int32_t>(number - 1);
}

Place read_place(Line& line, const Header& header) {
  const auto row = read_index(line, "a row", header.rows);
  return {row, read_index(line, "a column", header.cols)};
}

double read_value(Line& line, const Header& header) {
  const double value = header.is_pattern ? 1.0 : line.number<double>("a value");
  if (!(std::fabs(value) <= std::numeric_limits<float>::max()))
    refuse("expected a finite number, got {}; replace it", value);
  return value;
}

void check_count(const Text& text, const Header& header, Index found) {
  if (found == header.entries) return;
  refuse("{}: has {} entries, but its size line says {}; {}", text.where, found, header.entries,
         found < header.entries ? "the file is cut short, fetch it again" : "correct that line");
}

struct EdgeChunk {
  Index entries = 0;
  bool all_one = true;
  std::vector<Edge> edges;
  std::vector<float> weight;
};

Features read_array(const Text& text, const Header& header, ThreadPool& pool) {
  const auto chunks =
      parse_chunks<std::vector<float>>(text, header.lines, pool, [&](Line& line, std::vector<float>& values) {
        do values.push_back(static_cast<float>(read_value(line, header)));
        while (!line.at_end());
      });
  const Index found =
      std::accumulate(chunks.begin(), chunks.end(), Index{0},
                      [](Index sum, const auto& chunk) { return sum + static_cast<Index>(chunk.size()); });
  check_count(text, header, found);
  Features out;
  out.rows = header.rows;
  out.cols = header.cols;
  out.dense.resize(static_cast<std::size_t>(header.rows * header.cols));
  Index r = 0, c = 0;  // column by column; the lower triangle of a symmetric matrix
  for (const auto& chunk : chunks) {
    for (const float value : chunk) {
      out.dense[static_cast<std::size_t>(r * header.cols + c)] = value;
      if (header.is_symmetric) out.dense[static_cast<std::size_t>(c * header.cols + r)] = value;
      if (++r == header.rows) r = header.is_symmetric ? ++c : (++c, 0);
    }
  }
  return out;
}

Features read_coordinate(const Text& text, const Header& header, ThreadPool& pool) {
  auto entries = parse_lines<Triplet>(text, header.lines, pool, [&](Line& line) {
    const Place place = read_place(line, header);
    const double value = read_value(line, header);
    line.expect_end();
    return Triplet{place.row, place.col, value};
  });
  check_count(text, header, static_cast<Index>(entries.size()));
  if (header.is_symmetric) {
    for (std::size_t k = 0, given = entries.size(); k < given; ++k) {
      const Triplet entry = entries[k];
      if (entry.row != entry.col) entries.push_back({entry.col, entry.row, entry.value});
    }
  }
  return features_from_matrix(text.where, csr_from_triplets(header.rows, header.cols, std::move(entries)));
}

}  // namespace

Graph read_matrix_market_graph(const Text& text, ThreadPool& pool) {
  const Header header = read_matrix_market_header(text);
  if (header.is_array)
    refuse(text.where + ": line 1: a graph cannot be read from an 'array'; write it as 'coordinate'");
  if (header.rows != header.cols) {
    refuse("{}: has size {} x {}; an adjacency matrix is square, with one row per node", text.where,
           header.rows, header.cols);
  }
  // Every node takes memory, and nothing else in the file confirms their number.
  if (header.rows > std::max(Index{1} << 23, static_cast<Index>(text.bytes.size()))) {
    refuse("{}: states {} nodes, but has only {} bytes; leave out nodes without edges", text.where,
           header.rows, text.bytes.size());
  }
  auto chunks = parse_chunks<EdgeChunk>(text, header.lines, pool, [&](Line& line, EdgeChunk& chunk) {
    const Place place = read_place(line, header);
    const double value = read_value(line, header);
    line.expect_end();
    ++chunk.entries;
    if (value == 0) return;
    const auto weight = static_cast<float>(value);
    if (!(weight > 0)) refuse("expected a positive weight (as a float32), got {}; remove such edges", value);
    if (weight != 1) chunk.all_one = false;
    chunk.edges.push_back({place.row, place.col});
    if (!header.is_pattern) chunk.weight.push_back(weight);
  });
  Graph out;
  out.nodes = header.rows;
  out.directed = !header.is_symmetric;
  Index entries = 0;
  bool is_weighted = false;
  for (const EdgeChunk& chunk : chunks) {
    entries += chunk.entries;
    is_weighted = is_weighted || !chunk.all_one;
  }
  check_count(text, header, entries);
  for (EdgeChunk& chunk : chunks) {
    out.edges.insert(out.edges.end(), chunk.edges.begin(), chunk.edges.end());
    if (is_weighted) out.weight.insert(out.weight.end(), chunk.weight.begin(), chunk.weight.end());
    chunk = {};
  }
  return out;
}

Features read_matrix_market_features(const Text& text, Index nodes, ThreadPool& pool) {
  const Header header = read_matrix_market_header(text);
  if (header.rows != nodes)
    refuse("{}: has {} rows, but there are {} nodes; give one row per node", text.where, header.rows, nodes);
  if (header.cols == 0)
    refuse(text.where + ": has no feature columns; give at least one feature, e.g. a constant 1");
  return header.is_array ? read_array(text, header, pool) : read_coordinate(text, header, pool);
}

}  // namespace gdkm
