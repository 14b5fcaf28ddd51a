#include "gdkm/data/formats/pajek/pajek.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "gdkm/data/formats/import_graph.hpp"
#include "gdkm/data/load.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Names = std::vector<std::string>;

Dataset read(const std::string& bytes) {
  return to_dataset(read_pajek({"my.net", bytes}), {});
}

/// As NetworkX' write_pajek writes it.
const std::string club =
    "*vertices 4\n1 \"Mr. Hi\" 0.0 0.0 ellipse club red\n2 ann 0.0 0.0 ellipse club red\n"
    "3 bob 0.0 0.0 ellipse club blue\n4 dan 0.0 0.0 ellipse club blue\n*edges\n1 2 4.5\n3 4 1.0\n";

TEST(PajekTest, NetworkXItsLabelsAttributesAndWeightsAreRead) {
  const Dataset data = read(club);
  EXPECT_EQ(data.node_names, (Names{"Mr. Hi", "ann", "bob", "dan"}));
  EXPECT_EQ(data.class_names, (Names{"blue", "red"}));
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{1, 1, 0, 0}));
  ASSERT_EQ(data.graph.edges.size(), 2u);
  EXPECT_EQ(data.graph.weight, (std::vector<float>{4.5f, 1.0f}));
  EXPECT_FALSE(data.graph.directed);
}

TEST(PajekTest, ArcsAreDirectedAndNamedSectionsAreTypes) {
  const Dataset data = read(
      "% a comment with \" in it\r\n*Network friends\r\n*Vertices 3\r\n2 \"Ann\" 0.1 0.5 ic Red bc Blue\r\n"
      "*Arcs :1 \"likes\"\r\n1 2 1\r\n*Edges :2 \"knows\"\r\n2 3 1\r\n");
  EXPECT_EQ(data.node_names, (Names{"1", "Ann", "3"}));
  EXPECT_TRUE(data.graph.directed);
  ASSERT_EQ(data.graph.edges.size(), 3u);  // an edge goes both ways
  EXPECT_EQ(data.graph.edges[2].from, 2);
  EXPECT_EQ(data.graph.edges[2].to, 1);
  EXPECT_EQ(data.graph.type_names, (Names{"knows", "likes"}));
  std::string remarks;
  for (const auto& line : data.remarks) remarks += line + "\n";
  EXPECT_NE(remarks.find("coordinates"), std::string::npos) << remarks;
}

TEST(PajekTest, ListsOfNeighboursAndRepeatedLabelsAreRead) {
  const Dataset data = read("*Vertices 3\n1 a\n2 a\n3 b\n*Edgeslist\n1 2 3\n");
  EXPECT_EQ(data.node_names, (Names{"1", "2", "3"}));
  EXPECT_EQ(data.graph.edges.size(), 2u);
  EXPECT_FALSE(data.graph.directed);
}

/// The memory that is in use; 0 where the system or a sanitizer does not tell.
std::int64_t used_memory() {
#ifdef __GLIBC__
  const struct mallinfo2 info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
#else
  return 0;
#endif
}

TEST(PajekTest, VerticesWithoutALineTakeNoMemory) {
  for (const std::string label : {"ann", "0", "2"}) {  // the last is the number of another
    const std::int64_t before = used_memory();
    const AttributedGraph graph =
        read_pajek({"my.net", fmt::format("*Vertices 1000000\n1 {}\n*Edges\n1 3\n", label)});
    EXPECT_LT(used_memory() - before, 1'000'000) << label;
    const Names names = graph.nodes.names();
    ASSERT_EQ(names.size(), 1'000'000u) << label;
    EXPECT_EQ(names.front(), label == "2" ? "1" : label);
    EXPECT_EQ(names.back(), "1000000") << label;
  }
}

TEST(PajekTest, WhatIsNotReadIsRefusedByName) {
  expect_input_error([] { read("*Vertices 2\n*Matrix\n0 1\n1 0\n"); }, {"my.net", "line 2", "'*Matrix'"});
  expect_input_error([] { read("*Vertices 2\n*Edges\n1 3\n"); }, {"line 3", "1 to 2", "'3'"});
  expect_input_error([] { read("*Vertices 2\n*Edges\n1\n"); }, {"line 3", "two vertices"});
  expect_input_error([] { read("*Vertices 2\n1 a [1-3]\n"); }, {"line 2", "times"});
  expect_input_error([] { read("*Vertices 2\n1 a\n1 b\n"); }, {"line 3", "second line"});
  expect_input_error([] { read("*Vertices 2\n1 a\n*Vertices 2\n"); }, {"line 3", "twice"});
  expect_input_error([] { read("*Vertices 99999999999\n"); }, {"states", "bytes"});
  expect_input_error([] { read("*Vertices\n"); }, {"number of vertices"});
  expect_input_error([] { read("*Network x\n1 2\n"); }, {"line 2", "*Vertices first"});
  expect_input_error([] { read("*Network x\n"); }, {"no vertices"});
}

TEST(PajekTest, FilesAreRecognisedByTheirFirstLine) {
  const testing::TemporaryFolder folder;
  testing::write_bytes(folder / "club.net", club);
  EXPECT_EQ(load((folder / "club.net").string(), {}, 1).graph.nodes, 4);
  EXPECT_EQ(recognise_own(folder / "club.net"), OwnFormat::pajek);
  for (const char* other : {"", "*\n", "1 2\n", "% only\n", "*vert 3\n"})
    EXPECT_FALSE(looks_like_pajek(other)) << other;
  EXPECT_TRUE(looks_like_pajek("\xEF\xBB\xBF% c\n\n *VERTICES 3\n"));
}

}  // namespace
}  // namespace gdkm
