#include "gdkm/data/formats/edge_list/networkx_edge_list.hpp"

#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

std::string as_csv(const std::string& bytes) {
  return networkx_edge_list_as_csv({"my.edgelist", bytes}).bytes;
}

TEST(NetworkXEdgeListTest, KeysBecomeColumns) {
  EXPECT_EQ(as_csv("# G\na b {'weight': 0.5, 'kind': 'x, y'}\nb c {}\n\nc a {\"kind\": None, 'weight': "
                   "np.float64(2.0)}\n"),
            "source\ttarget\tweight\tkind\na\tb\t0.5\t\"x, y\"\nb\tc\t1\t\nc\ta\t2.0\t\n");
  EXPECT_EQ(as_csv("Mr Hi\tJohn A\t{'l': [1, (2, 3)], 's': 'it\\'s'}\n"),
            "source\ttarget\tl\ts\nMr Hi\tJohn A\t\"[1, (2, 3)]\"\tit's\n");
  EXPECT_TRUE(is_networkx_edge_list({"", "#c\n1 2 {}\n"}));
  for (const char* other : {"", "1 2 0.5\n", "{\"nodes\": []}", "a,b\n"})
    EXPECT_FALSE(is_networkx_edge_list({"", other})) << other;
}

TEST(NetworkXEdgeListTest, BadLinesAreRefused) {
  expect_input_error([] { as_csv("a b {}\na b\n"); }, {"my.edgelist", "line 2", "dict"});
  expect_input_error([] { as_csv("a {}\n"); }, {"line 1", "two nodes"});
  expect_input_error([] { as_csv("Mr Hi John A {}\n"); }, {"line 1", "blanks", "tabs"});
  expect_input_error([] { as_csv("a b {'weight' 0.5}\n"); }, {"line 1", "'key': value"});
  expect_input_error([] { as_csv("a b {'weight': 0.5\n"); }, {"not closed"});
}

}  // namespace
}  // namespace gdkm
