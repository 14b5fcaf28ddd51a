#include "pickle_harness.hpp"

#include "container.hpp"
#include "gdkm/data/formats/matlab/facebook100.hpp"
#include "gdkm/data/formats/pickle/pickled_array.hpp"
#include "gdkm/data/formats/planetoid/planetoid.hpp"
#include "scratch.hpp"
#include "verdict.hpp"

namespace gdkm::fuzzing {

/// Each file by itself, too: together they are read no further than to the first that is bad.
bool run_planetoid(std::string_view input) {
  const Files files = from_container(input);
  bool out = false;
  for (const auto& file : files) {
    out |= is_read([&] {
      const Pickle pickle = read_pickle({"ind.toy.x", file.second});
      is_read([&] { pickled_csr(pickle); });
      is_read([&] { pickled_one_hot(pickle); });
      is_read([&] { pickled_edges(pickle, 7); });
    });
  }
  return is_read([&] { check(read_planetoid(FileTree("toy", by_name(files)), "toy", pool_for(input))); }) ||
         out;
}

bool run_linkx_splits(std::string_view input) {
  const std::vector<std::int32_t> label = {0, 1, 1, 0, 2, -1};
  return is_read([&] {
    for (const Split& split : read_linkx_splits({"splits.npy", to_npy(std::string(input))}, label))
      check(split, label);
  });
}

}  // namespace gdkm::fuzzing
