#pragma once

#include <gtest/gtest.h>

#include <numeric>

#include "gdkm/models/gcn/gcn.hpp"
#include "gdkm/models/graph_inputs.hpp"

namespace gdkm::testing {

template <class T>
std::vector<T> cast(const std::vector<double>& a) {
  return std::vector<T>(a.begin(), a.end());
}

template <class T>
void expect_close(const std::vector<T>& got, const std::vector<double>& want, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t k = 0; k < got.size(); ++k) {
    ASSERT_NEAR(static_cast<double>(got[k]), want[k], tolerance) << what << " entry " << k;
  }
}

/// Inputs and the classes of some of their outputs.
template <class T>
struct Items {
  GcnInputs<T> inputs;
  Labels labels;
};

template <class T>
Labels upload_labels(Backend<T>& backend, const std::vector<std::int32_t>& rows,
                     const std::vector<std::int32_t>& label) {
  return {Buffer<std::int32_t>(backend, rows), Buffer<std::int32_t>(backend, label)};
}

/// Logits of all nodes, or of the labelled ones alone.
template <class T>
Items<T> node_items(Backend<T>& backend, const GcnConfig& config, const Relations& mixing,
                    const Features& features, const std::vector<std::int32_t>& label,
                    const std::vector<std::int32_t>& nodes, bool whole) {
  std::vector<std::int32_t> chosen, rows(nodes.size());
  for (const auto node : nodes) chosen.push_back(label[static_cast<std::size_t>(node)]);
  if (whole)
    return {make_gcn_inputs<T>(backend, config, mixing, features), upload_labels(backend, nodes, chosen)};
  std::iota(rows.begin(), rows.end(), 0);
  const Csr outputs = selection(nodes, mixing.nodes());
  return {make_gcn_inputs<T>(backend, config, mixing, features, &outputs),
          upload_labels(backend, rows, chosen)};
}

/// Graphs that own consecutive nodes; the mixing between them stays, which the gradient does not mind.
template <class T>
Items<T> graph_items(Backend<T>& backend, const GcnConfig& config, const Relations& mixing,
                     const Features& features, const std::vector<std::int32_t>& start,
                     const std::vector<std::int32_t>& label) {
  std::vector<std::int32_t> rows(label.size());
  std::iota(rows.begin(), rows.end(), 0);
  const Csr outputs = pooling_matrix(start, config.pooling);
  return {make_gcn_inputs<T>(backend, config, mixing, features, &outputs),
          upload_labels(backend, rows, label)};
}

inline constexpr Index n = 24, classes = 3;

struct World {
  explicit World(bool sparse, const std::string& relations = "", std::int32_t columns = 6) {
    Random random(Stream{11, Purpose::generator, 0});
    Graph graph;
    graph.nodes = n;
    for (int k = 0; k < 40; ++k) {
      graph.edges.push_back(
          {static_cast<std::int32_t>(random.below(n)), static_cast<std::int32_t>(random.below(n))});
    }
    graph.directed = true;
    mixing = normalised_adjacency(graph, 0.2);
    if (!relations.empty()) mixing = make_relations(graph, parse_relations(relations), 0.2);
    features.rows = n;
    features.cols = columns;
    features.is_sparse = sparse;
    std::vector<Triplet> entries;
    for (std::int32_t r = 0; r < n; ++r) {
      for (std::int32_t c = 0; c < columns; ++c) {
        const auto v = static_cast<float>(random.normal());
        if (!sparse) {
          features.dense.push_back(v);
        } else if (random.uniform() < 2.4 / columns) {
          entries.push_back({r, c, v});
        }
      }
    }
    if (sparse) features.sparse = csr_from_triplets(n, columns, entries);
    for (std::int32_t r = 0; r < n; ++r) label.push_back(r % 3);
    for (std::int32_t r = 1; r < n; r += 3) nodes.push_back(r);
  }
  Relations mixing;
  Features features;
  std::vector<std::int32_t> label, nodes;
};

inline GcnConfig config_of(Architecture arch, int layers, double dropout, bool batch_norm, bool row_normalise,
                           Index width = 5) {
  GcnConfig out;
  out.arch = arch;
  out.layers = layers;
  out.width = width;
  out.dropout = dropout;
  out.batch_norm = batch_norm;
  out.row_normalise = row_normalise;
  out.weight_decay = 0.3;
  return out;
}

inline GcnConfig sums(GcnConfig config) {
  config.pooling = Pooling::sum;
  return config;
}

inline void randomise(Parameters<double>& parameters) {
  Random random(Stream{12, Purpose::initial, 0});
  for (const auto& entry : parameters.entries()) {
    std::vector<double> value;
    for (Index k = 0; k < entry.rows * entry.cols; ++k) value.push_back(0.5 * random.normal());
    parameters.set(entry.name, value);
  }
}

}  // namespace gdkm::testing
