#include "gdkm/data/formats/planetoid/planetoid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "tests/data/formats/pickle/raw_pickle.hpp"
#include "tests/data/formats/same_dataset.hpp"

namespace gdkm {
namespace {

using namespace testing;

struct RawOneHot {
  std::vector<std::int64_t> shape;
  std::vector<std::int32_t> value;

  std::string body() const { return pickled_array_of("<i4", shape, value); }
};

/// Four nodes in allx, two of them in x; test nodes 6 and 4; node 5 is left out of test.index.
class PlanetoidTest : public ::testing::Test {
 protected:
  std::string graph = pickled_graph({{0, {1, 1, 0}}, {1, {0}}, {4, {6}}, {5, {3}}});
  RawCsr x{{2, 3}, {0, 1, 2}, {0, 1}, {1, 2}};
  RawCsr allx{{4, 3}, {0, 1, 2, 3, 3}, {0, 1, 2}, {1, 2, 3}};
  RawCsr tx{{2, 3}, {0, 2, 3}, {0, 2, 1}, {6, 7, 4}};
  RawOneHot y{{2, 2}, {1, 0, 0, 1}}, ally{{4, 2}, {1, 0, 0, 1, 1, 0, 0, 0}}, ty{{2, 2}, {0, 1, 1, 0}};
  std::string index = "6\n4\n";
  TemporaryFolder folder;

