#include "gdkm/data/generators/minesweeper.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/support/random.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::int64_t columns = 7, most_shown = 5;

/// A random subset of {0, …, count − 1} with round(fraction·count) members, as flags.
std::vector<std::int32_t> choose(std::int64_t count, double fraction, Random random) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count)), chosen(order.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random);
  order.resize(static_cast<std::size_t>(std::llround(fraction * static_cast<double>(count))));
  for (const auto k : order) chosen[k] = 1;
  return chosen;
}

/// Every edge once, u < v, ascending.
std::vector<Edge> grid_edges(std::int64_t rows, std::int64_t cols) {
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(4 * rows * cols));
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const auto connect = [&](std::int64_t row, std::int64_t col) {
        if (row >= rows || col < 0 || col >= cols) return;
        edges.push_back(
            {static_cast<std::int32_t>(r * cols + c), static_cast<std::int32_t>(row * cols + col)});
      };
      connect(r, c + 1);
      for (const auto step : {-1, 0, 1}) connect(r + 1, c + step);
    }
  }
  return edges;
}

}  // namespace

GeneratorOptions Minesweeper::options() {
  GeneratorOptions out;
  out.add("rows", rows, 1, 1'000'000, "rows of the grid");
  out.add("cols", cols, 1, 1'000'000, "columns of the grid");
  out.add("mines", mines, 0, 1, "fraction of nodes that are mines");
  out.add("hidden", hidden, 0, 1, "fraction of nodes that do not show their count");
  splits.add_to(out);
  return out;
}

Dataset Minesweeper::generate() const {
  const std::int64_t nodes = rows * cols;
  if (nodes > 100'000'000) {
    refuse("generator 'minesweeper': {} x {} nodes are too many; use at most 100 million in total", rows,
           cols);
  }
  const auto seed = static_cast<std::uint64_t>(splits.seed);
  Dataset out;
  out.classes = 2;
  out.graph.nodes = nodes;
  out.graph.edges = grid_edges(rows, cols);
  out.label = choose(nodes, mines, Random(Stream{seed, Purpose::generator, 0}));
  const auto is_hidden = choose(nodes, hidden, Random(Stream{seed, Purpose::generator, 1}));
  std::vector<std::int64_t> around(static_cast<std::size_t>(nodes), 0);
  for (const auto [u, v] : out.graph.edges) {
    around[u] += out.label[v];
    around[v] += out.label[u];
  }
  out.features.rows = nodes;
  out.features.cols = columns;
  out.features.dense.assign(static_cast<std::size_t>(nodes * columns), 0.0f);
  for (std::int64_t i = 0; i < nodes; ++i) {
    const std::int64_t set = is_hidden[i] ? 0 : 1 + std::min(around[i], most_shown);
    out.features.dense[static_cast<std::size_t>(i * columns + set)] = 1.0f;
  }
  splits.draw(out);
  return out;
}

}  // namespace gdkm
