#pragma once

#include <cmath>

#include "gdkm/support/random.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm::testing {

/// A small problem of any kind that ranks can share: three groups of nodes, more edges within than between.
struct SharedProblem {
  Index nodes = 90, width = 12;
  bool sparse = false, graphs = false, regression = false;
  std::vector<RelationSpec> relations{RelationSpec{}};
  double lambda = 0;

  Problem make() const {
    Random random(Stream{5, Purpose::generator, 0});
    Problem out;
    out.task = graphs ? Task::graph : Task::node;
    out.classes = 3;
    const Index size = graphs ? 9 : nodes;  // of a graph
    Graph graph;
    graph.nodes = nodes;
    graph.directed = relations.size() > 1;
    for (Index k = 0; k < 4 * nodes; ++k) {
      const auto a = static_cast<Index>(random.below(static_cast<std::uint64_t>(nodes)));
      Index b = a / size * size + static_cast<Index>(random.below(static_cast<std::uint64_t>(size)));
      if (!graphs && random.uniform() < 0.8) b = (b - b % 3 + a % 3) % nodes;
      graph.edges.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
    }
    out.relations = make_relations(graph, relations, lambda);
    out.features.rows = nodes;
    out.features.cols = width;
    out.features.is_sparse = sparse;
    std::vector<Triplet> entries;
    for (Index r = 0; r < nodes; ++r) {
      const Index group = graphs ? r / size % 3 : r % 3;
      double square = 0;
      std::vector<double> row;
      for (Index c = 0; c < width; ++c) {
        row.push_back(random.normal() + (c % 3 == group ? 1.0 : 0.0));
        if (sparse && random.uniform() < 0.7) row.back() = 0;
        square += row.back() * row.back();
      }
      for (Index c = 0; c < width; ++c) {
        const double value = row[static_cast<std::size_t>(c)] / std::sqrt(square + 1e-9);
        if (!sparse) out.features.dense.push_back(static_cast<float>(value));
        if (sparse && value != 0)
          entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(c), value});
      }
    }
    if (sparse) out.features.sparse = csr_from_triplets(nodes, width, entries);
    const Index items = graphs ? nodes / size : nodes;
    for (Index i = 0; i <= items && graphs; ++i)
      out.graph_start.push_back(static_cast<std::int32_t>(i * size));
    for (Index i = 0; i < items; ++i) out.label.push_back(static_cast<std::int32_t>(i % 3));
    if (regression) {
      out.targets = 2;
      for (Index i = 0; i < items; ++i) {
        out.target.push_back(static_cast<float>(static_cast<double>(i % 3) + 0.1 * random.normal()));
        out.target.push_back(static_cast<float>(random.normal()));
      }
    }
    return out;
  }

  /// Half of the items train, a quarter validates.
  Split split() const {
    Split out;
    const Index items = graphs ? nodes / 9 : nodes;
    for (Index i = 0; i < items; ++i) {
      auto& part = i % 4 == 1 ? out.val : i % 4 == 3 ? out.test : out.train;
      part.push_back(static_cast<std::int32_t>(i));
    }
    return out;
  }

  /// A partition at its worst: scattered, the last of three or more ranks has nothing, and the one before it
  /// no label.
  std::vector<std::int32_t> owners(int ranks) const {
    Random random(Stream{9, Purpose::generator, static_cast<std::uint32_t>(ranks)});
    const int busy = ranks >= 3 ? ranks - 1 : ranks;
    const Split split = this->split();
    std::vector<char> trains(static_cast<std::size_t>(nodes), 0);
    for (const auto item : split.train) trains[static_cast<std::size_t>(item)] = graphs ? 0 : 1;
    std::vector<std::int32_t> out;
    for (Index node = 0; node < nodes; ++node) {
      auto rank = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(busy)));
      if (ranks >= 3 && rank == busy - 1 && trains[static_cast<std::size_t>(node)] != 0) rank = 0;
      out.push_back(rank);
    }
    return out;
  }
};

}  // namespace gdkm::testing
