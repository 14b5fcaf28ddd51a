#include "gdkm/graph/stream_partition.hpp"

#include <gtest/gtest.h>

#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

/// A graph with locality: nodes on a ring, with edges to nodes at most 20 steps away.
EdgeStream ring(Index nodes, Index degree) {
  return [=](const std::function<void(Index, Index)>& visit) {
    Random random(Stream{1, Purpose::generator, 0});
    for (Index node = 0; node < nodes; ++node) {
      for (Index k = 0; k < degree; ++k)
        visit(node, (node + 1 + static_cast<Index>(random.below(20))) % nodes);
    }
  };
}

TEST(StreamPartition, CutsFewEdgesOfAGraphWithLocality) {
  const auto edges = ring(4000, 5);
  const auto part = stream_partition(edges, 4000, {.parts = 8});
  std::vector<int> size(8, 0);
  for (const auto p : part) ++size[static_cast<std::size_t>(p)];
  for (const int each : size) EXPECT_LE(each, 515);
  // A random partition cuts 7/8 of 20,000 edges.
  EXPECT_LT(count_cut(edges, part), 2000);
}

TEST(StreamPartition, DoesNotDependOnHowManyEdgesFitIntoMemory) {
  const auto edges = ring(500, 4);
  const auto part = stream_partition(edges, 500, {.parts = 5});
  for (const std::size_t memory : {std::size_t{1}, std::size_t{400}, std::size_t{10000}})
    EXPECT_EQ(stream_partition(edges, 500, {.parts = 5, .memory = memory}), part) << memory;
}

TEST(StreamPartition, SkipsSelfLoopsAndPlacesNodesWithoutEdges) {
  const EdgeStream loops = [](const std::function<void(Index, Index)>& visit) {
    for (Index k = 0; k < 6; ++k) visit(k, k);
  };
  const auto part = stream_partition(loops, 6, {.parts = 3, .slack = 0});
  std::vector<int> size(3, 0);
  for (const auto p : part) ++size[static_cast<std::size_t>(p)];
  EXPECT_EQ(size, (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(stream_partition(loops, 0, {}), std::vector<std::int32_t>{});
}

}  // namespace
}  // namespace gdkm
