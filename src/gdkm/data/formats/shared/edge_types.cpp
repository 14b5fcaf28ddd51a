#include "gdkm/data/formats/shared/edge_types.hpp"

#include <algorithm>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

std::int32_t EdgeTypes::number(std::string_view name) {
  const auto known = number_.find(name);
  if (known != number_.end()) return known->second;
  if (number_.size() == static_cast<std::size_t>(most_edge_types)) {
    refuse("{} is one edge type too many, the limit is {}; choose an attribute with fewer values",
           show_field(name), most_edge_types);
  }
  return number_.emplace(name, static_cast<std::int32_t>(number_.size())).first->second;
}

void EdgeTypes::add(std::string_view name) {
  if (name.empty()) refuse("the edge has no type; give every edge one");
  type_.push_back(number(name));
}

void EdgeTypes::append(const EdgeTypes& more) {
  std::vector<std::int32_t> here(more.number_.size());
  for (const auto& [name, there] : more.number_) here[static_cast<std::size_t>(there)] = number(name);
  for (const auto there : more.type_) type_.push_back(here[static_cast<std::size_t>(there)]);
}

std::vector<std::string_view> EdgeTypes::names() const {
  std::vector<std::string_view> out;
  for (const auto& [name, number] : number_) out.push_back(name);
  return out;
}

void EdgeTypes::give_to(Graph& graph) const {
  auto sorted = names();
  std::sort(sorted.begin(), sorted.end(), natural_less);
  std::vector<std::int32_t> rank(sorted.size());
  for (std::size_t k = 0; k < sorted.size(); ++k)
    rank[static_cast<std::size_t>(number_.find(sorted[k])->second)] = static_cast<std::int32_t>(k);
  graph.type.clear();
  for (const auto type : type_) graph.type.push_back(rank[static_cast<std::size_t>(type)]);
  graph.type_names.assign(sorted.begin(), sorted.end());
}

}  // namespace gdkm
