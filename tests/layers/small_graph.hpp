#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/graph/graph.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/models/graph_inputs.hpp"
#include "tests/layers/central_differences.hpp"

namespace gdkm::testing::small_graph {

inline constexpr Index n = 23, classes = 3;

/// A small random graph with features, on a backend. Its edges have directions and two types.
struct World {
  World(Index width, Index inducing, bool intra, bool sparse_features, bool mixes_inputs = true,
        const std::vector<RelationSpec>& relations = {RelationSpec{}})
      : m(inducing) {
    Random random(Stream{3, Purpose::generator, 0});
    Graph graph;
    graph.nodes = n;
    for (int k = 0; k < 40; ++k) {
      graph.edges.push_back(
          {static_cast<std::int32_t>(random.below(n)), static_cast<std::int32_t>(random.below(n - 1))});
    }
    Features x;
    x.rows = n;
    x.cols = width;
    x.is_sparse = sparse_features;
    std::vector<Triplet> entries;
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < width; ++c) {
        const auto v = static_cast<float>(random.normal());
        if (!sparse_features) x.dense.push_back(v);
        if (random.uniform() < 0.4)
          entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(c), v});
      }
    }
    if (sparse_features) x.sparse = csr_from_triplets(n, width, entries);
    std::vector<std::int32_t> sites;
    for (Index j = 0; intra && j < m; ++j) sites.push_back(static_cast<std::int32_t>(2 * j));
    graph.directed = true;
    graph.type_names = {"a", "b"};
    for (std::size_t k = 0; k < graph.edges.size(); ++k)
      graph.type.push_back(static_cast<std::int32_t>(k % 2));
    inputs = make_inputs<double>(backend, make_relations(graph, relations, 0.3),
                                 normalise(x, Normalisation::l2), sites, mixes_inputs, relations[0].degree);
    std::vector<std::int32_t> row, label;
    for (std::int32_t r = 1; r < n; r += 2) {
      row.push_back(r);
      label.push_back(r % static_cast<std::int32_t>(classes));
    }
    labels = {Buffer<std::int32_t>(backend, row), Buffer<std::int32_t>(backend, label)};
  }

  /// Four graphs, of which one has no nodes, in place of one; three of them train.
  void make_graphs() {
    inputs.pool =
        Sparse<double>(backend, pooling_matrix({0, 4, 4, 11, static_cast<std::int32_t>(n)}, Pooling::mean));
    labels = {Buffer<std::int32_t>(backend, std::vector<std::int32_t>{0, 2, 3}),
              Buffer<std::int32_t>(backend, std::vector<std::int32_t>{0, 1, 2})};
  }

  /// Numbers to predict in place of classes.
  Targets<double> random_targets() {
    Random random(Stream{6, Purpose::initial, 0});
    std::vector<double> value;
    for (Index k = 0; k < labels.count() * classes; ++k) value.push_back(random.normal());
    return {labels.row, Matrix<double>(backend, labels.count(), classes, value)};
  }

  void randomise(Parameters<double>& parameters) const {
    Random random(Stream{4, Purpose::initial, 0});
    for (const auto& entry : parameters.entries()) {
      std::vector<double> value;
      const double spread = entry.name == "X_i" ? 0.7 : 0.2;
      for (Index k = 0; k < entry.rows * entry.cols; ++k) value.push_back(spread * random.normal());
      parameters.set(entry.name, value);
    }
  }

  Index m;
  CpuBackend<double> backend{2};
  GraphInputs<double> inputs;
  Labels labels;
};

/// Compares every entry of every parameter's gradient with central differences of `value`. `lower` entries
/// above the diagonal do not exist.
template <class Value>
void expect_gradients(Parameters<double>& parameters, Value value) {
  central_differences(parameters, 1e-5, value,
                      [](const auto& entry, std::size_t k, double gradient, double numeric) {
                        ASSERT_NEAR(gradient, numeric, 2e-6 * std::max(1.0, std::fabs(numeric)))
                            << entry.name << " entry " << k;
                      });
}

}  // namespace gdkm::testing::small_graph
