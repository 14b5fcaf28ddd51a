#include "gdkm/data/formats/gexf/gexf.hpp"

#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Names = std::vector<std::string>;

const std::string good = R"(<gexf xmlns="http://gexf.net/1.2draft" version="1.2">
<graph mode="static" defaultedgetype="undirected">
<attributes class="node"><attribute id="0" title="age" type="integer"/>
<attribute id="1" title="vip" type="boolean"><default>false</default></attribute>
<attribute id="2" title="club" type="string"/></attributes>
<nodes>
<node id="0" label="Ann"><attvalues><attvalue for="0" value="30"/><attvalue for="2" value="red"/></attvalues></node>
<node id="1" label="Bob"><attvalues><attvalue for="0" value="40"/><attvalue for="1" value="true"/><attvalue for="2" value="blue"/></attvalues></node>
<node id="2" label="Cat"><attvalues><attvalue id="0" value="50"/><attvalue for="2" value="blue"/></attvalues></node>
<node id="3" label="Dan"><attvalues><attvalue for="0" value="50"/><attvalue for="2" value="red"/></attvalues></node>
</nodes>
<edges><edge id="0" source="0" target="1" weight="2.5"/><edge id="1" source="1" target="2"/></edges>
</graph></gexf>
)";

Dataset read(const std::string& bytes) {
  return to_dataset(read_gexf({"my.gexf", bytes}), {});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(GexfTest, AttributesAreCalledByTheirTitles) {
  const Dataset data = read(good);
  EXPECT_EQ(data.node_names, (Names{"Ann", "Bob", "Cat", "Dan"}));
  EXPECT_EQ(data.class_names, (Names{"blue", "red"}));
  EXPECT_EQ(data.graph.weight, (std::vector<float>{2.5f, 1}));
  EXPECT_FALSE(data.graph.directed);
  EXPECT_EQ(data.columns.table, (std::vector<TableColumn>{{"age"}, {"vip", ColumnType::flag}}));
  EXPECT_EQ(data.features.dense, (std::vector<float>{30, 0, 40, 1, 50, 0, 50, 0}));
}

TEST(GexfTest, DirectionIsThatOfTheGraphOrOfAllEdges) {
  EXPECT_TRUE(read(replaced(good, "\"undirected\"", "\"directed\"")).graph.directed);
  std::string all = replaced(good, "<edge id=\"0\"", "<edge type=\"directed\"");
  expect_input_error([&] { read(all); }, {"my.gexf", "directed and some are not"});
  EXPECT_TRUE(read(replaced(all, "<edge id=\"1\"", "<edge type=\"directed\"")).graph.directed);
}

TEST(GexfTest, BadContentsAreRefused) {
  const auto bad = [](const std::string& from, const std::string& to, std::vector<std::string> words) {
    words.push_back("my.gexf");
    expect_input_error([&] { read(replaced(good, from, to)); }, words);
  };
  bad("for=\"0\"", "for=\"9\"", {"line 7", "'9' is not declared"});
  bad("<node id=\"1\"", "<node id=\"0\"", {"line 8", "occurs twice"});
  bad("target=\"2\"", "target=\"8\"", {"line 12", "target '8' is not a node"});
  bad("mode=\"static\"", "mode=\"dynamic\"", {"time"});
  bad("<graph ", "<grape ", {"well-formed"});
  expect_input_error([] { read("<gexf/>"); }, {"no <graph>"});
}

TEST(GexfTest, EveryTruncationIsSurvived) {
  for (std::size_t size = 0; size + 9 < good.size(); size += 3)
    EXPECT_THROW(read(good.substr(0, size)), InputError) << size;
}

}  // namespace
}  // namespace gdkm
