#include "gdkm/data/formats/node_link/node_link.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Names = std::vector<std::string>;

Dataset read(const std::string& bytes) {
  return to_dataset(read_node_link({"my.json", bytes}), {});
}

TEST(NodeLinkTest, NetworkXNamesNodesByIds) {
  const Dataset data = read(
      R"({"directed": true, "multigraph": false, "graph": {}, "nodes": [
         {"id": "ann", "age": 30, "ok": true, "v": [0.5, 2], "target": "red", "tags": ["x"]},
         {"id": "bob", "age": null, "ok": false, "v": [1, 3], "target": "blue"},
         {"id": "cat", "age": 10, "ok": false, "v": [1, 3], "target": "blue"},
         {"id": "dan", "age": 10, "ok": false, "v": [1, 3], "target": "red"}],
         "links": [{"source": "ann", "target": "bob", "weight": 2.5}, {"source": "bob", "target": "cat", "weight": 1}]})");
  EXPECT_TRUE(data.graph.directed);
  EXPECT_EQ(data.node_names, (Names{"ann", "bob", "cat", "dan"}));
  EXPECT_EQ(data.class_names, (Names{"blue", "red"}));
  EXPECT_EQ(data.graph.weight, (std::vector<float>{2.5f, 1}));
  ASSERT_EQ(data.columns.table.size(), 4u);
  EXPECT_EQ(data.columns.table[0], (TableColumn{"age", ColumnType::number, {}, true}));
  EXPECT_EQ(data.columns.table[1].type, ColumnType::flag);
  EXPECT_EQ(data.columns.table[3].name, "v[1]");
  std::string remarks;
  for (const auto& line : data.remarks) remarks += line;
  EXPECT_NE(remarks.find("'tags'"), std::string::npos) << remarks;
}

TEST(NodeLinkTest, D3NamesNodesByPosition) {
  const Dataset data = read(
      R"({"nodes": [{"name": "Ann", "group": 1}, {"name": "Bob", "group": 2}, {"name": "Cat", "group": 1},
         {"name": "Dan", "group": 2}], "edges": [{"source": 0, "target": 2, "value": 3}]})");
  EXPECT_EQ(data.node_names, (Names{"Ann", "Bob", "Cat", "Dan"}));
  EXPECT_EQ(data.graph.edges[0].to, 2);
  EXPECT_EQ(data.class_names, (Names{"1", "2"}));
}

TEST(NodeLinkTest, BadContentsAreRefused) {
  expect_input_error([] { read("{\"nodes\": ["); }, {"my.json", "not valid JSON"});
  expect_input_error([] { read("{\"nodes\": [{\"id\": 1, \"x\": -Infinity}], \"links\": []}"); },
                     {"my.json", "Infinity", "null"});
  for (const char open : {'[', '{'})
    expect_input_error([&] { read(std::string(150'000, open)); }, {"my.json", "nested", "1000"});
  expect_input_error([] { read("{\"nodes\": [\"\\"); }, {"not valid JSON"});
  expect_input_error([] { read("[1, 2]"); }, {"nodes and links"});
  expect_input_error([] { read("{\"nodes\": []}"); }, {"'links'", "node_link_data"});
  expect_input_error([] { read("{\"nodes\": [], \"links\": []}"); }, {"no nodes"});
  const std::string nodes = "{\"nodes\": [{\"id\": 1}, {\"id\": 2}], \"links\": [";
  expect_input_error([&] { read(nodes + "{\"source\": 1, \"target\": 3}]}"); },
                     {"link 0", "'3' is not the id"});
  expect_input_error([&] { read(nodes + "{\"source\": 1}]}"); }, {"link 0", "no target"});
  expect_input_error([&] { read("{\"nodes\": [{\"id\": 1}, {\"id\": 1}], \"links\": []}"); },
                     {"'1' occurs twice"});
}

TEST(NodeLinkTest, NaNOfPythonIsAMissingValue) {
  const Dataset data = read(
      R"({"nodes": [ // NaN, "Infinity [
         {"id": "NaN", "age": NaN}, {"id": "b \" Infinity", "age": 2}, {"id": "c", "age": 4}], "links": []})");
  EXPECT_EQ(data.node_names, (Names{"NaN", "b \" Infinity", "c"}));
  ASSERT_EQ(data.columns.table.size(), 1u);
  EXPECT_EQ(data.columns.table[0], (TableColumn{"age", ColumnType::number, {}, true}));
}

TEST(NodeLinkTest, ManyClassesThatAreNumbersSuggestRegression) {
  std::string nodes;
  for (int k = 0; k < 120; ++k)
    nodes += fmt::format("{}{{\"id\": \"n{}x\", \"y\": {}}}", k == 0 ? "" : ", ", k, k % 60 + 0.5);
  AttributeChoice choice;
  choice.label_key = "y";
  const Dataset data =
      to_dataset(read_node_link({"my.json", "{\"nodes\": [" + nodes + "], \"links\": []}"}), choice);
  std::string remarks;
  for (const auto& line : data.remarks) remarks += spell_options(line) + "\n";
  EXPECT_EQ(data.classes, 60) << remarks;
  EXPECT_NE(remarks.find("60 classes are all numbers; use regression"), std::string::npos) << remarks;
}

}  // namespace
}  // namespace gdkm
