#include "gdkm/data/formats/npz/edge_type_arrays.hpp"

#include <algorithm>
#include <set>

#include "gdkm/data/formats/shared/edge_types.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

std::vector<std::string> read_names(const NpzReader& archive, int least) {
  const NpyArray array = archive.read("edge_type_names");
  auto out = array.strings();
  if (static_cast<int>(out.size()) < least || out.size() > static_cast<std::size_t>(most_edge_types)) {
    refuse("{}: has {} names, but 'edge_type' has the types 0..{}; store one name for each", array.where,
           out.size(), least - 1);
  }
  std::set<std::string_view> seen;
  for (const std::string& name : out) {
    if (name.empty() || !seen.insert(name).second)
      refuse("{}: the name {} {}; give every type its own", array.where, show_field(name),
             name.empty() ? "is empty" : "is used twice");
  }
  return out;
}

}  // namespace

void read_edge_types(const NpzReader& archive, Graph& graph) {
  const bool has_names = archive.contains("edge_type_names");
  if (!archive.contains("edge_type")) {
    if (has_names)
      refuse(archive.path().string() +
             ": has 'edge_type_names' without 'edge_type'; store the type of every edge, or leave both out");
    return;
  }
  const NpyArray array = archive.read("edge_type");
  const auto wide = array.as<std::int64_t>();
  if (array.shape().size() != 1 || wide.size() != graph.edges.size()) {
    refuse("{}: has shape {} for {} edges; store one type per edge, shape (E,)", array.where,
           shape_text(array.shape()), graph.edges.size());
  }
  int types = 0;
  graph.type.reserve(wide.size());
  for (std::size_t k = 0; k < wide.size(); ++k) {
    if (wide[k] < 0 || wide[k] >= most_edge_types) {
      refuse("{}: edge {} has type {}; number the types 0..T-1, at most {} of them", array.where, k, wide[k],
             most_edge_types);
    }
    graph.type.push_back(static_cast<std::int32_t>(wide[k]));
    types = std::max(types, static_cast<int>(wide[k]) + 1);
  }
  if (has_names) {
    graph.type_names = read_names(archive, types);
  } else {
    for (int t = 0; t < types; ++t) graph.type_names.push_back(std::to_string(t));
  }
}

}  // namespace gdkm
