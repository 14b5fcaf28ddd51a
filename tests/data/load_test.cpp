#include "gdkm/data/load.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include <cstdlib>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/support/edit_distance.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using testing::expect_input_error;
using testing::TemporaryFolder;

/// An environment variable for the time of a test.
class Variable {
 public:
  Variable(const char* name, const fs::path& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// Three data folders, told apart by the number of nodes of what they hold.
class CatalogueTest : public ::testing::Test {
 protected:
  CatalogueTest() : data_("GDKM_DATA", root / "variable"), cache_("XDG_CACHE_HOME", root / "cache") {}
  void put(const std::string& path, int nodes) {
    fs::create_directories((root / path).parent_path());
    write_graph_npz(generate("er:classes=2,features=2,n=" + std::to_string(nodes)), root / path);
  }
  Index nodes_of(const std::string& data) { return load(data, option).graph.nodes; }

  TemporaryFolder root;
  std::optional<fs::path> option = root / "option";

 private:
  Variable data_, cache_;
};

TEST_F(CatalogueTest, FoldersAreSearchedInOrder) {
  put("cache/gdkm/toy/toy.npz", 30);
  EXPECT_EQ(nodes_of("toy"), 30);
  put("variable/toy/toy.npz", 20);
  EXPECT_EQ(nodes_of("toy"), 20);
  put("option/toy/toy.npz", 10);
  EXPECT_EQ(nodes_of("toy"), 10);
  EXPECT_EQ(load("toy", option).name, "toy");
  EXPECT_EQ(load("toy", std::nullopt).graph.nodes, 20);
}

TEST_F(CatalogueTest, DashesMayBeUnderscoresAndFilesMayLieLoose) {
  put("option/toy-filtered/toy_filtered.npz", 11);
  put("option/loose.npz", 12);
  EXPECT_EQ(nodes_of("toy-filtered"), 11);
  EXPECT_EQ(load("toy-filtered", option).name, "toy-filtered");
  EXPECT_EQ(nodes_of("loose"), 12);
}

TEST_F(CatalogueTest, PathsOfFilesAndFoldersAreLoaded) {
  put("else/toy/toy.npz", 13);
  EXPECT_EQ(nodes_of((root / "else/toy/toy.npz").string()), 13);
  EXPECT_EQ(nodes_of((root / "else/toy").string()), 13);
  EXPECT_EQ(nodes_of((root / "else/toy/").string()), 13);
  expect_input_error([&] { nodes_of((root / "none.npz").string()); }, {"none.npz", "no such file"});
  expect_input_error([&] { nodes_of((root / "else").string()); },
                     {"else", "no known data set", "path of a file"});
  std::filesystem::create_directories(root / "rings");
  std::ofstream(root / "rings/rings_graph_indicator.txt") << "1\n1\n";
  expect_input_error([&] { nodes_of((root / "rings").string()); },
                     {"rings_graph_indicator.txt", "no rings_A.txt", "TU text format"});
}

TEST_F(CatalogueTest, AnExistingFileWinsOverAGeneratorAndAName) {
  const fs::path before = fs::current_path();
  put("option/toy/toy.npz", 10);
  put("here/toy", 21);
  put("here/csbm:n=50", 22);
  fs::current_path(root / "here");
  EXPECT_EQ(nodes_of("toy"), 21);
  EXPECT_EQ(nodes_of("csbm:n=50"), 22);
  EXPECT_EQ(nodes_of("csbm:n=60"), 60);
  fs::current_path(before);
}

TEST_F(CatalogueTest, WhatIsNotFoundIsExplained) {
  put("option/cora/cora.npz", 10);
  put("option/citeseer/citeseer.npz", 10);
  expect_input_error([&] { nodes_of("corra"); },
                     {"'corra'", option->string(), (root / "variable").string() + " (does not exist)",
                      (root / "cache/gdkm").string(), "did you mean 'cora'?", "data_dir", "GDKM_DATA"});
  expect_input_error([&] { nodes_of("Cite"); }, {"'Cite'", "searched"});
  expect_input_error([&] { nodes_of("minesweeper"); },
                     {"did you mean the generator 'minesweeper:'", "gdkm data fetch minesweeper"});
  expect_input_error([&] { nodes_of("unheard:n=3"); }, {"unknown generator", "'unheard'", "csbm"});
  expect_input_error([&] { nodes_of(""); }, {"no data set is given"});
}

TEST_F(CatalogueTest, ListingNamesWhatCanBeLoaded) {
  put("option/b/b.npz", 10);
  put("variable/a-b/a_b.npz", 11);
  put("variable/b/b.npz", 12);
  fs::create_directories(root / "option/broken");
  testing::write_bytes(root / "option/broken/broken.npz", "no archive");
  fs::create_directories(root / "option/empty");
  const auto found = list_datasets(option);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "a-b");
  EXPECT_EQ(found[0].found.path, root / "variable/a-b/a_b.npz");
  EXPECT_EQ(found[1].name, "b");
  EXPECT_EQ(found[1].found.path, root / "option/b/b.npz");
}

TEST(EditDistanceTest, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("Cora", "cora"), 0u);
}

}  // namespace
}  // namespace gdkm
