#include "gdkm/fitting/fingerprint.hpp"

#include <gtest/gtest.h>

namespace gdkm {
namespace {

Dataset pair_of_nodes() {
  Dataset out;
  out.graph.nodes = 2;
  out.graph.edges = {{0, 1}, {1, 0}};
  out.features = {2, 1, false, {}, {1, 2}};
  out.label = {0, 1};
  out.classes = 2;
  return out;
}

TEST(Fingerprint, OfDataWithoutTypesIsThatOfEarlierVersions) {
  EXPECT_EQ(fingerprint(pair_of_nodes()), "41bac44c6a12f519");
}

TEST(Fingerprint, ChangesWithTheTypesOfEdges) {
  const Dataset plain = pair_of_nodes();
  Dataset typed = plain;
  typed.graph.type = {0, 0};
  typed.graph.type_names = {"a"};
  EXPECT_NE(fingerprint(typed), fingerprint(plain)) << "one type is not the same as none";
  Dataset other = typed;
  other.graph.type = {0, 1};
  other.graph.type_names = {"a", "b"};
  EXPECT_NE(fingerprint(other), fingerprint(typed));
}

}  // namespace
}  // namespace gdkm
