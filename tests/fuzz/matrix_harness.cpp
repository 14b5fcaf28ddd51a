#include "matrix_harness.hpp"

#include "gdkm/data/formats/attributed_mat.hpp"
#include "gdkm/data/formats/facebook100.hpp"
#include "gdkm/data/formats/matrix_market.hpp"
#include "scratch.hpp"
#include "verdict.hpp"

namespace gdkm::fuzzing {

void run_matlab(std::string_view input) {
  const Text text{"small.mat", std::string(input)};
  tolerate_refusal([&] {
    const MatFile file(text);
    for (const std::string& name : file.names()) {
      tolerate_refusal([&] { file.sparse(name); });
      tolerate_refusal([&] { file.dense(name); });
    }
  });
  tolerate_refusal([&] { check(read_attributed_mat(text, "small")); });
  tolerate_refusal([&] { check(read_facebook100(text, "small")); });
}

void run_matrix_market(std::string_view input) {
  constexpr Index nodes = 3;
  const Text text{"small.mtx", std::string(input)};
  tolerate_refusal([&] { check(read_matrix_market_graph(text, pool_for(input))); });
  tolerate_refusal([&] { check(read_matrix_market_features(text, nodes, pool_for(input)), nodes); });
}

}  // namespace gdkm::fuzzing
