#include "gdkm/data/formats/gml/gml.hpp"

#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Names = std::vector<std::string>;

const std::string good = R"(# made by hand
Creator "somebody"
graph
[
  directed 1
  node [ id 5 label "Ann" age 30 club "a &amp; b" v 1 v 2.5 graphics [ x 1 y [ z 2 ] ] ]
  node [ id 7 label "Bob" age NAN club "c" v 3 v 4 ]
  node [ id 9 label "Cat" age 20 club "c" v 5 v 6 ]
  node [ id 11 label "Dan" age 1 club "a &amp; b" v 0 v 0 ]
  edge [ source 5 target 7 value 2 ]
  edge [ source 7 target 9 value 3 ]
]
)";

Dataset read(const std::string& bytes) {
  return to_dataset(read_gml({"my.gml", bytes}), {});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(GmlTest, KeysAreAttributesAndLabelsAreNames) {
  const Dataset data = read(good);
  EXPECT_TRUE(data.graph.directed);
  EXPECT_EQ(data.node_names, (Names{"Ann", "Bob", "Cat", "Dan"}));
  EXPECT_EQ(data.class_names, (Names{"a & b", "c"}));
  EXPECT_EQ(data.graph.weight, (std::vector<float>{2, 3}));
  ASSERT_EQ(data.columns.table.size(), 3u);
  EXPECT_EQ(data.columns.table[0], (TableColumn{"age", ColumnType::number, {}, true}));
  EXPECT_EQ(data.columns.table[1].name, "v[0]");
  EXPECT_EQ(data.features.dense[4 + 1], 1) << "Bob's age is missing";
  std::string remarks;
  for (const auto& line : data.remarks) remarks += line;
  EXPECT_NE(remarks.find("the class is the attribute 'club'"), std::string::npos) << remarks;
  EXPECT_NE(remarks.find("'graphics'"), std::string::npos) << remarks;
}

TEST(GmlTest, ItIsToldByItsFirstWords) {
  EXPECT_TRUE(looks_like_gml(good));
  EXPECT_TRUE(looks_like_gml("graph [\n"));
  for (const char* other : {"", "ann bob\n", "graph,node\n", "source target\n", "Creator \"x", "a [ b 1 ]"})
    EXPECT_FALSE(looks_like_gml(other)) << other;
}

TEST(GmlTest, BadContentsAreRefused) {
  const auto bad = [](const std::string& from, const std::string& to, std::vector<std::string> words) {
    words.push_back("my.gml");
    expect_input_error([&] { read(replaced(good, from, to)); }, words);
  };
  bad("id 7", "id 5", {"line 7", "'5' occurs twice"});
  bad("id 7", "", {"line 7", "no id"});
  bad("source 7", "source 8", {"line 11", "source '8' is not a node"});
  bad("target 9", "", {"line 11", "no target"});
}

TEST(GmlTest, EveryTruncationIsSurvived) {
  for (std::size_t size = 0; size + 3 < good.size(); ++size)
    EXPECT_THROW(read(good.substr(0, size)), InputError) << size;
}

}  // namespace
}  // namespace gdkm
