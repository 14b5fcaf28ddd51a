#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {

/// The folder of golden cases: $GDKM_GOLDEN, or the copy beside the tests.
inline std::filesystem::path golden_folder() {
  const char* given = std::getenv("GDKM_GOLDEN");
  return given != nullptr ? std::filesystem::path(given) : std::filesystem::path(GDKM_TEST_DIR) / "golden";
}

/// One golden case: named float64 arrays.
class Golden {
 public:
  explicit Golden(const std::string& name) : archive_(golden_folder() / (name + ".npz")) {}

  bool has(const std::string& name) const { return archive_.contains(name); }
  std::vector<double> array(const std::string& name) { return archive_.read(name).as<double>(); }
  std::vector<std::int64_t> shape(const std::string& name) { return archive_.read(name).shape(); }
  std::vector<std::int32_t> integers(const std::string& name) {
    return archive_.read(name).as<std::int32_t>();
  }
  double number(const std::string& name) { return array(name).at(0); }

  std::vector<std::string> texts(const std::string& name) { return archive_.read(name).strings(); }

  Csr adjacency() { return sparse("adjacency"); }

  /// The entries of a square matrix that are not 0.
  Csr sparse(const std::string& name) {
    const auto a = array(name);
    const Index n = shape(name)[0];
    std::vector<Triplet> entries;
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < n; ++c) {
        if (a[r * n + c] != 0) {
          entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(c), a[r * n + c]});
        }
      }
    }
    return csr_from_triplets(n, n, std::move(entries));
  }

  /// The graph of `adjacency_in`, whose entry [j, i] is an edge from i to j.
  Graph directed_graph() {
    const Csr in = sparse("adjacency_in");
    Graph out;
    out.nodes = in.rows;
    out.directed = true;
    for (Index r = 0; r < in.rows; ++r) {
      for (Index k = in.row_start[r]; k < in.row_start[r + 1]; ++k)
        out.edges.push_back({in.col[k], static_cast<std::int32_t>(r)});
    }
    return out;
  }

  /// X as sparse features: these carry float64, while dense ones are float32 as in the files people have.
  Features features() {
    const auto x = array("X");
    const Index n = shape("X")[0], d = shape("X")[1];
    Features out;
    out.rows = n;
    out.cols = d;
    out.is_sparse = true;
    std::vector<Triplet> entries;
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < d; ++c) {
        entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(c), x[r * d + c]});
      }
    }
    out.sparse = csr_from_triplets(n, d, std::move(entries));
    return out;
  }

 private:
  NpzReader archive_;
};

}  // namespace gdkm::testing
