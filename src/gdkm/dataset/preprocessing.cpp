#include "gdkm/dataset/preprocessing.hpp"

#include <algorithm>
#include <numeric>

#include "gdkm/graph/colour_features.hpp"
#include "gdkm/graph/degree_features.hpp"
#include "gdkm/graph/diffusion.hpp"
#include "gdkm/graph/structure_features.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

std::vector<std::int32_t> largest(const Graph& graph) {
  const auto component = components(graph);
  std::vector<Index> size;
  for (const auto c : component) {
    if (static_cast<std::size_t>(c) >= size.size()) size.resize(static_cast<std::size_t>(c) + 1);
    ++size[c];
  }
  const auto most = std::max_element(size.begin(), size.end()) - size.begin();
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < component.size(); ++i) {
    if (component[i] == most) out.push_back(static_cast<std::int32_t>(i));
  }
  return out;
}

Features standardised(const Dataset& dataset, const Preprocessing& how) {
  return standardise(dataset.features, dataset.columns,
                     how.scales ? *how.scales : column_scales(dataset.features, dataset.columns));
}

/// Every graph has one node, with the features of all of its nodes, and no edges.
Dataset with_pooled_features(Dataset dataset, const Preprocessing& how) {
  if (dataset.task == Task::node)
    throw OptionError("pool_features", name_of(how.pool_features),
                      "it is for data sets of many graphs, and this is one graph", "leave the option out");
  dataset.features = pooled_features(dataset.features, dataset.graph_start, how.pool_features);
  dataset.columns.are_pooled = true;
  dataset.graph = {};
  dataset.graph.nodes = dataset.items();
  dataset.graph_start.resize(static_cast<std::size_t>(dataset.items()) + 1);
  std::iota(dataset.graph_start.begin(), dataset.graph_start.end(), 0);
  dataset.node_kind.clear();
  dataset.node_names.clear();
  return dataset;
}

}  // namespace

// l2 suits bags of words, whose lengths say little. Columns of a table have units of their own, and sums over
// the nodes of a graph say how large it is.
Normalisation resolved(const Preprocessing& how, const FeatureColumns& columns) {
  if (how.normalise != Normalisation::automatic) return how.normalise;
  const bool has_units = columns.kind == FeatureColumns::Kind::table || how.makes_rows();
  return has_units ? Normalisation::standard : Normalisation::l2;
}

Preprocessing settled(Preprocessing how, const Dataset& dataset) {
  how.normalise = resolved(how, dataset.columns);
  if (how.normalise != Normalisation::standard || how.scales) return how;
  Preprocessing before = how;
  before.structure_features = false;  // which come with a scale of their own
  const Dataset measured = preprocess(dataset, before);
  how.scales = column_scales(measured.features, measured.columns);
  return how;
}

Features normalised(const Dataset& dataset, const Preprocessing& how) {
  const Normalisation kind = resolved(how, dataset.columns);
  const bool standard = kind == Normalisation::standard;
  const auto as_given = [&] {
    if (!standard) return normalise(dataset.features, kind);
    return how.structure_features ? dataset.features : standardised(dataset, how);
  };
  if (how.diffuse == 0) return as_given();
  const Csr mixing = normalised_adjacency(dataset.graph, 0, how.adjacency);
  return normalise(diffused(as_given(), mixing, how.diffuse), standard ? Normalisation::none : kind);
}

Dataset preprocess(Dataset dataset, const Preprocessing& how) {
  if (how.largest_component) dataset = largest_component(dataset);
  if (how.degree_features)
    dataset.features = with_degrees(dataset.features, adjacency(dataset.graph, how.adjacency));
  if (how.wl_features > 0)
    dataset.features = with_colours(dataset.features, dataset.graph, how.adjacency, how.wl_features,
                                    resolved(how, dataset.columns));
  if (how.structure_features) {
    if (dataset.task == Task::graph) {
      throw OptionError("structure_features", "true",
                        "they tell the nodes of one graph apart, and the data set has many graphs",
                        "leave the option out");
    }
    const Normalisation kind = resolved(how, dataset.columns);
    const bool standard = kind == Normalisation::standard;
    dataset.features = with_structure(standard ? standardised(dataset, how) : dataset.features, dataset.graph,
                                      how.adjacency, standard ? Normalisation::none : kind);
  }
  if (how.makes_rows()) dataset = with_pooled_features(std::move(dataset), how);
  return dataset;
}

Dataset largest_component(const Dataset& dataset) {
  if (dataset.task == Task::graph) {
    throw OptionError("largest_component", "true", "the data set has many graphs, each of them a component",
                      "leave the option out");
  }
  const auto nodes = largest(dataset.graph);
  std::vector<std::int32_t> number(static_cast<std::size_t>(dataset.graph.nodes), -1);
  for (std::size_t k = 0; k < nodes.size(); ++k) number[nodes[k]] = static_cast<std::int32_t>(k);

  Dataset out;
  out.name = dataset.name;
  out.classes = dataset.classes;
  out.class_names = dataset.class_names;
  out.graph.nodes = static_cast<Index>(nodes.size());
  out.graph.directed = dataset.graph.directed;
  out.graph.type_names = dataset.graph.type_names;
  for (std::size_t k = 0; k < dataset.graph.edges.size(); ++k) {
    const auto [from, to] = dataset.graph.edges[k];
    if (number[from] < 0) continue;
    out.graph.edges.push_back({number[from], number[to]});
    if (!dataset.graph.weight.empty()) out.graph.weight.push_back(dataset.graph.weight[k]);
    if (!dataset.graph.type.empty()) out.graph.type.push_back(dataset.graph.type[k]);
  }
  out.features = select_rows(dataset.features, nodes);
  out.columns = dataset.columns;
  out.targets = dataset.targets;
  for (const auto node : nodes) {
    out.label.push_back(dataset.label[node]);
    for (int c = 0; c < dataset.targets; ++c)
      out.target.push_back(
          dataset.target[static_cast<std::size_t>(node) * static_cast<std::size_t>(dataset.targets) +
                         static_cast<std::size_t>(c)]);
    out.node_names.push_back(dataset.node_names.empty() ? std::to_string(node) : dataset.node_names[node]);
  }
  for (const auto& [set, splits] : dataset.splits) {
    for (std::size_t s = 0; s < splits.size(); ++s) {
      Split kept;
      for (const auto part : {&Split::train, &Split::val, &Split::test, &Split::conformal}) {
        for (const auto node : splits[s].*part) {
          if (number[node] >= 0) (kept.*part).push_back(number[node]);
        }
      }
      if (kept.train.empty()) {
        throw OptionError("largest_component", "true",
                          "split " + std::to_string(s) + " of set '" + set +
                              "' has no training node in the largest component",
                          "leave the option out");
      }
      out.splits[set].push_back(std::move(kept));
    }
  }
  return out;
}

}  // namespace gdkm
