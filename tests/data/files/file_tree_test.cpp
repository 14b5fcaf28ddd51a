#include "gdkm/data/files/file_tree.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::raw_zip;
using testing::TemporaryFolder;
using testing::write_bytes;

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() / 2 + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(FileTree, ReadsAFolderAndAnArchiveAlike) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "tree/raw");
  write_bytes(folder / "tree/a.txt", "one");
  write_bytes(folder / "tree/raw/b.txt.gz", gzip("two"));
  write_bytes(folder / "tree.zip", raw_zip({{"tree/a.txt", "one"}, {"tree/raw/b.txt.gz", gzip("two")}}));
  for (const char* path : {"tree", "tree.zip"}) {
    const FileTree files(folder / path);
    EXPECT_EQ(files.read_required("a.txt").bytes, "one") << path;
    EXPECT_EQ(files.read_required("raw/b.txt.gz").bytes, "two") << path;
    EXPECT_FALSE(files.find("txt")) << "a name is matched whole";
    expect_input_error([&] { files.read_required("c.txt"); }, {path, "c.txt", "missing"});
  }
}

TEST(FileTree, ReadsFilesInMemoryAlike) {
  const FileTree files("tree", {{"raw/b.txt.gz", gzip("two")}, {"a.txt", "one"}});
  EXPECT_EQ(files.names(), (std::vector<std::string>{"a.txt", "raw/b.txt.gz"}));
  EXPECT_EQ(files.read_required("a.txt").bytes, "one");
  EXPECT_EQ(files.read_required("b.txt.gz").bytes, "two");
  EXPECT_TRUE(files.is_archive()) << "no path leads to the files";
  expect_input_error([&] { files.read("c.txt"); }, {"tree/c.txt", "no such file"});
  expect_input_error([&] { files.read_required("c.txt"); }, {"tree/c.txt", "missing"});
}

TEST(FileTree, PassesOverNamesThatWouldBreakAMessage) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.zip", raw_zip({{"b.txt", "good"}, {"x\ny/b.txt", "odd"}, {"c\r.txt", "odd"}}));
  EXPECT_EQ(FileTree(folder / "a.zip").names(), std::vector<std::string>{"b.txt"});
  EXPECT_TRUE(FileTree("tree", {{"c\n.txt", ""}}).names().empty());
}

TEST(FileTree, PrefersTheFileThatLiesLeastDeep) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "x/y");
  write_bytes(folder / "x/y/a.txt", "deep");
  write_bytes(folder / "x/a.txt", "near");
  EXPECT_EQ(FileTree(folder.path()).read_required("a.txt").bytes, "near");
}

TEST(FileTree, RefusesWhatIsNoArchiveOrDamaged) {
  const TemporaryFolder folder;
  write_bytes(folder / "bad.zip", "nothing of the kind");
  expect_input_error([&] { FileTree(folder / "bad.zip"); }, {"bad.zip", "not a zip archive"});
  expect_input_error([&] { FileTree(folder / "none.zip"); }, {"none.zip", "no such file"});
  std::string zip = raw_zip({{"a.txt", "some text"}});
  zip[zip.find("some")] = 'S';
  write_bytes(folder / "damaged.zip", zip);
  expect_input_error([&] { FileTree(folder / "damaged.zip").read("a.txt"); }, {"a.txt", "damaged"});
}

TEST(Gunzip, JoinsMembersAndRefusesDamage) {
  EXPECT_EQ(gunzip("f.gz", gzip("ab") + gzip("cd")), "abcd");
  const std::string whole = gzip(std::string(5000, 'x'));
  expect_input_error([&] { gunzip("f.gz", whole.substr(0, whole.size() - 9)); }, {"f.gz", "cut short"});
  std::string bad = whole;
  bad[12] = static_cast<char>(bad[12] ^ 0x55);
  expect_input_error([&] { gunzip("f.gz", bad); }, {"f.gz", "fetch"});
}

TEST(Gunzip, RefusesWhatGrowsBeyondAllMeasure) {
  const std::string bomb = gzip(std::string(std::size_t{80} << 20, '\0'));
  expect_input_error([&] { gunzip("bomb.gz", bomb); }, {"bomb.gz", "64 MiB", "damaged"});
}

}  // namespace
}  // namespace gdkm
