#include <gtest/gtest.h>

#include <set>

#include "gdkm/data/catalogue/entry.hpp"

namespace gdkm {
namespace {

TEST(Catalogue, HasEveryDataSetOfThePaperAndTheirKin) {
  for (const char* name : {"cora",
                           "citeseer",
                           "pubmed",
                           "reddit",
                           "arxiv",
                           "minesweeper",
                           "tolokers",
                           "penn94",
                           "blogcatalog",
                           "amazon-ratings",
                           "flickr",
                           "chameleon",
                           "squirrel",
                           "roman-empire",
                           "MUTAG",
                           "NCI1",
                           "NCI109",
                           "PROTEINS",
                           "Mutagenicity",
                           "chameleon-filtered",
                           "squirrel-filtered",
                           "questions",
                           "cornell5",
                           "johnshopkins55",
                           "amherst41",
                           "reed98"}) {
    EXPECT_NE(find_entry(name), nullptr) << name;
  }
}

TEST(Catalogue, NamesAreBlindToCaseAndUnderscores) {
  EXPECT_EQ(find_entry("mutag"), find_entry("MUTAG"));
  EXPECT_EQ(find_entry("Roman_Empire"), find_entry("roman-empire"));
  EXPECT_EQ(find_entry("no such thing"), nullptr);
}

TEST(Catalogue, EveryEntryIsComplete) {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " occurs twice";
    for (const std::string& text : {entry.title, entry.metric, entry.splits, entry.source, entry.licence})
      EXPECT_FALSE(text.empty()) << entry.name;
    EXPECT_GT(entry.counts.nodes, 0) << entry.name;
    EXPECT_GT(entry.counts.classes, 1) << entry.name;
    EXPECT_EQ(entry.counts.graphs > 0, entry.task == Task::graph) << entry.name;
    ASSERT_FALSE(entry.files.empty()) << entry.name;
    for (const CatalogueFile& file : entry.files) {
      EXPECT_TRUE(file.url.starts_with("http")) << file.url;
      EXPECT_EQ(file.url.find(' '), std::string::npos) << file.url;
      EXPECT_TRUE(file.sha256.empty() || file.sha256.size() == 64) << file.name;
    }
  }
}

TEST(Catalogue, FilesOfVerifiedEntriesHaveChecksums) {
  for (const CatalogueEntry& entry : catalogue()) {
    if (!entry.verified || entry.task == Task::graph) continue;  // graph sets were verified unpacked
    for (const CatalogueFile& file : entry.files)
      EXPECT_EQ(file.sha256.size(), 64u) << entry.name << "/" << file.name;
  }
  EXPECT_EQ(checksum_of("cora/ind.cora.x"), find_entry("cora")->files.front().sha256);
  EXPECT_EQ(checksum_of("cora/none"), "");
}

}  // namespace
}  // namespace gdkm
