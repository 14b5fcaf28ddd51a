#include "gdkm/data/formats/graphml/graphml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <pugixml.hpp>
#include <set>

#include "gdkm/data/formats/shared/class_names.hpp"
#include "gdkm/data/formats/shared/edge_types.hpp"
#include "gdkm/data/formats/shared/node_index.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

std::ptrdiff_t line_of(const Text& text, std::ptrdiff_t offset) {
  const auto size = static_cast<std::ptrdiff_t>(text.bytes.size());
  return 1 + std::count(text.bytes.begin(), text.bytes.begin() + std::clamp<std::ptrdiff_t>(offset, 0, size),
                        '\n');
}

template <class... T>
[[noreturn]] void fail_at(const Text& text, const pugi::xml_node& at, fmt::format_string<T...> what,
                          T&&... values) {
  refuse("{}: line {}: {}", text.where, line_of(text, at.offset_debug()),
         fmt::format(what, std::forward<T>(values)...));
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// An attribute that the file declares for its nodes or edges.
struct Key {
  std::string id, name, type;
  std::optional<std::string> default_value;

  bool is_numeric() const {
    return type == "int" || type == "long" || type == "float" || type == "double" || type == "boolean";
  }
  /// The name used in messages.
  const std::string& shown() const { return name.empty() ? id : name; }
};

/// The keys for `domain` ("node" or "edge"), in file order.
std::vector<Key> read_keys(const Text& text, const pugi::xml_node& root, std::string_view domain) {
  std::vector<Key> out;
  for (const auto& element : root.children("key")) {
    const std::string_view target = element.attribute("for").as_string("all");
    if (target != domain && target != "all") continue;
    Key key;
    key.id = element.attribute("id").as_string();
    key.name = element.attribute("attr.name").as_string();
    key.type = element.attribute("attr.type").as_string("string");
    if (key.id.empty()) fail_at(text, element, "the key has no id; give it one");
    if (!key.is_numeric() && key.type != "string") {
      fail_at(text, element, "key {} has type {}; use int, long, float, double, boolean or string",
              show_field(key.shown()), show_field(key.type));
    }
    const auto same = [&](const Key& other) { return other.id == key.id; };
    if (std::any_of(out.begin(), out.end(), same))
      fail_at(text, element, "key id {} is declared twice; rename one", show_field(key.id));
    if (const auto value = element.child("default"))
      key.default_value = std::string(trimmed(value.text().get()));
    out.push_back(std::move(key));
  }
  return out;
}

/// The key with that name, else the key with that id.
std::optional<std::size_t> find_key(const std::vector<Key>& keys, const std::string& name) {
  for (const auto member : {&Key::name, &Key::id}) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (keys[k].*member == name) return k;
    }
  }
  return std::nullopt;
}

/// The values of `keys` at one element: its own, else the default of the key, else nothing.
class Values {
 public:
  explicit Values(const std::vector<Key>& keys) : keys_(keys), value_(keys.size()) {
    for (std::size_t k = 0; k < keys.size(); ++k) place_.emplace(keys[k].id, k);
  }

  void read(const Text& text, const pugi::xml_node& element) {
    for (std::size_t k = 0; k < keys_.size(); ++k) value_[k] = keys_[k].default_value;
    for (const auto& data : element.children("data")) {
      const std::string_view id = data.attribute("key").as_string();
      const auto at = place_.find(id);
      if (at == place_.end())
        fail_at(text, data, "key {} is not declared; add a <key> element for it", show_field(id));
      value_[at->second] = trimmed(data.text().get());
    }
  }
  const std::optional<std::string_view>& operator[](std::size_t key) const { return value_[key]; }

 private:
  const std::vector<Key>& keys_;
  std::map<std::string, std::size_t, std::less<>> place_;
  std::vector<std::optional<std::string_view>> value_;
};

class GraphMlReader {
 public:
  GraphMlReader(const Text& text, const GraphMlOptions& options)
      : text_(text), options_(options), index_(text.where) {}

