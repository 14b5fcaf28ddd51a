#include "matrix_harness.hpp"
#include "tests/data/formats/matlab/raw_mat.hpp"

namespace gdkm::fuzzing {

std::vector<std::string> matlab_seeds() {
  const std::vector<std::uint8_t> info = {1, 2, 1, 5, 2, 1, 0, 2, 7, 7, 0, 9, 4, 4,
                                          4, 4, 3, 8, 8, 3, 6, 6, 5, 6, 0, 0, 0, 1};
  std::vector<std::string> out;
  for (const bool big_endian : {false, true}) {
    const testing::RawMat raw(big_endian);
    const std::string network = raw.sparse("Network", 4, 4, {1, 0, 2, 1}, {0, 1, 3, 4, 4}, {1, 1, 1, 1}),
                      attributes = raw.sparse("Attributes", 4, 3, {0, 3, 2}, {0, 2, 2, 3}, {5, 1, 2}),
                      label = raw.full("Label", 4, 1, {1, 2, 1, 3}),
                      friends = raw.sparse("A", 4, 4, {1, 0}, {0, 1, 2, 2, 2}, {1, 1}),
                      people = raw.full("local_info", 4, 7, info);
    out.push_back(raw.file(network + attributes + label).bytes);
    out.push_back(raw.file(friends + people).bytes);
    out.push_back(
        raw.file(raw.compressed(network) + raw.compressed(attributes) + raw.compressed(label)).bytes);
  }
  return out;
}

std::vector<std::string> matrix_market_seeds() {
  const std::string banner = "%%MatrixMarket matrix ";
  return {banner + "coordinate pattern symmetric\n% a comment\n\n4 4 3\n2 1\n3 1\n4 4\n",
          banner + "coordinate real general\n3 3 4\n1 2 1\n2 3 0.5\n1 3 0\n3 1 2",
          banner + "coordinate integer general\r\n3 3 2\r\n1 2 1\r\n2 3 1\r\n",
          banner + "coordinate real general\n3 4 5\n3 1 2\n1 4 1\n1 2 -3\n3 1 0.5\n2 2 0\n",
          banner + "array real general\n3 2\n1\n2\n3\n-4\n5e-1\n6\n",
          banner + "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"};
}

}  // namespace gdkm::fuzzing
