#include "gdkm/data/formats/node_link/node_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

using Json = nlohmann::ordered_json;

/// A plain value as text; nothing for lists and objects. Null is a missing value.
std::optional<std::string> plain(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return value.dump();
  if (value.is_string()) return value.get<std::string>();
  return std::nullopt;
}

const Json* member(const Json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() ? nullptr : &*at;
}

/// The length of the string or comment that begins the text; 0 where none does.
std::size_t opaque_length(std::string_view text) {
  if (text[0] == '"') {
    std::size_t end = 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  const bool is_line = text.starts_with("//");
  if (!is_line && !text.starts_with("/*")) return 0;
  const auto end = is_line ? text.find('\n', 2) : text.find("*/", 2);
  return end == std::string_view::npos ? text.size() : end + (is_line ? 1 : 2);
}

/// The text with null for NaN, which is not JSON, but Python writes it. Infinity has no such reading, and
/// deep nesting would exhaust the stack.
std::string checked_json(const Text& text) {
  constexpr int deepest = 1000;
  std::string out;
  out.reserve(text.bytes.size());
  int depth = 0;
  for (std::string_view rest = text.bytes; !rest.empty();) {
    std::size_t length = opaque_length(rest);
    if (length == 0 && rest.starts_with("NaN")) {
      out += "null";
      rest.remove_prefix(3);
      continue;
    }
    if (length == 0) {
      length = 1;
      if (rest.starts_with("Infinity"))
        refuse("{}: has a value Infinity; write a finite number, or null where it is missing", text.where);
      if (rest[0] == '[' || rest[0] == '{') ++depth;
      if (rest[0] == ']' || rest[0] == '}') --depth;
      if (depth > deepest)
        refuse("{}: is nested more than {} levels deep; write node-link data", text.where, deepest);
    }
    out += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return out;
}

class NodeLinkReader {
 public:
  explicit NodeLinkReader(const Text& text) : out_(text.where) {
    root_ = Json::parse(checked_json(text), nullptr, false, true);
    if (root_.is_discarded()) refuse("{}: is not valid JSON; write it again", text.where);
  }

  AttributedGraph read() {
    if (!root_.is_object())
      refuse(out_.where + ": expected an object with nodes and links; write node-link data");
    const Json* nodes = list("nodes");
    const Json* links = list("links");
    if (links == nullptr) links = list("edges");
    if (nodes == nullptr || links == nullptr) {
      refuse(
          "{}: has no lists 'nodes' and 'links' (or 'edges'); write node-link data (in NetworkX: "
          "json.dump(nx.node_link_data(G), file))",
          out_.where);
    }
    if (const Json* directed = member(root_, "directed"); directed != nullptr && directed->is_boolean())
      out_.directed = directed->get<bool>();
    read_nodes(*nodes);
    read_links(*links);
    if (!ignored_.empty()) {
      out_.remarks.push_back(out_.where + ": ignored attributes that are lists or objects: " +
                             fmt::format("{}", fmt::join(ignored_, ", ")));
    }
    return std::move(out_);
  }

 private:
  const Json* list(const char* name) const {
    const Json* out = member(root_, name);
    return out != nullptr && out->is_array() ? out : nullptr;
  }

  void add_values(const Json& element, std::int32_t number, std::initializer_list<std::string_view> skip,
                  Attributes& attributes) {
    for (const auto& [key, value] : element.items()) {
      if (std::find(skip.begin(), skip.end(), key) != skip.end()) continue;
      if (const auto text = plain(value)) {
        attributes.add(number, key, *text);
      } else if (value.is_array() && !value.empty() &&
                 std::all_of(value.begin(), value.end(), [](const Json& each) { return each.is_number(); })) {
        for (std::size_t k = 0; k < value.size(); ++k)
          attributes.add(number, fmt::format("{}[{}]", key, k), value[k].dump());
      } else if (ignored_.size() < 8) {
        ignored_.insert(show_field(key));
      }
    }
  }

  void read_nodes(const Json& nodes) {
    const auto has_id = [](const Json& node) { return !node.is_object() || member(node, "id") != nullptr; };
    by_place_ = !std::all_of(nodes.begin(), nodes.end(), has_id);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const Json& node = nodes[k];
      const Json* id = node.is_object() ? member(node, "id") : &node;  // a bare name is a node, too
      std::optional<std::string> name = by_place_ ? std::to_string(k) : plain(*id);
      if (!name || name->empty()) refuse("{}: node {} has no plain id; give it one", out_.where, k);
      if (!out_.nodes.add(*name)) refuse("{}: node {} occurs twice; keep one", out_.where, show_field(*name));
      if (node.is_object()) add_values(node, static_cast<std::int32_t>(k), {"id"}, out_.node_attributes);
    }
  }

  std::int32_t end_of(const Json& link, std::size_t number, const char* which) const {
    const Json* end = link.is_object() ? member(link, which) : nullptr;
    if (end != nullptr && end->is_object()) end = member(*end, "id");  // d3 puts the node itself here
    const auto name = end == nullptr ? std::nullopt : plain(*end);
    if (!name) refuse("{}: link {} has no {}; name a node", out_.where, number, which);
    if (const auto found = out_.nodes.find(*name)) return *found;
    refuse("{}: link {}: the {} {} is not {}; add it, or remove the link", out_.where, number, which,
           show_field(*name), by_place_ ? "the position of a node" : "the id of a node");
  }

  void read_links(const Json& links) {
    for (std::size_t k = 0; k < links.size(); ++k) {
      out_.edges.push_back({end_of(links[k], k, "source"), end_of(links[k], k, "target")});
      add_values(links[k], static_cast<std::int32_t>(k), {"source", "target", "key", "id", "index"},
                 out_.edge_attributes);
    }
  }

  Json root_;
  AttributedGraph out_;
  bool by_place_ = false;  // links name nodes by their positions
  std::set<std::string> ignored_;
};

}  // namespace

AttributedGraph read_node_link(const Text& text) {
  return NodeLinkReader(text).read();
}

}  // namespace gdkm
