#include <cmath>
#include <cstdio>
#include <string>

#include "gdkm/graph/graph.hpp"
#include "gdkm/kernels/arccos.hpp"
#include "gdkm/support/version.hpp"

int main(int argc, char** argv) {
  if (argc != 2 || argv[1] != std::string(gdkm::version)) {
    std::fprintf(stderr, "the installed headers are of version %s\n", std::string(gdkm::version).c_str());
    return 1;
  }
  // Orthogonal unit vectors: 1/π.
  const double k = gdkm::ArcCos<double>::value(0.0, 1.0, 1.0, 1.0, 1.0);
  if (std::abs(k - 0.3183098861837907) > 1e-6) {
    std::fprintf(stderr, "the arc-cosine kernel gave %.17g\n", k);
    return 1;
  }
  // A path of three nodes; compiled code, so that linking is tested too.
  const gdkm::Csr a = gdkm::adjacency({.nodes = 3, .edges = {{0, 1}, {1, 2}}, .weight = {}});
  if (a.nonzeros() != 4) {
    std::fprintf(stderr, "the adjacency matrix has %lld entries\n", static_cast<long long>(a.nonzeros()));
    return 1;
  }
  return 0;
}
