#include "gdkm/data/formats/reddit/reddit.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::npy;
using testing::npy_of;
using testing::TemporaryFolder;
using Numbers = std::vector<std::int32_t>;
using Longs = std::vector<std::int64_t>;

/// Good files of four nodes on a path, of which a test changes or removes arrays.
class RedditTest : public ::testing::Test {
 protected:
  RedditTest() {
    data["feature"] = npy_of<float>("<f4", "4, 2", {1, 2, 3, 4, 5, 6, 7, 8});
    data["label"] = npy_of<std::int64_t>("<i8", "4,", {0, 2, 1, -1});
    data["node_types"] = npy_of<std::int64_t>("<i8", "4,", {1, 2, 3, 1});
    data["node_ids"] = npy_of<std::int64_t>("<i8", "4,", {0, 1, 2, 3});
    graph["row"] = npy_of<std::int32_t>("<i4", "6,", {0, 1, 1, 2, 2, 3});
    graph["col"] = npy_of<std::int32_t>("<i4", "6,", {1, 0, 2, 1, 3, 2});
    graph["data"] = npy_of<float>("<f4", "6,", {1, 1, 1, 1, 1, 1});
    graph["shape"] = npy_of<std::int64_t>("<i8", "2,", {4, 4});
    graph["format"] = npy("|S3", "", "coo");
  }
  void use_csr() {
    graph.erase("row");
    graph.erase("col");
    graph["indices"] = npy_of<std::int32_t>("<i4", "6,", {1, 0, 2, 1, 3, 2});
    graph["indptr"] = npy_of<std::int32_t>("<i4", "5,", {0, 1, 3, 5, 6});
    graph["format"] = npy("|S3", "", "csr");
  }
  void write(const std::string& file, const std::map<std::string, std::string>& arrays) {
    std::vector<testing::RawMember> members;
    for (const auto& [name, bytes] : arrays) members.push_back({name + ".npy", bytes});
    testing::write_bytes(folder / file, testing::raw_zip(members));
  }
  Dataset read() {
    write("reddit_data.npz", data);
    write("reddit_graph.npz", graph);
    return read_reddit(folder.path(), "reddit", pool);
  }
  Longs edges() {
    Longs out;
    for (const auto& [from, to] : read().graph.edges) out.insert(out.end(), {from, to});
    return out;
  }
  void expect_bad(const std::string& file, const std::string& array, std::vector<std::string> words) {
    words.insert(words.end(), {file, "'" + array + "'"});
    expect_input_error([&] { read(); }, words);
  }
  std::map<std::string, std::string> data, graph;
  TemporaryFolder folder;
  ThreadPool pool{2};
};

