#include "gdkm/data/formats/gexf/gexf.hpp"

#include <map>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/data/formats/shared/xml_file.hpp"

namespace gdkm {
namespace {

/// An attribute that the file declares.
struct Declared {
  std::size_t column = 0;
  std::optional<std::string> default_value;
};
using Declarations = std::map<std::string, Declared, std::less<>>;  // by id

class GexfReader {
 public:
  explicit GexfReader(const Text& text) : file_(text), out_(text.where) {}

  AttributedGraph read() {
    const pugi::xml_node graph = file_.child("gexf").child("graph");
    if (!graph) refuse(file_.text().where + ": has no <graph> element in <gexf>; export the graph again");
    if (std::string_view(graph.attribute("mode").as_string()) == "dynamic")
      file_.fail(graph, "the graph changes with time; export one point in time");
    out_.directed = std::string_view(graph.attribute("defaultedgetype").as_string()) == "directed";
    const Declarations of_nodes = read_declarations(graph, "node", out_.node_attributes);
    const Declarations of_edges = read_declarations(graph, "edge", out_.edge_attributes);
    for (const auto& node : graph.child("nodes").children("node")) read_node(node, of_nodes);
    for (const auto& edge : graph.child("edges").children("edge")) read_edge(edge, of_edges);
    settle_direction(graph);
    return std::move(out_);
  }

 private:
  Declarations read_declarations(const pugi::xml_node& graph, std::string_view domain,
                                 Attributes& attributes) const {
    Declarations out;
    for (const auto& list : graph.children("attributes")) {
      if (std::string_view(list.attribute("class").as_string("node")) != domain) continue;
      for (const auto& element : list.children("attribute")) {
        const std::string id = element.attribute("id").as_string();
        std::string name = element.attribute("title").as_string();
        if (name.empty() || attributes.find(name)) name = id;
        if (id.empty()) file_.fail(element, "the attribute has no id; give it one");
        Declared declared{attributes.declare(name), std::nullopt};
        if (const auto value = element.child("default"))
          declared.default_value = std::string(trimmed_xml(value.text().get()));
        if (!out.emplace(id, std::move(declared)).second)
          file_.fail(element, "attribute {} is declared twice; rename one", show_field(id));
      }
    }
    return out;
  }

  void read_values(const pugi::xml_node& element, const Declarations& declared, std::int32_t number,
                   Attributes& attributes) const {
    for (const auto& value : element.child("attvalues").children("attvalue")) {
      pugi::xml_attribute id = value.attribute("for");
      if (!id) id = value.attribute("id");  // older versions of the format
      const auto at = declared.find(std::string_view(id.as_string()));
      if (at == declared.end())
        file_.fail(value, "attribute {} is not declared; add it to <attributes>", show_field(id.as_string()));
      attributes.add(number, at->second.column, trimmed_xml(value.attribute("value").as_string()));
    }
    for (const auto& [id, each] : declared) {
      if (each.default_value) attributes.add(number, each.column, *each.default_value);
    }
  }

  void read_node(const pugi::xml_node& node, const Declarations& declared) {
    if (node.child("nodes")) file_.fail(node, "hierarchies are not supported; export a flat graph");
    const std::string_view id = node.attribute("id").as_string();
    if (id.empty()) file_.fail(node, "a node has no id; give it one");
    if (!out_.nodes.add(id)) file_.fail(node, "node {} occurs twice; keep one", show_field(id));
    const auto number = static_cast<std::int32_t>(out_.nodes.size() - 1);
    read_values(node, declared, number, out_.node_attributes);
    const std::string_view label = node.attribute("label").as_string();
    if (!label.empty() && label != id) out_.node_attributes.add(number, "label", label);
  }

  std::int32_t end_of(const pugi::xml_node& edge, const char* which) const {
    const std::string_view id = edge.attribute(which).as_string();
    if (id.empty()) file_.fail(edge, "an edge has no {}; name a node", which);
    if (const auto found = out_.nodes.find(id)) return *found;
    file_.fail(edge, "the {} {} is not a node of the graph; add it, or remove the edge", which,
               show_field(id));
  }

  void read_edge(const pugi::xml_node& edge, const Declarations& declared) {
    const auto number = static_cast<std::int32_t>(out_.edges.size());
    out_.edges.push_back({end_of(edge, "source"), end_of(edge, "target")});
    const std::string_view type = edge.attribute("type").as_string();
    directed_ += type == "directed" ? 1 : 0;
    undirected_ += type == "undirected" || type == "mutual" ? 1 : 0;
    if (const auto weight = edge.attribute("weight"))
      out_.edge_attributes.add(number, "weight", weight.as_string());
    read_values(edge, declared, number, out_.edge_attributes);
    for (const char* name : {"kind", "label"}) {
      if (const auto value = edge.attribute(name)) out_.edge_attributes.add(number, name, value.as_string());
    }
  }

  /// Edges may say their own direction; a graph has one for all.
  void settle_direction(const pugi::xml_node& graph) {
    const auto edges = static_cast<Index>(out_.edges.size());
    if (directed_ > 0 && directed_ == edges) out_.directed = true;
    if (undirected_ > 0 && undirected_ == edges) out_.directed = false;
    if (directed_ + undirected_ == 0 || directed_ == edges || undirected_ == edges) return;
    const bool mixes = out_.directed ? undirected_ > 0 : directed_ > 0;
    if (mixes) {
      file_.fail(graph, "some edges are directed and some are not; make them alike");
    }
  }

  XmlFile file_;
  AttributedGraph out_;
  Index directed_ = 0, undirected_ = 0;
};

}  // namespace

AttributedGraph read_gexf(const Text& text) {
  return GexfReader(text).read();
}

}  // namespace gdkm
