#include "gdkm/graph/colour_features.hpp"

#include <algorithm>
#include <bit>

#include "gdkm/graph/feature_forms.hpp"

namespace gdkm {
namespace {

using Colour = std::uint64_t;

/// A hash of what came before and a number (SplitMix64's finaliser).
Colour mixed(Colour before, std::uint64_t value) {
  Colour h = before * 0x9e3779b97f4a7c15ull + value + 0x632be59bd9b4e019ull;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
  return h ^ (h >> 31);
}

std::vector<Colour> colours_of_rows(const Csr& x) {
  std::vector<Colour> out(static_cast<std::size_t>(x.rows), 1);
  for (Index r = 0; r < x.rows; ++r) {
    for (Index k = x.row_start[r]; k < x.row_start[r + 1]; ++k) {
      out[r] = mixed(out[r], static_cast<std::uint64_t>(x.col[k]));
      out[r] = mixed(out[r], std::bit_cast<std::uint32_t>(static_cast<float>(x.value[k])));
    }
  }
  return out;
}

std::vector<Colour> next_round(const std::vector<Colour>& colour, const std::vector<Csr>& adjacencies) {
  std::vector<Colour> out(colour.size());
  std::vector<Colour> around;
  for (std::size_t node = 0; node < colour.size(); ++node) {
    around.clear();
    for (std::size_t type = 0; type < adjacencies.size(); ++type) {
      const Csr& a = adjacencies[type];
      for (Index k = a.row_start[node]; k < a.row_start[node + 1]; ++k)
        around.push_back(mixed(type, colour[static_cast<std::size_t>(a.col[k])]));
    }
    std::sort(around.begin(), around.end());
    out[node] = mixed(2, colour[node]);
    for (const Colour each : around) out[node] = mixed(out[node], each);
  }
  return out;
}

Features one_hot(const std::vector<Colour>& colour) {
  Csr out;
  out.rows = static_cast<Index>(colour.size());
  out.cols = colour_columns;
  for (const Colour each : colour) {
    out.col.push_back(static_cast<std::int32_t>(each % colour_columns));
    out.value.push_back(1);
    out.row_start.push_back(out.nonzeros());
  }
  return sparse_features(std::move(out));
}

}  // namespace

Features with_colours(const Features& x, const Graph& graph, const AdjacencyOptions& options, int rounds,
                      Normalisation how) {
  std::vector<Csr> adjacencies;
  for (int type = 0; type < graph.types(); ++type)
    adjacencies.push_back(adjacency(of_type(graph, type), options));
  if (adjacencies.empty()) adjacencies.push_back(adjacency(graph, options));

  const Csr rows = nonzero_entries(x);
  std::vector<Colour> colour = colours_of_rows(rows);
  const bool scaled = how == Normalisation::l2 || how == Normalisation::sum;
  std::vector<Features> parts{normalise(sparse_features(rows), scaled ? how : Normalisation::none)};
  for (int round = 0; round < rounds; ++round) {
    colour = next_round(colour, adjacencies);
    parts.push_back(one_hot(colour));
  }
  return side_by_side(parts);
}

}  // namespace gdkm
