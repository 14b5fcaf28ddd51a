#include "gdkm/data/formats/musae/musae.hpp"

#include <gtest/gtest.h>

#include <map>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/data/formats/same_dataset.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::TemporaryFolder;
using Numbers = std::vector<std::int32_t>;

/// A good set of four nodes, of which a test changes or removes files.
class MusaeTest : public ::testing::Test {
 protected:
  MusaeTest() {
    files["page_edges.csv"] = "id_1,id_2\n0,1\n1,2\r\n3,3\n";
    files["page.json"] = R"({"2": [4, 0, 4], "0": [1], "3": []})";
    files["page_target.csv"] =
        "id,page_id,page_name,page_type\n"
        "0,17,Plain,tvshow\n"
        "2,18,\"A, \"\"quoted\"\"\nname\",company\r\n"
        "1,19,中国,tvshow\n"
        "\n"
        "3,20,\"\",\"art, fine\"\n";
  }
  Dataset read() {
    for (const auto& [file, bytes] : files) testing::write_bytes(folder / file, bytes);
    return read_musae(FileTree(folder.path()), "pages", pool);
  }
  void expect_bad(const std::string& file, std::vector<std::string> words) {
    words.push_back(file);
    expect_input_error([&] { read(); }, words);
  }
  std::map<std::string, std::string> files;
  TemporaryFolder folder;
  ThreadPool pool{2};
};

TEST_F(MusaeTest, TheThreeFilesAreRead) {
  const Dataset data = read();
  EXPECT_EQ(data.name, "pages");
  EXPECT_EQ(data.graph.nodes, 4);
  EXPECT_FALSE(data.graph.directed);
  ASSERT_EQ(data.graph.edges.size(), 3u);
  EXPECT_EQ(data.graph.edges[1].from, 1);
  EXPECT_EQ(data.graph.edges[1].to, 2);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"art, fine", "company", "tvshow"}));
  EXPECT_EQ(data.classes, 3);
  EXPECT_EQ(data.label, (Numbers{2, 2, 1, 0}));
  ASSERT_TRUE(data.features.is_sparse);
  EXPECT_EQ(data.features.cols, 5);
  EXPECT_EQ(data.features.sparse.row_start, (std::vector<Index>{0, 1, 1, 3, 3}));
  EXPECT_EQ(data.features.sparse.col, (Numbers{1, 0, 4}));
  EXPECT_EQ(data.features.sparse.value, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(data.splits.at("public").size(), 10u);
  EXPECT_TRUE(data.node_names.empty());
}

TEST_F(MusaeTest, FeaturesMayHaveTheLongerName) {
  files["page_features.json"] = files["page.json"];
  files.erase("page.json");
  EXPECT_EQ(read().features.cols, 5);
  EXPECT_EQ(musae_prefix(FileTree(folder.path())), "page");
}

TEST_F(MusaeTest, MissingFilesAreNamed) {
  files.erase("page.json");
  expect_bad("page.json", {"missing"});
  std::filesystem::remove(folder / "page_target.csv");
  expect_input_error([&] { read_musae(FileTree(folder.path()), "x", pool); }, {"_target.csv"});
}

TEST_F(MusaeTest, BadTargetsAreRefused) {
  const std::string good = files["page_target.csv"];
  files["page_target.csv"] = good + "4\n";
  expect_bad("page_target.csv", {"line 8", "one field"});
  files["page_target.csv"] = good + "3,x\n";
  expect_bad("page_target.csv", {"line 8", "node 3 occurs twice"});
  files["page_target.csv"] = good + "5,x\n";
  expect_bad("page_target.csv", {"line 8", "node 5 is out of range", "0..4"});
  for (const char* id : {"-1", "x", "", "1.5", "99999999999"}) {
    files["page_target.csv"] = good + id + ",x\n";
    expect_bad("page_target.csv", {"line 8", "node number"});
  }
  files["page_target.csv"] = good + "4,\n";
  expect_bad("page_target.csv", {"line 8", "has no class"});
  files["page_target.csv"] = good + "4,\"x\n";
  expect_bad("page_target.csv", {"line 8", "quotation mark"});
  files["page_target.csv"] = good + "4,\"x\"y\n";
  expect_bad("page_target.csv", {"line 8", "quotation mark"});
  files["page_target.csv"] = "id,page_type\n";
  expect_bad("page_target.csv", {"no nodes"});
}

TEST_F(MusaeTest, BadEdgesAreRefused) {
  files["page_edges.csv"] += "0,4\n";
  expect_bad("page_edges.csv", {"line 5", "node 4", "0..3"});
}

TEST_F(MusaeTest, BadFeaturesAreRefused) {
  for (const char* bad :
       {"", "{", R"({"0": [1)", R"({"0": [1]} x)", "{\"\xff\": [1]}", R"({"0": [1e999]})"}) {
    files["page.json"] = bad;
    expect_bad("page.json", {"byte"});
  }
  for (const char* bad : {"-1", "4", "x", "", "1 "}) {
    files["page.json"] = std::string("{\"") + bad + "\": [1]}";
    expect_bad("page.json", {"node number", "0 to 3"});
  }
  for (const char* bad : {"-1", "1.5", "\"1\"", "null", "true", "[1]", "{}", "2147483647", "99999999999"}) {
    files["page.json"] = std::string("{\"1\": [") + bad + "]}";
    expect_bad("page.json", {"node 1", "feature numbers"});
  }
  for (const char* bad : {R"({"1": 3})", R"({"1": {"2": [3]}})", "[1]", "3"}) {
    files["page.json"] = bad;
    expect_bad("page.json", {"feature numbers"});
  }
  files["page.json"] = R"({"1": [1], "1": [2]})";
  expect_bad("page.json", {"node 1", "twice"});
  files["page.json"] = R"({"1": []})";
  expect_bad("page.json", {"no features"});
  files["page.json"] = std::string(1000000, '[');
  expect_bad("page.json", {"feature numbers"});
}

TEST(PublishedMusaeTest, FacebookPagesEqualTheirNpzFile) {
  const auto folder = testing::shared_folder() / "datasets" / "facebook-pages";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  ThreadPool pool(2);
  const Dataset ours = read_musae(FileTree(folder), "facebook-pages", pool);
  const Dataset theirs = read_graph_npz(folder / "facebook-pages.npz");
  EXPECT_EQ(ours.class_names, (std::vector<std::string>{"company", "government", "politician", "tvshow"}));
  EXPECT_EQ(ours.graph.edges.size(), 171002u);
  Dataset without_loops = ours;  // the npz file leaves them out
  erase_if(without_loops.graph.edges, [](const Edge& edge) { return edge.from == edge.to; });
  testing::expect_same_dataset(without_loops, theirs);
}

}  // namespace
}  // namespace gdkm
