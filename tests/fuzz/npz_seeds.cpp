#include <cmath>

#include "container.hpp"
#include "npz_harness.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm::fuzzing {
namespace {

using testing::raw_bytes;

std::string longs(const std::string& shape, const std::vector<std::int64_t>& values) {
  return array_file("<i8", shape, raw_bytes(values));
}
std::string ints(const std::string& shape, const std::vector<std::int32_t>& values) {
  return array_file("<i4", shape, raw_bytes(values));
}
std::string floats(const std::string& shape, const std::vector<float>& values) {
  return array_file("<f4", shape, raw_bytes(values));
}
std::string bools(const std::string& shape, const std::vector<std::uint8_t>& values) {
  return array_file("|b1", shape, raw_bytes(values));
}
std::string words(const std::string& shape, const std::string& letters) {
  std::string data;
  for (const char c : letters) data += {c, '\0', '\0', '\0'};
  return array_file("<U2", shape, data);
}

}  // namespace

std::vector<std::string> graph_npz_seeds() {
  const Files masks = {{"train_masks", bools("2, 4", {1, 0, 0, 0, 0, 1, 0, 0})},
                       {"val_masks", bools("2, 4", {0, 1, 0, 0, 1, 0, 0, 0})},
                       {"test_masks", bools("2, 4", {0, 0, 0, 1, 0, 0, 0, 1})}};
  Files dense = {{"node_labels", longs("4,", {0, 1, -1, 0})},
                 {"edges", longs("3, 2", {0, 1, 1, 2, 2, 3})},
                 {"node_features", floats("4, 2", {1, 0, 0, 2, 0, 0, 3, 4})}};
  dense.insert(dense.end(), masks.begin(), masks.end());
  const Files csr = {
      {"node_labels", ints("4,", {0, 1, 1, 0})},       {"edges", ints("2, 2", {0, 1, 2, 3})},
      {"edge_weights", floats("2,", {1, 2.5f})},       {"edge_type", ints("2,", {1, 0})},
      {"feat_data", floats("5,", {1, 2, 4, 1, 2})},    {"feat_indices", longs("5,", {0, 1, 1, 0, 0})},
      {"feat_indptr", ints("5,", {0, 1, 2, 2, 5})},    {"feat_shape", longs("2,", {4, 2})},
      {"geom_train_masks", bools("4,", {1, 0, 0, 0})}, {"geom_val_masks", bools("4,", {0, 1, 0, 0})},
      {"geom_test_masks", bools("1, 4", {0, 0, 0, 1})}};
  const Files named = {
      {"node_labels", array_file(">f8", "3,", raw_bytes<double>({0, 1, -1}, true))},
      {"edges", longs("1, 2", {0, 1})},
      {"edges_directed", longs("2, 2", {1, 0, 2, 2})},
      {"edge_type", longs("2,", {1, 1})},
      {"edge_type_names", words("2,", "xxyy")},
      {"class_names", words("2,", "aabb")},
      {"node_names", words("3,", "n1n2n3")},
      {"node_features", array_file("<f2", "3, 1", raw_bytes<std::uint16_t>({0x3c00, 0, 1}), true)}};
  const Files raw = {{"node_labels", testing::npy_of<std::int8_t>("|i1", "2,", {0, 1})},
                     {"edges", testing::npy("<f8", "0,", "")},
                     {"node_features", testing::npy_of<double>("<f8", "2, 1", {1, 2})}};
  const Files numbers = {{"node_targets", floats("3, 2", {1, 2, -3, 4, NAN, 5})},
                         {"edges", longs("1, 2", {0, 1})},
                         {"node_features", floats("3, 1", {1, 0, 2})},
                         {"train_masks", bools("3,", {1, 0, 0})},
                         {"val_masks", bools("3,", {0, 0, 0})},
                         {"test_masks", bools("3,", {0, 1, 0})}};
  return {to_container(dense), to_container(csr), to_container(named), to_container(raw),
          to_container(numbers)};
}

std::vector<std::string> pyg_npz_seeds() {
  const Files both = {
      {"x", floats("3, 2", {1, 0, 0, 2, 3, 4})}, {"edge_index", longs("2, 4", {0, 1, 1, 2, 1, 0, 2, 1})},
      {"edge_type", longs("4,", {1, 1, 0, 0})},  {"y", longs("3,", {0, 1, 0})},
      {"train_mask", bools("3,", {1, 0, 0})},    {"val_mask", bools("3,", {0, 1, 0})},
      {"test_mask", bools("3,", {0, 0, 1})}};
  const Files directed = {
      {"x", floats("3, 2", {1, 0, 0, 2, 3, 4})},         {"edge_index", longs("2, 2", {0, 1, 1, 2})},
      {"edge_weight", floats("2,", {1, 0.5f})},          {"y", floats("3, 2", {1, 0, 0, 1, 1, 0})},
      {"train_mask", bools("3, 2", {1, 0, 0, 1, 0, 0})}, {"test_mask", bools("3, 1", {0, 0, 1})}};
  const Files weighted = {{"edge_index", ints("2, 2", {0, 1, 1, 0})},
                          {"edge_attr", floats("2, 1", {3, 3})},
                          {"x", array_file("<f8", "2, 1", raw_bytes<double>({1, 2}))},
                          {"y", ints("2, 1", {0, 1})}};
  return {to_container(both), to_container(directed), to_container(weighted)};
}

std::vector<std::string> reddit_seeds() {
  const Files data = {{"data/feature", floats("4, 2", {1, 2, 3, 4, 5, 6, 7, 8})},
                      {"data/label", longs("4,", {0, 2, 1, -1})},
                      {"data/node_types", longs("4,", {1, 2, 3, 1})}};
  Files coo = data, csr = data;
  const Files entries = {{"graph/row", ints("6,", {0, 1, 1, 2, 2, 3})},
                         {"graph/col", ints("6,", {1, 0, 2, 1, 3, 2})},
                         {"graph/shape", longs("2,", {4, 4})},
                         {"graph/format", array_file("|S3", "", "coo")}};
  const Files rows = {{"graph/indices", ints("4,", {1, 0, 2, 1})},
                      {"graph/indptr", longs("5,", {0, 1, 3, 4, 4})},
                      {"graph/shape", longs("2,", {4, 4})},
                      {"graph/format", array_file("|S3", "", "csr")}};
  coo.insert(coo.end(), entries.begin(), entries.end());
  csr.insert(csr.end(), rows.begin(), rows.end());
  return {to_container(coo), to_container(csr)};
}

}  // namespace gdkm::fuzzing