  void write() {
    const auto put = [&](const std::string& part, const std::string& bytes) {
      write_bytes(folder / ("ind.toy." + part), bytes);
    };
    put("x", pickle_of(x.body()));
    put("allx", pickle_of(allx.body()));
    put("tx", pickle_of(tx.body()));
    put("y", pickle_of(y.body()));
    put("ally", pickle_of(ally.body()));
    put("ty", pickle_of(ty.body()));
    put("graph", pickle_of(graph));
    put("test.index", index);
  }
  Dataset read_as_is() {
    ThreadPool pool(2);
    return read_planetoid(FileTree(folder.path()), "toy", pool);
  }
  Dataset read() {
    write();
    return read_as_is();
  }
  void expect_bad(const std::string& part, std::vector<std::string> words) {
    words.push_back("ind.toy." + part);
    expect_input_error([&] { read(); }, words);
  }
  void write_mask(const std::string& name, const std::vector<std::uint8_t>& train,
                  const std::vector<std::uint8_t>& val, const std::vector<std::uint8_t>& test) {
    const auto mask = [](const std::vector<std::uint8_t>& value) {
      return npy_of("|b1", std::to_string(value.size()) + ",", value);
    };
    std::filesystem::create_directory(folder / "splits");
    write_bytes(folder / ("splits/" + name), raw_zip({{"train_mask.npy", mask(train)},
                                                      {"val_mask.npy", mask(val)},
                                                      {"test_mask.npy", mask(test)}}));
  }
};

TEST_F(PlanetoidTest, FilesAreJoined) {
  const Dataset data = read();
  EXPECT_EQ(data.name, "toy");
  EXPECT_EQ(data.graph.nodes, 7);
  EXPECT_FALSE(data.graph.directed);
  EXPECT_EQ(data.graph.edges.size(), 6u) << "as published: both directions, repetitions and self-loops";
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{0, 1, 0, -1, 0, -1, 1}));
  EXPECT_EQ(data.classes, 2);
  EXPECT_TRUE(data.features.is_sparse);
  EXPECT_EQ(data.features.rows, 7);
  EXPECT_EQ(data.features.cols, 3);
  EXPECT_EQ(data.features.sparse.row_start, (std::vector<Index>{0, 1, 2, 3, 3, 4, 4, 6}));
  EXPECT_EQ(data.features.sparse.col, (std::vector<std::int32_t>{0, 1, 2, 1, 0, 2}));
  EXPECT_EQ(data.features.sparse.value, (std::vector<double>{1, 2, 3, 4, 6, 7}));
  ASSERT_EQ(data.splits.size(), 1u);
  const Split& split = data.splits.at("public").front();
  EXPECT_EQ(split.train, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(split.val, std::vector<std::int32_t>{2}) << "node 3 has no label";
  EXPECT_EQ(split.test, (std::vector<std::int32_t>{4, 6}));
}

TEST_F(PlanetoidTest, FilesAreRecognised) {
  EXPECT_FALSE(is_planetoid(FileTree(folder.path()), "toy"));
  write();
  EXPECT_TRUE(is_planetoid(FileTree(folder.path()), "toy"));
  EXPECT_FALSE(is_planetoid(FileTree(folder.path()), "cora"));
}

TEST_F(PlanetoidTest, MissingFilesAreNamed) {
  for (const std::string part : {"x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"}) {
    write();
    std::filesystem::remove(folder / ("ind.toy." + part));
    expect_input_error([&] { read_as_is(); }, {"ind.toy." + part, "missing"});
  }
}

TEST_F(PlanetoidTest, DifferingSizesAreRefused) {
  y = {{1, 2}, {1, 0}};
  expect_bad("x", {"2 rows", "'ind.toy.y' has 1"});
  y = {{2, 3}, {1, 0, 0, 0, 1, 0}};
  expect_bad("x", {"3 classes", "ally has 2"});
  y = {{2, 2}, {1, 0, 0, 1}};
  tx.shape = {2, 4};
  expect_bad("tx", {"4 features", "allx has 3"});
  tx.shape = {2, 3};
  std::swap(x, allx);
  std::swap(y, ally);
  expect_bad("x", {"4 rows", "allx", "has 2;"});
}

TEST_F(PlanetoidTest, TrainingRowsMustBeTheHeadOfAll) {
  x.data[1] = 5;
  expect_bad("x", {"row 1", "allx"});
  x.data[1] = 2;
  x.indices[0] = 2;
  expect_bad("x", {"row 0"});
  x.indices[0] = 0;
  y.value = {1, 0, 1, 0};
  expect_bad("x", {"row 1", "ally"});
}

TEST_F(PlanetoidTest, BadClassesAreRefused) {
  ty.value = {0, 1, 1, 1};
  expect_bad("ty", {"row 1", "columns 0 and 1", "one class"});
  ty.value = {0, 2, 1, 0};
  expect_bad("ty", {"row 0, column 1", "got 2"});
  ty = {{4}, {0, 1, 1, 0}};
  expect_bad("ty", {"(4,)"});
  ty = {{0, 2}, {}};
  expect_bad("ty", {"(0, 2)"});
}

TEST_F(PlanetoidTest, NothingToTrainOnIsRefused) {
  y.value = {0, 0, 0, 0};
  ally.value = {0, 0, 0, 0, 1, 0, 0, 1};
  expect_bad("x", {"train on"});
}

TEST_F(PlanetoidTest, BadFeaturesAreRefused) {
  allx.data[2] = NAN;
  expect_bad("allx", {"row 2", "column 2", "nan"});
  allx.data[2] = 3;
  allx.indices[2] = 3;
  expect_bad("allx", {"column 3"});
}

TEST_F(PlanetoidTest, BadTestIndicesAreRefused) {
  const auto expect = [&](const std::string& text, const std::vector<std::string>& words) {
    index = text;
    expect_bad("test.index", words);
  };
  expect("6\n", {"1 nodes", "tx has 2"});
  expect("6\n6\n", {"node 6", "twice"});
  expect("4\n3\n", {"line 2", "node 3", "allx"});
  expect("4\nx\n", {"line 2", "'x'"});
  expect("4\n6 7\n", {"line 2", "'7'"});
  expect("-1\n4\n", {"line 1", "node -1"});
  expect("4\n2000000000\n", {"2000000000", "graph"});
  expect("4\n99999999999\n", {"line 2", "too large"});
}

TEST_F(PlanetoidTest, BadGraphsAreRefused) {
  const auto expect = [&](const std::string& body, const std::vector<std::string>& words) {
    graph = body;
    expect_bad("graph", words);
  };
  expect(pickled_graph({{0, {7}}}), {"node 7", "0..6"});
  expect(pickled_graph({{-1, {0}}}), {"node -1"});
  expect("]", {"dict"});
  expect("}(" + pickled_int(0) + "]" + pickled_int(0) + "]u", {"node 0", "twice"});
  expect("}(" + pickled_int(0) + "Nu", {"node 0", "no list"});
  expect("}(N]u", {"expected an integer"});
  expect("}(" + pickled_int(0) + "](NeK\x01]u", {"expected an integer"});
}

TEST_F(PlanetoidTest, SharedListsCannotMakeASmallFileAHugeGraph) {
  std::string many = "}(K\x01](";
  for (int k = 0; k < 100; ++k) many += std::string("K\0", 2);
  many += "eq\x01";
  for (const char node : {2, 3, 4, 5, 6}) many += std::string("K") + node + "h\x01";
  graph = many + "u";
  expect_bad("graph", {"more edges than bytes"});
}

TEST_F(PlanetoidTest, GeomMasksAreASetOfTheirOwn) {
  write_mask("toy_split_0.6_0.2_0.npz", {1, 0, 0, 1, 0, 0, 0}, {0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 1});
  write_mask("toy_split_0.6_0.2_1.npz", {0, 1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 1});
  const auto splits = read().splits.at("geom");
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].train, std::vector<std::int32_t>{0}) << "node 3 has no label";
  EXPECT_EQ(splits[0].val, std::vector<std::int32_t>{1});
  EXPECT_EQ(splits[0].test, std::vector<std::int32_t>{6});
  EXPECT_EQ(splits[1].test, (std::vector<std::int32_t>{0, 6}));
}

