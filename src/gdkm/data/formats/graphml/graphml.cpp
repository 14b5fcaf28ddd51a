#include "gdkm/data/formats/graphml/graphml.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/data/formats/shared/xml_file.hpp"

namespace gdkm {
namespace {

/// An attribute that the file declares for its nodes or edges.
struct Key {
  std::string id, name;
  std::optional<std::string> default_value;
  std::size_t column = 0;
};

class GraphMlReader {
 public:
  GraphMlReader(const Text& text, std::optional<bool> directed)
      : file_(text), directed_(directed), out_(text.where) {}

  AttributedGraph read() {
    const pugi::xml_node root = file_.child("graphml");
    const std::string& where = file_.text().where;
    if (!root) refuse(where + ": has no <graphml> element; export the graph as GraphML");
    const pugi::xml_node graph = root.child("graph");
    if (!graph) refuse(where + ": has no <graph> element; export the graph again");
    if (graph.next_sibling("graph"))
      file_.fail(graph.next_sibling("graph"), "the file has a second graph; keep one graph per file");
    node_keys_ = read_keys(root, "node", out_.node_attributes);
    edge_keys_ = read_keys(root, "edge", out_.edge_attributes);
    out_.directed = std::string_view(graph.attribute("edgedefault").as_string()) == "directed";
    read_nodes(graph);
    read_edges(graph);
    return std::move(out_);
  }

 private:
  using Keys = std::map<std::string, Key, std::less<>>;

  /// The keys for `domain` ("node" or "edge"), by their ids.
  Keys read_keys(const pugi::xml_node& root, std::string_view domain, Attributes& attributes) const {
    static constexpr std::array types{"int", "long", "float", "double", "boolean", "string"};
    Keys out;
    for (const auto& element : root.children("key")) {
      const std::string_view target = element.attribute("for").as_string("all");
      if (target != domain && target != "all") continue;
      Key key;
      key.id = element.attribute("id").as_string();
      key.name = element.attribute("attr.name").as_string();
      const std::string_view type = element.attribute("attr.type").as_string("string");
      if (key.id.empty()) file_.fail(element, "the key has no id; give it one");
      if (std::find(types.begin(), types.end(), type) == types.end()) {
        file_.fail(element, "key {} has type {}; use int, long, float, double, boolean or string",
                   show_field(key.name.empty() ? key.id : key.name), show_field(type));
      }
      if (out.contains(key.id))
        file_.fail(element, "key id {} is declared twice; rename one", show_field(key.id));
      if (const auto value = element.child("default"))
        key.default_value = std::string(trimmed_xml(value.text().get()));
      if (key.name.empty() || attributes.find(key.name)) key.name = key.id;
      key.column = attributes.declare(key.name);
      out.emplace(key.id, std::move(key));
    }
    for (const auto& [id, key] : out) attributes.alias(id, key.column);
    return out;
  }

  void read_values(const pugi::xml_node& element, const Keys& keys, std::int32_t number,
                   Attributes& attributes) const {
    for (const auto& data : element.children("data")) {
      const std::string_view id = data.attribute("key").as_string();
      const auto at = keys.find(id);
      if (at == keys.end())
        file_.fail(data, "key {} is not declared; add a <key> element for it", show_field(id));
      attributes.add(number, at->second.column, trimmed_xml(data.text().get()));
    }
    for (const auto& [id, key] : keys) {
      if (key.default_value) attributes.add(number, key.column, *key.default_value);
    }
  }

  void read_nodes(const pugi::xml_node& graph) {
    for (const auto& node : graph.children("node")) {
      if (node.child("graph"))
        file_.fail(node, "nested graphs are not supported; keep nodes and edges in one graph");
      if (node.child("port")) file_.fail(node, "ports are not supported; connect the nodes directly");
      const std::string_view id = node.attribute("id").as_string();
      if (id.empty()) file_.fail(node, "a node has no id; give it one");
      if (!out_.nodes.add(id)) file_.fail(node, "node {} occurs twice; keep one", show_field(id));
      read_values(node, node_keys_, static_cast<std::int32_t>(out_.nodes.size() - 1), out_.node_attributes);
    }
    if (const auto extra = graph.child("hyperedge"))
      file_.fail(extra, "hyperedges are not supported; write edges of two nodes");
  }

  std::int32_t end_of(const pugi::xml_node& edge, const char* which) const {
    const pugi::xml_attribute id = edge.attribute(which);
    if (!id) file_.fail(edge, "an edge has no {}; name a node", which);
    if (edge.attribute("sourceport") || edge.attribute("targetport"))
      file_.fail(edge, "ports are not supported; connect the nodes directly");
    const auto found = out_.nodes.find(id.as_string());
    if (!found)
      file_.fail(edge, "the {} {} is not a node of the graph; add it, or remove the edge", which,
                 show_field(id.as_string()));
    return *found;
  }

  void read_edges(const pugi::xml_node& graph) {
    for (const auto& edge : graph.children("edge")) {
      if (edge.child("graph"))
        file_.fail(edge, "nested graphs are not supported; keep nodes and edges in one graph");
      if (const auto own = edge.attribute("directed"); own && own.as_bool() != out_.directed && !directed_) {
        file_.fail(edge, "its direction differs from the graph's edgedefault; choose {} or {} for all edges",
                   option("directed"), option("undirected"));
      }
      const auto number = static_cast<std::int32_t>(out_.edges.size());
      out_.edges.push_back({end_of(edge, "source"), end_of(edge, "target")});
      read_values(edge, edge_keys_, number, out_.edge_attributes);
    }
  }

  XmlFile file_;
  std::optional<bool> directed_;
  Keys node_keys_, edge_keys_;
  AttributedGraph out_;
};

}  // namespace

AttributedGraph read_graphml(const Text& text, std::optional<bool> directed) {
  return GraphMlReader(text, directed).read();
}

}  // namespace gdkm
