#include "shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::bench {

namespace {

/// Pairs of different nodes, each once, as from · n + to with from < to.
std::vector<std::uint64_t> random_pairs(const Shape& shape, Random& random) {
  const auto n = static_cast<std::uint64_t>(shape.nodes);
  const auto wanted = static_cast<std::size_t>(shape.edges);
  const auto end = [&] {
    const double at = static_cast<double>(n) * std::pow(random.uniform(), shape.skew);
    return std::min(n - 1, static_cast<std::uint64_t>(at));
  };
  std::vector<std::uint64_t> pairs;
  pairs.reserve(wanted + wanted / 8);
  while (pairs.size() < wanted) {
    for (std::size_t missing = wanted - pairs.size(); missing > 0;) {
      const std::uint64_t a = end(), b = end();
      if (a == b) continue;
      pairs.push_back(std::min(a, b) * n + std::max(a, b));
      --missing;
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  }
  return pairs;
}

Graph random_graph(const Shape& shape, Random& random) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(shape.nodes));
  std::iota(number.begin(), number.end(), 0);
  shuffle(number, random);
  Graph out;
  out.nodes = shape.nodes;
  out.edges.reserve(static_cast<std::size_t>(shape.edges));
  const auto n = static_cast<std::uint64_t>(shape.nodes);
  for (const std::uint64_t pair : random_pairs(shape, random))
    out.edges.push_back({number[pair / n], number[pair % n]});
  return out;
}

Features random_features(const Shape& shape, Random& random) {
  Features out;
  out.rows = shape.nodes;
  out.cols = shape.features;
  out.is_sparse = shape.per_row > 0;
  if (!out.is_sparse) {
    out.dense.reserve(static_cast<std::size_t>(shape.nodes * shape.features));
    for (Index k = 0; k < shape.nodes * shape.features; ++k)
      out.dense.push_back(static_cast<float>(random.normal()));
    return out;
  }
  std::vector<Triplet> entries;
  std::vector<std::int32_t> row;
  for (std::int32_t r = 0; r < shape.nodes; ++r) {
    row.clear();
    while (static_cast<Index>(row.size()) < shape.per_row) {
      const auto col = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(shape.features)));
      if (std::find(row.begin(), row.end(), col) == row.end()) row.push_back(col);
    }
    for (const auto col : row) entries.push_back({r, col, 1.0});
  }
  out.sparse = csr_from_triplets(shape.nodes, shape.features, std::move(entries));
  return out;
}

}  // namespace

const std::vector<Shape>& known_shapes() {
  static const std::vector<Shape> shapes{
      {"cora", 2708, 5278, 1433, 18, 7, 200},
      {"roman-empire", 22662, 32927, 300, 0, 18, 400},
      {"penn94", 41554, 1362212, 4814, 5, 2, 400, 1.655},
      {"arxiv", 169343, 1157792, 128, 0, 40, 400, 2.33},
      {"reddit", 232965, 57307735, 602, 0, 41, 400, 1.44},
  };
  return shapes;
}

const Shape& find_shape(const std::string& name) {
  std::string names;
  for (const Shape& shape : known_shapes()) {
    if (shape.name == name) return shape;
    names += (names.empty() ? "" : ", ") + shape.name;
  }
  throw InputError(fmt::format("there is no shape '{}'; it is one of {}", name, names));
}

Problem random_problem(const Shape& shape, const ModelConfig& config) {
  Random random(Stream{1, Purpose::generator, 0});
  Dataset data;
  data.graph = random_graph(shape, random);
  data.features = random_features(shape, random);
  data.classes = shape.classes;
  data.label.reserve(static_cast<std::size_t>(shape.nodes));
  for (Index r = 0; r < shape.nodes; ++r)
    data.label.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(shape.classes))));
  data.graph.directed = true;  // for relations that tell directions apart; others make it symmetric
  return prepare(data, Preprocessing{}, config);
}

double counted_operations(const Shape& shape, Index samples) {
  const auto n = static_cast<double>(shape.nodes), m = static_cast<double>(shape.inducing);
  const double first = 2 * 2 * static_cast<double>(shape.feature_entries()) * m;
  const double second = 3 * 4 * n * m * m;
  return first + second + 3 * 2 * n * m * static_cast<double>(shape.classes * samples);
}

}  // namespace gdkm::bench
