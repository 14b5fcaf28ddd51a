#include "pickle_harness.hpp"

#include "container.hpp"
#include "gdkm/data/formats/linkx_splits.hpp"
#include "gdkm/data/formats/one_hot.hpp"
#include "gdkm/data/formats/pickled_csr.hpp"
#include "gdkm/data/formats/planetoid.hpp"
#include "gdkm/data/formats/planetoid_graph.hpp"
#include "scratch.hpp"
#include "verdict.hpp"

namespace gdkm::fuzzing {

/// Each file by itself, too: together they are read no further than to the first that is bad.
void run_planetoid(std::string_view input) {
  const Files files = from_container(input);
  for (const auto& [name, bytes] : files) {
    tolerate_refusal([&] {
      const Pickle pickle = read_pickle({name, bytes});
      tolerate_refusal([&] { pickled_csr(pickle); });
      tolerate_refusal([&] { pickled_one_hot(pickle); });
      tolerate_refusal([&] { pickled_edges(pickle, 7); });
    });
  }
  tolerate_refusal([&] { check(read_planetoid(FileTree("toy", by_name(files)), "toy", pool_for(input))); });
}

void run_linkx_splits(std::string_view input) {
  const std::vector<std::int32_t> label = {0, 1, 1, 0, 2, -1};
  tolerate_refusal([&] {
    for (const Split& split : read_linkx_splits({"splits.npy", to_npy(std::string(input))}, label))
      check(split, label);
  });
}

}  // namespace gdkm::fuzzing
