#include "gdkm/data/formats/pajek/pajek.hpp"

#include <fmt/format.h>

#include <set>

#include "gdkm/data/formats/csv/csv_row.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Whether a key says how Pajek draws a vertex.
bool is_of_drawing(const std::string& key) {
  static const std::set<std::string> known{"ic",  "bc", "bw", "lc",    "la",   "lr",     "lphi",   "fos",
                                           "phi", "r",  "q",  "hooks", "font", "x_fact", "y_fact", "s_size"};
  return known.contains(key);
}

bool is_comment(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '%';
}

struct Vertex {
  std::string label;
  std::vector<std::pair<std::string, std::string>> value;
};

struct Tie {
  std::int32_t from, to;
  bool is_arc;
  std::vector<std::pair<std::string, std::string>> value;
};

class PajekReader {
 public:
  explicit PajekReader(const Text& text) : text_(text), out_(text.where) {}

  AttributedGraph read() {
    std::string_view rest = text_.bytes;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    for (std::int64_t number = 1; !rest.empty(); ++number) {
      std::string_view line = take_line(rest);
      if (is_comment(line)) continue;
      try {
        row_.take(line, ' ');
        row_[0].starts_with('*') ? start_section() : (this->*read_row_)();
      } catch (const InputError& error) {
        refuse("{}: line {}: {}", text_.where, number, error.message());
      }
    }
    if (vertices_.empty()) refuse(text_.where + ": has no vertices; begin with *Vertices and their number");
    add_vertices();
    add_ties();
    if (has_layout_) out_.remarks.push_back(out_.where + ": left out coordinates and the looks of vertices");
    return std::move(out_);
  }

 private:
  void start_section() {
    const std::string name = lower_case(row_[0]);
    if (name == "*network") {
      if (!vertices_.empty()) refuse("a second network begins; save each in a file of its own");
      read_row_ = &PajekReader::fail_row;
    } else if (name == "*vertices") {
      start_vertices();
    } else if (name == "*arcs" || name == "*edges" || name == "*arcslist" || name == "*edgeslist") {
      read_row_ = name.ends_with("list") ? &PajekReader::read_list : &PajekReader::read_tie;
      is_arc_ = name.starts_with("*arcs");
      type_.clear();
      // *Arcs :1 "likes"
      if (row_.size() > 1) type_ = row_.size() > 2 ? row_[2] : row_[1];
    } else {
      refuse("{} is not read, only *Vertices, *Arcs, *Edges and their lists; save the network alone, as .net",
             show_field(row_[0]));
    }
  }

  void start_vertices() {
    if (!vertices_.empty()) refuse("vertices are listed twice; save each network in a file of its own");
    const auto count = row_.size() > 1 ? whole_number<Index>(row_[1]) : std::nullopt;
    if (!count || *count < 1)
      refuse("expected the number of vertices after *Vertices, got {}; give it",
             show_field(row_.size() > 1 ? row_[1] : ""));
    check_claimed_nodes(text_, *count);
    vertices_.resize(static_cast<std::size_t>(*count));
    if (row_.size() > 2)
      out_.remarks.push_back(out_.where + ": has two kinds of vertices, which are read as one");
    read_row_ = &PajekReader::read_vertex;
  }

  void fail_row() { refuse("expected *Vertices first, got {}; correct the file", show_field(row_[0])); }

  std::int32_t vertex(std::string_view field) const {
    const auto number = whole_number<Index>(field);
    if (number && *number >= 1 && *number <= static_cast<Index>(vertices_.size()))
      return static_cast<std::int32_t>(*number - 1);
    refuse("expected the number of a vertex, 1 to {}, got {}; correct it", vertices_.size(),
           show_field(field));
  }

  /// Keys and values from field `k` on.
  void take_values(std::size_t k, std::vector<std::pair<std::string, std::string>>& out) const {
    for (; k < row_.size(); k += 2) {
      if (row_[k].starts_with('['))
        refuse("has times {}; graphs that change with time are not read", show_field(row_[k]));
      if (k + 1 == row_.size()) refuse("the key {} has no value; give it one", show_field(row_[k]));
      out.emplace_back(row_[k], row_[k + 1]);
    }
  }

