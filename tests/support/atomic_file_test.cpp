#include "gdkm/support/atomic_file.hpp"

#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using testing::expect_input_error;
using testing::TemporaryFolder;

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(AtomicFileTest, ReplacesAFileAndLeavesNoNeighbour) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "one");
  write_file_atomically(folder / "a", std::string_view("two\0three", 9));
  EXPECT_EQ(testing::read_bytes(folder / "a"), std::string("two\0three", 9));
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFileTest, KeepsPermissionsAndLinks) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "one");
  fs::permissions(folder / "a", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a", folder / "link");
  write_file_atomically(folder / "link", "two");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(testing::read_bytes(folder / "a"), "two");
  EXPECT_EQ(fs::status(folder / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(AtomicFileTest, WritesToDevicesDirectly) {
  write_file_atomically("/dev/null", "nothing");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(AtomicFileTest, FailuresSayWhereWhyAndWhatToDo) {
  const TemporaryFolder folder;
  expect_input_error([&] { write_file_atomically(folder / "none/a", "x"); },
                     {"none/a", "No such file", "folder"});
  expect_input_error([&] { write_file_atomically(folder.path(), "x"); }, {"irectory", "name a file"});
  EXPECT_EQ(files_in(folder.path()), 0);
}

}  // namespace
}  // namespace gdkm