  Dataset read() {
    const auto result = document_.load_buffer(text_.bytes.data(), text_.bytes.size());
    if (!result) {
      refuse("{}: line {}: is not well-formed XML ({}); export the graph again", text_.where,
             line_of(text_, result.offset), result.description());
    }
    const pugi::xml_node root = document_.child("graphml");
    if (!root) refuse(text_.where + ": has no <graphml> element; export the graph as GraphML");
    const pugi::xml_node graph = root.child("graph");
    if (!graph) refuse(text_.where + ": has no <graph> element; export the graph again");
    if (graph.next_sibling("graph"))
      fail(graph.next_sibling("graph"), "the file has a second graph; keep one graph per file");
    node_keys_ = read_keys(text_, root, "node");
    edge_keys_ = read_keys(text_, root, "edge");
    choose_keys();
    out_.graph.directed = std::string_view(graph.attribute("edgedefault").as_string()) == "directed";
    read_nodes(graph);
    read_edges(graph);
    if (options_.directed) out_.graph.directed = *options_.directed;
    settle();
    return std::move(out_);
  }

 private:
  template <class... T>
  [[noreturn]] void fail(const pugi::xml_node& at, fmt::format_string<T...> what, T&&... values) const {
    fail_at(text_, at, what, std::forward<T>(values)...);
  }

  /// Chooses the attributes for the class, the weight and the features.
  void choose_keys() {
    if (!options_.label_key.empty()) {
      label_ = find_key(node_keys_, options_.label_key);
      if (!label_) fail_no_key("label_key", options_.label_key, node_keys_);
    }
    weight_ = find_key(edge_keys_, options_.weight_key.empty() ? "weight" : options_.weight_key);
    if (!weight_ && !options_.weight_key.empty()) fail_no_key("weight_key", options_.weight_key, edge_keys_);
    choose_type_key();
    static const std::set<std::string> classes{"class", "label", "target", "y"};
    for (std::size_t k = 0; k < node_keys_.size(); ++k) {
      if (k == label_ || !node_keys_[k].is_numeric()) continue;
      if (classes.contains(lower_case(node_keys_[k].name))) {
        refuse("{}: node attribute '{}' would become a feature; if it is the class, use {}, else rename it",
               text_.where, node_keys_[k].name, option("label_key", node_keys_[k].name));
      }
      feature_.push_back(k);
    }
  }

  void choose_type_key() {
    if (options_.type_key == "none") return;
    if (!options_.type_key.empty()) {
      type_ = find_key(edge_keys_, options_.type_key);
      if (!type_) fail_no_key("type_key", options_.type_key, edge_keys_);
      return;
    }
    for (const char* name : {"type", "relation", "label"}) {
      for (std::size_t k = 0; k < edge_keys_.size() && !type_; ++k) {
        if (k != weight_ && lower_case(edge_keys_[k].name) == name) type_ = k;
      }
    }
  }

  [[noreturn]] void fail_no_key(const char* field, const std::string& name,
                                const std::vector<Key>& keys) const {
    std::string known;
    for (std::size_t k = 0; k < std::min<std::size_t>(keys.size(), 8); ++k) {
      known += (k == 0 ? "; use one of " : ", ") + show_field(keys[k].shown());
    }
    refuse("{}: {}: the file declares no such attribute{}", text_.where,
           gdkm::option(field, show_field(name)), known.empty() ? "; it declares none" : known);
  }

  float number(const pugi::xml_node& at, const Key& key, const std::optional<std::string_view>& text) const {
    if (!text)
      fail(at, "attribute {} is missing; add it, or add a <default> to its key", show_field(key.shown()));
    if (key.type == "boolean") {
      if (*text == "true" || *text == "1") return 1;
      if (*text == "false" || *text == "0") return 0;
    } else if (const auto value = to_float(*text); value && std::isfinite(*value)) {
      return *value;
    }
    fail(at, "attribute {}: expected {}, got {}; correct it", show_field(key.shown()),
         key.type == "boolean" ? "true or false" : "a finite number", show_field(*text));
  }

