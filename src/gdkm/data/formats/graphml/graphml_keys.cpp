#include "gdkm/data/formats/graphml/graphml_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "gdkm/data/formats/shared/text_field.hpp"

namespace gdkm {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

bool GraphMlKey::is_numeric() const {
  return type == "int" || type == "long" || type == "float" || type == "double" || type == "boolean";
}

std::vector<GraphMlKey> read_graphml_keys(const pugi::xml_node& root, std::string_view domain,
                                          const GraphMlFailure& fail) {
  std::vector<GraphMlKey> out;
  for (const auto& element : root.children("key")) {
    const std::string_view target = element.attribute("for").as_string("all");
    if (target != domain && target != "all") continue;
    GraphMlKey key;
    key.id = element.attribute("id").as_string();
    key.name = element.attribute("attr.name").as_string();
    key.type = element.attribute("attr.type").as_string("string");
    if (key.id.empty()) fail(element, "the key has no id; give it one");
    if (!key.is_numeric() && key.type != "string") {
      fail(element, fmt::format("key {} has type {}; use int, long, float, double, boolean or string",
                                show_field(key.shown()), show_field(key.type)));
    }
    const auto same = [&](const GraphMlKey& other) { return other.id == key.id; };
    if (std::any_of(out.begin(), out.end(), same)) {
      fail(element, fmt::format("key id {} is declared twice; rename one", show_field(key.id)));
    }
    if (const auto value = element.child("default"))
      key.default_value = std::string(trimmed(value.text().get()));
    out.push_back(std::move(key));
  }
  return out;
}

std::optional<std::size_t> find_graphml_key(const std::vector<GraphMlKey>& keys, const std::string& name) {
  for (const auto member : {&GraphMlKey::name, &GraphMlKey::id}) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (keys[k].*member == name) return k;
    }
  }
  return std::nullopt;
}

GraphMlValues::GraphMlValues(const std::vector<GraphMlKey>& keys) : keys_(keys), value_(keys.size()) {
  for (std::size_t k = 0; k < keys.size(); ++k) place_.emplace(keys[k].id, k);
}

void GraphMlValues::read(const pugi::xml_node& element, const GraphMlFailure& fail) {
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    value_[k] =
        keys_[k].default_value ? std::optional<std::string_view>(*keys_[k].default_value) : std::nullopt;
  }
  for (const auto& data : element.children("data")) {
    const std::string_view id = data.attribute("key").as_string();
    const auto at = place_.find(id);
    if (at == place_.end()) {
      fail(data, fmt::format("key {} is not declared; add a <key> element for it", show_field(id)));
      continue;
    }
    value_[at->second] = trimmed(data.text().get());
  }
}

}  // namespace gdkm
