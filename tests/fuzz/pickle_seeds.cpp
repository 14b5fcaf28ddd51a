#include "container.hpp"
#include "pickle_harness.hpp"
#include "tests/data/formats/pickle/pickle_samples.hpp"
#include "tests/data/formats/pickle/raw_pickle.hpp"

namespace gdkm::fuzzing {

using namespace testing;

std::vector<std::string> planetoid_seeds() {
  const auto one_hot = [](std::int64_t rows, const std::vector<std::int32_t>& values) {
    return pickle_of(pickled_array_of("<i4", {rows, 2}, values));
  };
  const RawCsr x{{2, 3}, {0, 1, 2}, {0, 1}, {1, 2}}, allx{{4, 3}, {0, 1, 2, 3, 3}, {0, 1, 2}, {1, 2, 3}},
      tx{{2, 3}, {0, 2, 3}, {0, 2, 1}, {6, 7, 4}};
  const Files toy = {{"ind.toy.x", pickle_of(x.body())},
                     {"ind.toy.y", one_hot(2, {1, 0, 0, 1})},
                     {"ind.toy.allx", pickle_of(allx.body())},
                     {"ind.toy.ally", one_hot(4, {1, 0, 0, 1, 1, 0, 0, 0})},
                     {"ind.toy.tx", pickle_of(tx.body())},
                     {"ind.toy.ty", one_hot(2, {0, 1, 1, 0})},
                     {"ind.toy.test.index", "6\n4\n"},
                     {"ind.toy.graph", pickle_of(pickled_graph({{0, {1, 1, 0}}, {1, {0}}, {4, {6}}}))}};
  const Files by_python = {{"ind.toy.x", csr_2},      {"ind.toy.allx", csr_4},   {"ind.toy.tx", csr_5},
                           {"ind.toy.y", longs_2},    {"ind.toy.ally", longs_5}, {"ind.toy.ty", fortran_5},
                           {"ind.toy.graph", graph_4}};
  std::vector<std::string> out = {to_container(toy), to_container(by_python)};
  for (const std::string& pickle : {csr_2, csr_3, csr_4, csr_5, longs_2, longs_5, fortran_2, fortran_5,
                                    empty_2, graph_2, graph_4, values_4})
    out.push_back(to_container({{"ind.toy.x", pickle}}));
  return out;
}

std::vector<std::string> linkx_splits_seeds() {
  const auto by_hand = [](const std::string& npy) {
    return array_file("|O", "2,", npy.substr(npy.find('\n') + 1));
  };
  return {splits_npy_2, splits_npy_4, by_hand(splits_npy_2), by_hand(splits_npy_4)};
}

}  // namespace gdkm::fuzzing
