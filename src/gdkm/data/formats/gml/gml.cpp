#include "gdkm/data/formats/gml/gml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "gdkm/data/formats/gml/gml_tokens.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

using Kind = GmlTokens::Kind;

/// A node or an edge: its plain keys and values, in the order of the file.
using Element = std::vector<std::pair<std::string, std::string>>;

const std::string* find(const Element& element, std::string_view key) {
  for (const auto& [name, value] : element)
    if (name == key) return &value;
  return nullptr;
}

class GmlReader {
 public:
  explicit GmlReader(const Text& text) : tokens_(text), out_(text.where) {}

  AttributedGraph read() {
    bool has_graph = false;
    while (tokens_.next() != Kind::end) {
      if (tokens_.kind() != Kind::word) tokens_.fail("expected a key, got {}", tokens_.shown());
      const bool is_graph = lower_case(tokens_.value()) == "graph";
      tokens_.next();
      if (is_graph && tokens_.kind() == Kind::open) {
        if (has_graph) tokens_.fail("the file has a second graph; keep one graph per file");
        has_graph = true;
        read_graph();
      } else if (tokens_.kind() == Kind::open) {
        tokens_.skip_list();
      }
    }
    if (!has_graph) tokens_.fail("the file has no graph; export it again");
    add_edges();
    if (!ignored_.empty()) {
      out_.remarks.push_back(out_.where +
                             ": ignored nested attributes: " + fmt::format("{}", fmt::join(ignored_, ", ")));
    }
    return std::move(out_);
  }

 private:
  void read_graph() {
    while (tokens_.next() != Kind::close) {
      if (tokens_.kind() != Kind::word) tokens_.fail("expected a key or ], got {}", tokens_.shown());
      const std::string key = lower_case(tokens_.value());
      tokens_.next();
      if (key == "node" && tokens_.kind() == Kind::open) {
        add_node(read_element());
      } else if (key == "edge" && tokens_.kind() == Kind::open) {
        edge_lines_.push_back(tokens_.line());
        edges_.push_back(read_element());
      } else if (tokens_.kind() == Kind::open) {
        tokens_.skip_list();
      } else if (key == "directed") {
        out_.directed = tokens_.value() == "1";
      }
    }
  }

  Element read_element() {
    Element out;
    while (tokens_.next() != Kind::close) {
      if (tokens_.kind() != Kind::word) tokens_.fail("expected a key or ], got {}", tokens_.shown());
      std::string key(tokens_.value());
      tokens_.next();
      if (tokens_.kind() == Kind::open) {
        if (ignored_.size() < 8) ignored_.insert(show_field(key));
        tokens_.skip_list();
      } else if (tokens_.kind() == Kind::number || tokens_.kind() == Kind::text ||
                 tokens_.kind() == Kind::word) {
        out.emplace_back(std::move(key), tokens_.value());
      } else {
        tokens_.fail("expected a value for {}, got {}", show_field(key), tokens_.shown());
      }
    }
    return out;
  }

  /// Keys that are repeated are lists.
  static void add_values(const Element& element, std::int32_t number, const std::set<std::string>& skip,
                         Attributes& attributes) {
    std::map<std::string_view, int> count;
    for (const auto& [key, value] : element) ++count[key];
    std::map<std::string_view, int> seen;
    for (const auto& [key, value] : element) {
      if (skip.contains(key)) continue;
      if (count[key] == 1) {
        attributes.add(number, key, value);
      } else {
        attributes.add(number, fmt::format("{}[{}]", key, seen[key]++), value);
      }
    }
  }

  void add_node(const Element& element) {
    const std::string* id = find(element, "id");
    if (id == nullptr || id->empty()) tokens_.fail("a node has no id; give it one");
    if (!out_.nodes.add(*id)) tokens_.fail("node {} occurs twice; keep one", show_field(*id));
    add_values(element, static_cast<std::int32_t>(out_.nodes.size() - 1), {"id"}, out_.node_attributes);
  }

  /// Edges may come before their nodes.
  void add_edges() {
    bool has_weight = false;
    for (const Element& edge : edges_) has_weight = has_weight || find(edge, "weight") != nullptr;
    for (std::size_t k = 0; k < edges_.size(); ++k) {
      const auto end = [&](const char* which) {
        const std::string* id = find(edges_[k], which);
        if (id == nullptr)
          refuse("{}: line {}: an edge has no {}; name a node", out_.where, edge_lines_[k], which);
        if (const auto found = out_.nodes.find(*id)) return *found;
        refuse("{}: line {}: the {} {} is not a node of the graph; add it, or remove the edge", out_.where,
               edge_lines_[k], which, show_field(*id));
      };
      const auto number = static_cast<std::int32_t>(out_.edges.size());
      out_.edges.push_back({end("source"), end("target")});
      Element named = edges_[k];
      for (auto& [key, value] : named)
        if (!has_weight && key == "value" && to_float(value).value_or(0) > 0) key = "weight";
      add_values(named, number, {"source", "target", "id", "key"}, out_.edge_attributes);
    }
  }

  GmlTokens tokens_;
  AttributedGraph out_;
  std::vector<Element> edges_;
  std::vector<std::int64_t> edge_lines_;
  std::set<std::string> ignored_;
};

}  // namespace

bool looks_like_gml(std::string_view start) {
  const Text text{"", std::string(start)};
  GmlTokens tokens(text);
  try {
    for (int k = 0; k < 64; ++k) {
      if (tokens.next() != Kind::word) return false;
      const bool is_graph = lower_case(tokens.value()) == "graph";
      const Kind value = tokens.next();
      if (value == Kind::open) return is_graph;
      if (value != Kind::text && value != Kind::number) return false;
    }
  } catch (const InputError&) {
  }
  return false;
}

AttributedGraph read_gml(const Text& text) {
  return GmlReader(text).read();
}

}  // namespace gdkm
