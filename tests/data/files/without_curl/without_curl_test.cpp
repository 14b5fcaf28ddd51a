// A program of its own: it has http_get_without_curl.cpp, whose functions then take the place of the
// library's.
#include <gtest/gtest.h>

#include "gdkm/data/catalogue/fetch.hpp"
#include "gdkm/data/files/http_get.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using testing::expect_input_error;

constexpr const char* address = "http://127.0.0.1:1/file";

TEST(WithoutCurl, SaysThatItCannotDownload) {
  EXPECT_FALSE(can_download());
}

TEST(WithoutCurl, ADownloadIsRefusedWithARemedyAndLeavesNothing) {
  const testing::TemporaryFolder folder;
  expect_input_error([&] { download(address, folder / "file", ""); }, {"libcurl", "gdkm.fetch", address});
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(WithoutCurl, AFileThatIsThereNeedsNoDownload) {
  const testing::TemporaryFolder folder;
  testing::write_bytes(folder / "file", "abc");
  EXPECT_EQ(download(address, folder / "file", ""), Downloaded::before);
}

TEST(WithoutCurl, FetchingListsTheAddressAndPlaceOfEachMissingFile) {
  const testing::TemporaryFolder folder;
  CatalogueEntry entry;
  entry.name = "pair";
  for (const std::string name : {"one", "two"})
    entry.files.push_back({name, "http://127.0.0.1:1/" + name, "", false});
  try {
    fetch(entry, folder.path(), {});
    FAIL() << "nothing was refused";
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const std::string& part :
         {std::string("libcurl"), entry.files[0].url, (folder / "pair/one").string(), entry.files[1].url,
          (folder / "pair/two").string()})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace gdkm
