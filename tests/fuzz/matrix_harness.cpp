#include "matrix_harness.hpp"

#include "gdkm/data/formats/matlab/attributed_mat.hpp"
#include "gdkm/data/formats/matlab/facebook100.hpp"
#include "gdkm/data/formats/matrix_market/matrix_market.hpp"
#include "scratch.hpp"
#include "verdict.hpp"

namespace gdkm::fuzzing {

bool run_matlab(std::string_view input) {
  const Text text{"small.mat", std::string(input)};
  is_read([&] {
    const MatFile file(text);
    for (const std::string& name : file.names()) {
      is_read([&] { file.sparse(name); });
      is_read([&] { file.dense(name); });
    }
  });
  const bool is_network = is_read([&] { check(read_attributed_mat(text, "small")); });
  return is_read([&] { check(read_facebook100(text, "small")); }) || is_network;
}

bool run_matrix_market(std::string_view input) {
  constexpr Index nodes = 3;
  const Text text{"small.mtx", std::string(input)};
  const bool is_graph = is_read([&] { check(read_matrix_market_graph(text, pool_for(input))); });
  return is_read([&] { check(read_matrix_market_features(text, nodes, pool_for(input)), nodes); }) ||
         is_graph;
}

}  // namespace gdkm::fuzzing