TEST_F(PlanetoidTest, BadMasksAreRefused) {
  const std::vector<std::uint8_t> none(7, 0), first = {1, 0, 0, 0, 0, 0, 0};
  write_mask("toy_split_0.6_0.2_1.npz", first, none, none);
  expect_input_error([&] { read(); }, {"toy_split_0.6_0.2_0.npz", "missing"});
  const auto expect = [&](const std::vector<std::uint8_t>& train, const std::vector<std::uint8_t>& val,
                          std::vector<std::string> words) {
    write_mask("toy_split_0.6_0.2_0.npz", train, val, none);
    words.emplace_back("toy_split_0.6_0.2_0.npz");
    expect_input_error([&] { read(); }, words);
  };
  expect(first, first, {"node 0", "'train'", "'val'"});
  expect(none, first, {"train on"});
  expect({1, 0}, none, {"train_mask", "(2,)", "7 nodes"});
  expect({1, 0, 3, 0, 0, 0, 0}, none, {"train_mask", "node 2", "3"});
  write_bytes(folder / "splits/toy_split_0.6_0.2_0.npz", raw_zip({}));
  expect_input_error([&] { read(); }, {"toy_split_0.6_0.2_0.npz", "'train_mask'", "missing"});
}

TEST_F(PlanetoidTest, ArchivesAreReadButForTheirMasks) {
  write();
  std::vector<RawMember> members;
  const FileTree files(folder.path());
  for (const auto& name : files.names()) {
    members.push_back({"toy/" + name, read_bytes(folder / name)});
  }
  write_bytes(folder / "toy.zip", raw_zip(members));
  ThreadPool pool(1);
  expect_same_dataset(read_planetoid(FileTree(folder / "toy.zip"), "toy", pool), read_as_is());
  members.push_back({"toy/splits/toy_split_0.6_0.2_0.npz", ""});
  write_bytes(folder / "toy.zip", raw_zip(members));
  expect_input_error([&] { read_planetoid(FileTree(folder / "toy.zip"), "toy", pool); },
                     {"toy.zip", "unpack"});
}

class PublishedPlanetoidTest : public ::testing::TestWithParam<const char*> {};

TEST_P(PublishedPlanetoidTest, OriginalFilesEqualTheNpzFile) {
  const std::string name = GetParam();
  const auto folder = shared_folder() / "datasets" / name;
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  ThreadPool pool(2);
  const Dataset found = read_planetoid(FileTree(folder), name, pool);
  expect_same_dataset(found, read_graph_npz(folder / (name + ".npz")));
}

INSTANTIATE_TEST_SUITE_P(All, PublishedPlanetoidTest, ::testing::Values("cora", "citeseer", "pubmed"),
                         [](const auto& set) { return std::string(set.param); });

}  // namespace
}  // namespace gdkm
