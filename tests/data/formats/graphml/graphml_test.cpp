#include "gdkm/data/formats/graphml/graphml.hpp"

#include <gtest/gtest.h>

#include "graphml_sample.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string good = testing::graphml_sample;

struct Keys {
  std::string label = "club", weight = "", type = "";
  std::optional<bool> directed = std::nullopt;
  std::optional<DefaultFeatures> features = std::nullopt;
};

Dataset read(const std::string& bytes, const Keys& keys = {}) {
  AttributeChoice choice;
  choice.label_key = keys.label;
  choice.weight_key = keys.weight;
  choice.type_key = keys.type;
  choice.directed = keys.directed;
  choice.default_features = keys.features;
  return to_dataset(read_graphml({"my.graphml", bytes}, keys.directed), choice);
}

void expect_bad(const std::string& from, const std::string& to, std::vector<std::string> words) {
  words.push_back("my.graphml");
  expect_input_error([&] { read(replaced(good, from, to)); }, words);
}

TEST(GraphMlTest, NumericAttributesAreFeatures) {
  const Dataset data = read(good);
  EXPECT_EQ(data.graph.nodes, 3);
  EXPECT_EQ(data.node_names, (std::vector<std::string>{"ann", "bob", "cat"}));
  EXPECT_EQ(data.features.cols, 2);
  EXPECT_EQ(data.features.dense, (std::vector<float>{30, 1, 40, 0, -5, 0}));
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"blue", "red & white"}));
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{1, -1, 0}));
  EXPECT_EQ(data.graph.weight, (std::vector<float>{2.5f, 1}));
  EXPECT_EQ(data.graph.edges[1].from, 1);
  EXPECT_EQ(data.graph.edges[1].to, 2);
  EXPECT_FALSE(data.graph.directed);
}

/// The sample with an edge attribute of that name, and without a type for the second edge.
std::string with_edge_attribute(const std::string& name) {
  const std::string keyed =
      replaced(good, "<graph ", "<key id=\"d4\" for=\"edge\" attr.name=\"" + name + "\"/><graph ");
  return replaced(keyed, "2.5</data>", "2.5</data><data key=\"d4\">likes</data>");
}

