#include "gdkm/data/formats/edge_list/adjacency_list.hpp"

#include "tests/data/formats/csv/csv_folder_test.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Names = std::vector<std::string>;

class AdjacencyListTest : public testing::CsvFolderTest {};

/// The ends of edges by name.
std::vector<std::pair<std::string, std::string>> edges_of(const Dataset& data) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto name = [&](std::int32_t k) {
    return data.node_names.empty() ? std::to_string(k) : data.node_names[static_cast<std::size_t>(k)];
  };
  for (const Edge& edge : data.graph.edges) out.emplace_back(name(edge.from), name(edge.to));
  return out;
}

TEST_F(AdjacencyListTest, LinesOfNetworkXAreANodeAndItsNeighbours) {
  const Dataset data = read("#write.py\n# GMT Tue Nov 17\n#\nann bob cat\nbob dan\ncat\ndan\neve\n");
  EXPECT_EQ(data.node_names, (Names{"ann", "bob", "cat", "dan", "eve"}));
  using Edges = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(edges_of(data), (Edges{{"ann", "bob"}, {"ann", "cat"}, {"bob", "dan"}}));
  EXPECT_FALSE(data.graph.directed);
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "ann bob\nbob ann\ncat\n")
                .node_names,
            (Names{"ann", "bob", "cat"}));
  expect_remark("adjacency list");
}

TEST_F(AdjacencyListTest, OtherDelimitersAndLabelsBesideItAreRead) {
  as_labels = true;
  const Dataset data =
      read("New York,Boston\nBoston,Reno,New York\nReno\n", "Reno,a\nBoston,b\nNew York,a\n");
  EXPECT_EQ(data.node_names, (Names{"Reno", "Boston", "New York"}));
  EXPECT_EQ(data.graph.edges.size(), 3u);
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{0, 1, 0}));
  expect_input_error([&] { read("Reno,Boston\nBoston\nOslo\n", "Reno,a\nBoston,b\n"); },
                     {"edges.csv", "'Oslo'", "nodes.csv"});
}

TEST_F(AdjacencyListTest, TheNameOfTheFileDecidesWhereLinesAreEquallyLongOrNodesHaveNone) {
  edges_file = "ring.adjlist";
  EXPECT_EQ(read("0 1 2\n1 2 0\n2 0 1\n").graph.edges.size(), 6u);
  EXPECT_EQ(read("0 1 2\n1 3\n").graph.nodes, 4);
  edges_file = "ring.txt";
  EXPECT_EQ(read("0 1 2\n1 2 1\n2 0 1\n").graph.edges.size(), 3u);  // with weights
}

TEST_F(AdjacencyListTest, ListsOfEdgesStayWhatTheyAre) {
  // A weight is missing, and no node is called 0.5.
  expect_input_error([&] { read("a b 0.5\nb c\nc a 1\n"); },
                     {"line 2", "2 fields", "the first row has 3", ".adjlist"});
  expect_input_error([&] { read("a b\nb c d\n"); }, {"line 2", "3 fields", ".adjlist"});
  EXPECT_FALSE(read_adjacency_list({"g.txt", "a b\nb c\nc a\n"}));
  EXPECT_FALSE(read_adjacency_list({"g.txt", ""}));
}

TEST_F(AdjacencyListTest, AListOverSeveralLinesAndHeadersAreRefused) {
  expect_input_error([&] { read("a 2\nb {}\nc {'weight': 2}\nb 0\nc 0\n"); },
                     {"write_multiline_adjlist", "write_graphml"});
  files.header = false;
  expect_input_error([&] { read("ann bob\nbob\n"); }, {"no_header", "adjacency list"});
  files.header = true;
  expect_input_error([&] { read("a b {'weight': 2}\n"); }, {"header", "dicts"});
}

}  // namespace
}  // namespace gdkm