  void read_nodes(const pugi::xml_node& graph) {
    Values values(node_keys_);
    for (const auto& node : graph.children("node")) {
      if (node.child("graph"))
        fail(node, "nested graphs are not supported; keep nodes and edges in one graph");
      if (node.child("port")) fail(node, "ports are not supported; connect the nodes directly");
      const std::string_view id = node.attribute("id").as_string();
      if (id.empty()) fail(node, "a node has no id; give it one");
      if (!index_.add(id)) fail(node, "node {} occurs twice; keep one", show_field(id));
      values.read(text_, node);
      for (const auto k : feature_) out_.features.dense.push_back(number(node, node_keys_[k], values[k]));
      class_text_.emplace_back(label_ ? values[*label_].value_or("") : "");
    }
    if (index_.size() == 0) refuse(text_.where + ": has no nodes; a graph needs at least one");
    if (const auto extra = graph.child("hyperedge"))
      fail(extra, "hyperedges are not supported; write edges of two nodes");
  }

  std::int32_t end_of(const pugi::xml_node& edge, const char* which) const {
    const pugi::xml_attribute id = edge.attribute(which);
    if (!id) fail(edge, "an edge has no {}; name a node", which);
    if (edge.attribute("sourceport") || edge.attribute("targetport"))
      fail(edge, "ports are not supported; connect the nodes directly");
    const auto found = index_.find(id.as_string());
    if (!found)
      fail(edge, "the {} {} is not a node of the graph; add it, or remove the edge", which,
           show_field(id.as_string()));
    return *found;
  }

  void read_edges(const pugi::xml_node& graph) {
    Values values(edge_keys_);
    for (const auto& edge : graph.children("edge")) {
      out_.graph.edges.push_back({end_of(edge, "source"), end_of(edge, "target")});
      if (const auto own = edge.attribute("directed")) {
        if (own.as_bool() != out_.graph.directed && !options_.directed) {
          fail(edge, "its direction differs from the graph's edgedefault; choose {} or {} for all edges",
               option("directed"), option("undirected"));
        }
      }
      if (edge.child("graph"))
        fail(edge, "nested graphs are not supported; keep nodes and edges in one graph");
      values.read(text_, edge);
      if (type_) add_type(edge, edge_keys_[*type_], values[*type_]);
      if (!weight_) continue;
      const float weight = number(edge, edge_keys_[*weight_], values[*weight_]);
      if (!(weight > 0))
        fail(edge, "expected a positive weight, got {}; correct it, or remove edges of weight 0", weight);
      out_.graph.weight.push_back(weight);
    }
  }

  void add_type(const pugi::xml_node& edge, const Key& key, const std::optional<std::string_view>& text) {
    try {
      types_.add(text.value_or(""));
    } catch (const InputError& error) {
      fail(edge, "attribute {}: {}; or leave types out with {}", show_field(key.shown()), error.message(),
           option("type_key", "none"));
    }
  }

  void settle() {
    if (!types_.empty()) types_.give_to(out_.graph);
    out_.graph.nodes = index_.size();
    out_.node_names = index_.names();
    set_classes(class_text_, {}, out_);
    out_.features.rows = index_.size();
    out_.features.cols = static_cast<Index>(feature_.size());
    if (feature_.empty()) out_.features = make_default_features(out_.graph, options_.default_features);
  }

  const Text& text_;
  const GraphMlOptions& options_;
  pugi::xml_document document_;
  std::vector<Key> node_keys_, edge_keys_;
  std::optional<std::size_t> label_, weight_, type_;
  std::vector<std::size_t> feature_;
  NodeIndex index_;
  EdgeTypes types_;
  std::vector<std::string> class_text_;
  Dataset out_;
};

}  // namespace

Dataset read_graphml(const Text& text, const GraphMlOptions& options) {
  return GraphMlReader(text, options).read();
}

}  // namespace gdkm