  /// number "label" x y z shape key value ...
  void read_vertex() {
    Vertex& out = vertices_[static_cast<std::size_t>(vertex(row_[0]))];
    if (!out.label.empty()) refuse("vertex {} has a second line; keep one", show_field(row_[0]));
    ++lines_;
    out.label = row_.size() > 1 && !row_[1].empty() ? row_[1] : row_[0];
    std::size_t k = 2;
    for (; k < row_.size() && k < 5; ++k) {
      const auto place = to_double(row_[k]);
      if (!place) break;
      has_layout_ = has_layout_ || *place != 0;
    }
    if (k < row_.size() && !row_[k].starts_with('[') && (row_.size() - k) % 2 == 1) ++k;  // the shape
    take_values(k, out.value);
  }

  /// from to weight key value ...
  void read_tie() {
    if (row_.size() < 2) refuse("has one field, but an edge needs two vertices; name both");
    Tie tie{vertex(row_[0]), vertex(row_[1]), is_arc_, {}};
    const bool has_weight = row_.size() > 2 && to_double(row_[2]);
    if (has_weight) tie.value.emplace_back("weight", row_[2]);
    take_values(has_weight ? 3 : 2, tie.value);
    add_tie(std::move(tie));
  }

  /// from to to to ...
  void read_list() {
    for (std::size_t k = 1; k < row_.size(); ++k) add_tie({vertex(row_[0]), vertex(row_[k]), is_arc_, {}});
  }

  void add_tie(Tie tie) {
    if (!type_.empty()) tie.value.emplace_back("type", type_);
    out_.directed = out_.directed || tie.is_arc;
    ties_.push_back(std::move(tie));
  }

  /// A few bytes can state many vertices. Those without a line go by their numbers, which take no memory.
  void add_vertices() {
    const auto count = static_cast<Index>(vertices_.size());
    if (lines_ < count) out_.nodes = NodeIndex(out_.where, 0, 1);
    bool differ = true;
    for (std::size_t k = 0; k < vertices_.size() && differ; ++k)
      differ = vertices_[k].label.empty() ? out_.nodes.add_next() : out_.nodes.add(vertices_[k].label);
    if (!differ) {
      out_.remarks.push_back(out_.where + ": labels repeat, so vertices go by their numbers");
      out_.nodes = NodeIndex(out_.where, count, 1);
    }
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
      for (const auto& [key, value] : vertices_[k].value) {
        if (is_of_drawing(key)) {
          has_layout_ = true;
        } else {
          out_.node_attributes.add(static_cast<std::int32_t>(k), key, value);
        }
      }
    }
  }

  /// In a graph with arcs, an edge is an arc in both directions.
  void add_ties() {
    const auto add = [&](std::int32_t from, std::int32_t to, const Tie& tie) {
      const auto number = static_cast<std::int32_t>(out_.edges.size());
      out_.edges.push_back({from, to});
      for (const auto& [key, value] : tie.value) out_.edge_attributes.add(number, key, value);
    };
    for (const Tie& tie : ties_) {
      add(tie.from, tie.to, tie);
      if (out_.directed && !tie.is_arc && tie.from != tie.to) add(tie.to, tie.from, tie);
    }
  }

  const Text& text_;
  AttributedGraph out_;
  CsvRow row_;
  void (PajekReader::*read_row_)() = &PajekReader::fail_row;
  std::vector<Vertex> vertices_;
  Index lines_ = 0;  // of vertices
  std::vector<Tie> ties_;
  std::string type_;
  bool is_arc_ = false, has_layout_ = false;
};

}  // namespace

AttributedGraph read_pajek(const Text& text) {
  return PajekReader(text).read();
}

bool looks_like_pajek(std::string_view start) {
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  while (!start.empty()) {
    const std::string line = lower_case(take_line(start));
    if (is_comment(line)) continue;
    const auto first = line.find_first_not_of(" \t");
    return line.compare(first, 9, "*vertices") == 0 || line.compare(first, 8, "*network") == 0;
  }
  return false;
}

}  // namespace gdkm