TEST_F(RedditTest, BothFilesAreRead) {
  const Dataset set = read();
  EXPECT_EQ(set.name, "reddit");
  EXPECT_EQ(set.graph.nodes, 4);
  EXPECT_FALSE(set.graph.directed);
  EXPECT_EQ(set.label, (Numbers{0, 2, 1, -1}));
  EXPECT_EQ(set.classes, 3);
  EXPECT_EQ(set.features.cols, 2);
  EXPECT_EQ(set.features.dense, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  const Split& split = set.splits.at("public").at(0);
  EXPECT_EQ(split.train, Numbers{0});  // node 3 trains too, but has no label
  EXPECT_EQ(split.val, Numbers{1});
  EXPECT_EQ(split.test, Numbers{2});
  EXPECT_TRUE(is_reddit(FileTree(folder.path())));
  EXPECT_FALSE(is_reddit(FileTree(folder / "reddit_data.npz")));
}

TEST_F(RedditTest, OfBothDirectionsOneIsKept) {
  EXPECT_EQ(edges(), (Longs{0, 1, 1, 2, 2, 3}));
}

TEST_F(RedditTest, CsrIsReadLikeCoo) {
  use_csr();
  EXPECT_EQ(edges(), (Longs{0, 1, 1, 2, 2, 3}));
  graph["indptr"] = npy_of<std::int32_t>("<i4", "5,", {0, 0, 0, 6, 6});  // all belong to row 2
  EXPECT_EQ(edges(), (Longs{2, 2, 2, 3, 2, 2, 1, 2, 0, 2, 1, 2}));
}

TEST_F(RedditTest, AMatrixThatIsNotSymmetricLosesNoEdge) {
  graph["row"] = npy_of<std::int32_t>("<i4", "4,", {3, 2, 0, 1});
  graph["col"] = npy_of<std::int32_t>("<i4", "4,", {0, 1, 2, 1});
  EXPECT_EQ(edges(), (Longs{0, 2, 1, 1, 0, 3, 1, 2}));
}

TEST_F(RedditTest, OneDirectionForAnotherIsNotSymmetry) {
  graph["row"] = npy_of<std::int32_t>("<i4", "2,", {0, 3});
  graph["col"] = npy_of<std::int32_t>("<i4", "2,", {1, 2});
  EXPECT_EQ(edges(), (Longs{0, 1, 2, 3}));
}

TEST_F(RedditTest, AGraphWithoutEdgesIsRead) {
  graph["row"] = npy_of<std::int32_t>("<i4", "0,", {});
  graph["col"] = npy_of<std::int32_t>("<i4", "0,", {});
  EXPECT_TRUE(edges().empty());
}

TEST_F(RedditTest, BadMatricesAreRefused) {
  graph["col"] = npy_of<std::int32_t>("<i4", "6,", {1, 0, 2, 1, 4, 2});
  expect_bad("reddit_graph.npz", "col", {"entry 4", "node 4", "0..3"});
  graph["col"] = npy_of<std::int32_t>("<i4", "5,", {1, 0, 2, 1, 3});
  expect_bad("reddit_graph.npz", "col", {"5 entries", "rows have 6"});
  graph["col"] = npy_of<std::int32_t>("<i4", "7,", {1, 0, 2, 1, 3, 2, 0});
  expect_bad("reddit_graph.npz", "col", {"more entries"});
  graph["row"] = npy_of<std::int32_t>("<i4", "6,", {0, 1, -1, 2, 2, 3});
  expect_bad("reddit_graph.npz", "row", {"entry 2", "node -1"});
  graph["row"] = npy_of<std::int64_t>("<i8", "1,", {std::int64_t{1} << 40});
  expect_bad("reddit_graph.npz", "row", {});
  graph["shape"] = npy_of<std::int64_t>("<i8", "2,", {5, 5});
  expect_bad("reddit_graph.npz", "shape", {"(5, 5)", "(4, 4)"});
  graph.erase("shape");
  expect_bad("reddit_graph.npz", "shape", {"missing"});
}

TEST_F(RedditTest, BadCsrIsRefused) {
  use_csr();
  graph["indptr"] = npy_of<std::int32_t>("<i4", "5,", {0, 1, 5, 3, 6});
  expect_bad("reddit_graph.npz", "indptr", {"5 to 3", "row 2"});
  graph["indptr"] = npy_of<std::int32_t>("<i4", "5,", {0, 1, 3, 5, 7});
  expect_bad("reddit_graph.npz", "indices", {"6 entries", "rows have 7"});
  graph["indptr"] = npy_of<std::int32_t>("<i4", "5,", {0, 1, 3, 5, 5});
  expect_bad("reddit_graph.npz", "indices", {"more entries"});
  graph["indptr"] = npy_of<std::int32_t>("<i4", "4,", {0, 1, 3, 6});
  expect_bad("reddit_graph.npz", "indptr", {"5 entries"});
  graph.erase("indptr");
  expect_bad("reddit_graph.npz", "indptr", {"'row'", "save_npz"});
}

TEST_F(RedditTest, BadNodesAreRefused) {
  data["node_types"] = npy_of<std::int64_t>("<i8", "4,", {1, 2, 3, 4});
  expect_bad("reddit_data.npz", "node_types", {"node 3", "type 4"});
  data["node_types"] = npy_of<std::int64_t>("<i8", "4,", {2, 2, 3, 1});
  expect_bad("reddit_data.npz", "node_types", {"no training nodes"});
  data["node_types"] = npy_of<std::int64_t>("<i8", "3,", {1, 2, 3});
  expect_bad("reddit_data.npz", "node_types", {"3 entries", "4 nodes"});
  data["label"] = npy_of<std::int64_t>("<i8", "4,", {0, 4, 1, 0});
  expect_bad("reddit_data.npz", "label", {"node 1", "label 4"});
  data["label"] = npy_of<std::int64_t>("<i8", "0,", {});
  expect_bad("reddit_data.npz", "label", {"zero nodes"});
}

TEST_F(RedditTest, BadFeaturesAreRefused) {
  data["feature"] = npy_of<float>("<f4", "4, 1", {1, 2, std::numeric_limits<float>::infinity(), 4});
  expect_bad("reddit_data.npz", "feature", {"node 2, feature 0", "inf"});
  data["feature"] = npy_of<double>("<f8", "4, 1", {1, 1e300, 3, 4});
  expect_bad("reddit_data.npz", "feature", {"node 1, feature 0"});
  data["feature"] = npy_of<float>("<f4", "2, 4", {1, 2, 3, 4, 5, 6, 7, 8});
  expect_bad("reddit_data.npz", "feature", {"(2, 4)", "4 nodes"});
  data["feature"] = npy_of<float>("<f4", "4, 0", {});
  expect_bad("reddit_data.npz", "feature", {"(4, 0)"});
}

}  // namespace
}  // namespace gdkm