TEST(GraphMlTest, AnEdgeAttributeIsTheType) {
  for (const std::string name : {"type", "Relation", "label", "kind"}) {
    SCOPED_TRACE(name);
    const std::string bytes = replaced(with_edge_attribute(name), "target=\"cat\"/>",
                                       "target=\"cat\"><data key=\"d4\">knows</data></edge>");
    const Graph asked = read(bytes, {"club", "", name, {}, {}}).graph;
    EXPECT_EQ(asked.type_names, (std::vector<std::string>{"knows", "likes"}));
    EXPECT_EQ(asked.type, (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(asked.weight, (std::vector<float>{2.5f, 1}));
    EXPECT_EQ(read(bytes).graph.types(), name == "kind" ? 0 : 2);
    EXPECT_EQ(read(bytes, {"club", "", "none", {}, {}}).graph.types(), 0);
  }
}

TEST(GraphMlTest, EveryEdgeNeedsAType) {
  EXPECT_TRUE(read(with_edge_attribute("label")).graph.type.empty()) << "so it is not the type";
  expect_input_error(
      [&] {
        read(with_edge_attribute("label"), {"club", "", "label", {}, {}});
      },
      {"my.graphml", "'label'", "no type", "type_key"});
  expect_input_error([&] { read(good, {"club", "", "kind", {}, {}}); }, {"type_key", "'kind'", "'weight'"});
}

TEST(GraphMlTest, DirectionIsTheFilesUnlessForced) {
  const std::string directed = replaced(good, "undirected", "directed");
  EXPECT_TRUE(read(directed).graph.directed);
  EXPECT_FALSE(read(directed, {"club", "", "", false, {}}).graph.directed);
  expect_bad("<edge source=\"bob\"", "<edge directed=\"true\" source=\"bob\"", {"line 12", "edgedefault"});
}

TEST(GraphMlTest, ANumericClassIsNoFeature) {
  const Dataset data = read(good, {"age", "", "", {}, {}});
  ASSERT_EQ(data.columns.table.size(), 2u);
  EXPECT_EQ(data.columns.table[0].name, "club") << "which is a category then";
  EXPECT_EQ(read(good, {"age", "", "", {}, {}}).class_names.front(), "-5");
}

TEST(GraphMlTest, AnotherAttributeNamedLabelDoesNotBlockTheImport) {
  const Dataset data = read(replaced(good, "attr.name=\"age\"", "attr.name=\"label\""));
  EXPECT_EQ(data.features.cols, 1) << "'active' alone: the label would give the class away";
  ASSERT_EQ(data.remarks.size(), 1u);
  EXPECT_NE(data.remarks[0].find("left out attribute 'label'"), std::string::npos) << data.remarks[0];
  EXPECT_EQ(read(good, {"d1", "", "", {}, {}}).classes, 2) << "an attribute has an id, too";
}

TEST(GraphMlTest, NodesWithoutAttributesGetMadeFeatures) {
  const Dataset data =
      read("<graphml><graph><node id='0'/><node id='1'/><edge source='1' target='0'/></graph></graphml>",
           {"", "", "", {}, DefaultFeatures::identity});
  EXPECT_TRUE(data.node_names.empty());
  EXPECT_EQ(data.features.cols, 2);
  EXPECT_EQ(data.classes, 0);
  EXPECT_TRUE(data.graph.weight.empty());
}

TEST(GraphMlTest, WhatIsNotOnePlainGraphIsRefused) {
  expect_bad("<node id=\"bob\">", "<node id=\"bob\"><graph/>", {"line 9", "nested graphs"});
  expect_bad("<node id=\"bob\">", "<node id=\"bob\"><port name=\"p\"/>", {"line 9", "ports"});
  expect_bad("target=\"cat\"", "target=\"cat\" sourceport=\"p\"", {"line 12", "ports"});
  expect_bad("  </graph>", "<hyperedge/></graph>", {"line 13", "hyperedges"});
  expect_bad("  </graph>", "</graph><graph/>", {"line 13", "second graph"});
  expect_bad("<graph id", "<grape id", {"well-formed"});
}

TEST(GraphMlTest, BadContentsAreRefused) {
  expect_bad("<node id=\"bob\">", "<node id=\"ann\">", {"line 9", "'ann' occurs twice"});
  expect_bad("<node id=\"bob\">", "<node>", {"line 9", "no id"});
  expect_bad("40", "forty", {"'age'", "got 'forty'", "number"});
  expect_bad("40", "1e99", {"'age'", "finite"});
  expect_bad("2.5", "-2.5", {"'weight'", "'-2.5'", "positive"});
  expect_bad("target=\"cat\"", "target=\"eve\"", {"line 12", "target 'eve' is not a node"});
  expect_bad("target=\"cat\"", "", {"line 12", "no target"});
  expect_bad("<data key=\"d0\">40", "<data key=\"d9\">40", {"line 9", "'d9' is not declared"});
  expect_bad("attr.type=\"int\"", "attr.type=\"colour\"", {"line 3", "'colour'"});
  expect_bad("id=\"d1\"", "id=\"d0\"", {"line 4", "declared twice"});
  expect_input_error([] { read(good, {"team", "", "", {}, {}}); }, {"label_key = 'team'", "'club'"});
  expect_input_error([] { read(good, {"club", "cost", "", {}, {}}); }, {"weight_key = 'cost'"});
  expect_input_error([] { read(""); }, {"my.graphml"});
  expect_input_error([] { read("<html/>"); }, {"no <graphml>"});
  expect_input_error([] { read("<graphml/>"); }, {"no <graph>"});
  expect_input_error([] { read("<graphml><graph/></graphml>", {"", "", "", {}, {}}); }, {"no nodes"});
}

TEST(GraphMlTest, EveryTruncationIsSurvived) {
  for (std::size_t size = 0; size + 12 < good.size(); ++size) {
    EXPECT_THROW(read(good.substr(0, size)), InputError) << size;
  }
}

}  // namespace
}  // namespace gdkm
