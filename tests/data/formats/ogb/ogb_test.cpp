#include "gdkm/data/formats/ogb/ogb.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/data/files/gzipped.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::gzipped;
using testing::TemporaryFolder;
using Numbers = std::vector<std::int32_t>;

/// A good set of five nodes, in an archive as it is published.
class OgbTest : public ::testing::Test {
 protected:
  OgbTest() {
    files["raw/edge.csv.gz"] = "0,1\n1,0\n2,4\n3,3\n";
    files["raw/node-feat.csv.gz"] = "1,-0.5\n0,2e-3\n0,0\n4,5\n6,1e-70\n";
    files["raw/node-label.csv.gz"] = "2\n0\nnan\n1\n1.0\n";
    files["raw/num-node-list.csv.gz"] = "5\n";
    files["raw/num-edge-list.csv.gz"] = "4\n";
    files["split/time/train.csv.gz"] = "4\n0\n";
    files["split/time/valid.csv.gz"] = "1\n";
    files["split/time/test.csv.gz"] = "3\n2\n";  // node 2 has no label
  }
  Dataset read() {
    std::vector<testing::RawMember> members;
    for (const auto& [file, bytes] : files) {
      members.push_back({"arxiv/" + file, file.ends_with(".gz") ? gzipped(bytes) : bytes});
    }
    testing::write_bytes(folder / "arxiv.zip", testing::raw_zip(members));
    return read_ogb_arxiv(FileTree(folder / "arxiv.zip"), "ogbn-arxiv", pool);
  }
  void expect_bad(const std::string& file, std::vector<std::string> words) {
    words.push_back(file);
    expect_input_error([&] { read(); }, words);
  }
  std::map<std::string, std::string> files;
  TemporaryFolder folder;
  ThreadPool pool{2};
};

TEST_F(OgbTest, AnArchiveIsRead) {
  const Dataset data = read();
  EXPECT_EQ(data.name, "ogbn-arxiv");
  EXPECT_EQ(data.task, Task::node);
  EXPECT_EQ(data.graph.nodes, 5);
  EXPECT_TRUE(data.graph.directed);
  ASSERT_EQ(data.graph.edges.size(), 4u);
  EXPECT_EQ(data.graph.edges[2].from, 2);
  EXPECT_EQ(data.graph.edges[2].to, 4);
  EXPECT_EQ(data.label, (Numbers{2, 0, -1, 1, 1}));
  EXPECT_EQ(data.classes, 3);
  EXPECT_FALSE(data.features.is_sparse);
  EXPECT_EQ(data.features.cols, 2);
  EXPECT_EQ(data.features.dense, (std::vector<float>{1, -0.5f, 0, 2e-3f, 0, 0, 4, 5, 6, 0}));
  ASSERT_EQ(data.splits.size(), 1u);
  const Split& split = data.splits.at("public").at(0);
  EXPECT_EQ(split.train, (Numbers{0, 4}));
  EXPECT_EQ(split.val, Numbers{1});
  EXPECT_EQ(split.test, Numbers{3});
  EXPECT_TRUE(is_ogb(FileTree(folder / "arxiv.zip")));
}

TEST_F(OgbTest, AFolderOfUnpackedFilesIsRead) {
  const Dataset packed = read();
  for (const auto& [file, bytes] : files) {
    const auto path = folder / ("there/" + file.substr(0, file.size() - 3));
    std::filesystem::create_directories(path.parent_path());
    testing::write_bytes(path, bytes);
  }
  const Dataset data = read_ogb_arxiv(FileTree(folder / "there"), "x", pool);
  EXPECT_EQ(data.label, packed.label);
  EXPECT_EQ(data.features.dense, packed.features.dense);
  EXPECT_EQ(data.splits.at("public").at(0).train, packed.splits.at("public").at(0).train);
}

TEST_F(OgbTest, SeveralSchemesKeepTheirNames) {
  for (const char* part : {"train", "valid", "test"}) {
    files[std::string("split/random/") + part + ".csv.gz"] =
        files[std::string("split/time/") + part + ".csv.gz"];
  }
  const Dataset data = read();
  EXPECT_EQ(data.splits.size(), 2u);
  EXPECT_EQ(data.splits.count("time") + data.splits.count("random"), 2u);
}

TEST_F(OgbTest, OnlyEdgesLabelsAndFeaturesAreNeeded) {
  std::erase_if(files, [](const auto& file) { return file.first.find("num-") != std::string::npos; });
  std::erase_if(files, [](const auto& file) { return file.first.starts_with("split"); });
  EXPECT_TRUE(read().splits.empty());
  files.erase("raw/node-feat.csv.gz");
  expect_bad("raw/node-feat.csv.gz", {"missing"});
}

TEST_F(OgbTest, CountsMustAgree) {
  files["raw/num-node-list.csv.gz"] = "6\n";
  expect_bad("num-node-list.csv.gz", {"6 nodes", "5 lines"});
  files["raw/num-node-list.csv.gz"] = "3\n2\n";
  expect_bad("num-node-list.csv.gz", {"2 graphs"});
  files["raw/num-node-list.csv.gz"] = "5\n";
  files["raw/node-feat.csv.gz"] = "1\n2\n3\n4\n";
  expect_bad("node-feat.csv.gz", {"4 lines"});
  files["raw/node-feat.csv.gz"] = "";
  expect_bad("node-feat.csv.gz", {"0 lines"});
}

TEST_F(OgbTest, BadLabelsAreRefused) {
  for (const char* bad : {"1.5", "-2", "inf", "1e300", "x", "1,0", "7"}) {
    files["raw/node-label.csv.gz"] = std::string("0\n0\n0\n") + bad + "\n0\n";
    expect_bad("node-label.csv.gz", {"line 4"});
  }
  files["raw/node-label.csv.gz"] = "";
  expect_bad("node-label.csv.gz", {"empty"});
}

TEST_F(OgbTest, BadFeaturesAreRefused) {
  for (const char* bad : {"1,nan", "1,inf", "1,1e39", "1", "1,2,3", "1,", "a,b"}) {
    files["raw/node-feat.csv.gz"] = std::string("1,2\n1,2\n1,2\n") + bad + "\n1,2\n";
    expect_bad("node-feat.csv.gz", {"line 4"});
  }
}

TEST_F(OgbTest, BadEdgesAreRefused) {
  for (const char* bad : {"0,5", "-1,0", "0", "0,1,2", "x,y"}) {
    files["raw/edge.csv.gz"] = std::string("0,1\n") + bad + "\n";
    expect_bad("edge.csv.gz", {"line 2"});
  }
}

TEST_F(OgbTest, BadSplitsAreRefused) {
  files["split/time/test.csv.gz"] = "1\n";
  expect_bad("split/time", {"node 1", "'val' and 'test'"});
  files["split/time/test.csv.gz"] = "3\n3\n";
  expect_bad("split/time", {"node 3", "twice"});
  files["split/time/test.csv.gz"] = "5\n";
  expect_bad("split/time/test.csv.gz", {"line 1", "0 to 4"});
  files["split/time/test.csv.gz"] = "";
  files["split/time/train.csv.gz"] = "";
  expect_bad("split/time", {"to train on"});
  files.erase("split/time/test.csv.gz");
  expect_bad("split/time/test.csv.gz", {"missing"});
}

}  // namespace
}  // namespace gdkm
