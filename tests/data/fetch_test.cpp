#include "gdkm/data/catalogue/fetch.hpp"

#include <gtest/gtest.h>
#include <zip.h>

#include <map>

#include "gdkm/data/files/sha256.hpp"
#include "tests/data/files/http_server.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using testing::expect_input_error;
using testing::HttpAnswer;
using testing::HttpRequest;
using testing::HttpServer;
using testing::read_bytes;

class FetchTest : public ::testing::Test {
 protected:
  FetchTest() {
    testing::bypass_proxies();
    options_.download.pause_seconds = 0.001;
    entry_.name = "toy";
    entry_.title = "Toy";
  }

  /// A file of the entry that the server has.
  void publish(const std::string& name, const std::string& bytes, bool checked = true, bool unpack = false) {
    served_["/" + name] = bytes;
    entry_.files.push_back({name, server_.url("/" + name), checked ? sha256_of(bytes) : "", unpack});
  }
  FetchSummary get() { return fetch(entry_, folder_ / "data", options_); }
  fs::path at(const std::string& name) const { return folder_ / "data" / "toy" / name; }

  const testing::TemporaryFolder folder_;
  std::map<std::string, std::string> served_;
  const HttpServer server_{[this](const HttpRequest& request) {
    const auto found = served_.find(request.path);
    return found == served_.end() ? HttpAnswer{.status = 404} : testing::file_answer(request, found->second);
  }};
  CatalogueEntry entry_;
  FetchOptions options_;
};

TEST_F(FetchTest, FetchesAllFilesOnceAndTellsHowFarItIs) {
  publish("a.txt", "first");
  publish("splits/b.txt", "second", false);
  std::vector<std::string> shown;
  options_.progress = [&](const FetchProgress& now) {
    if (now.done == now.total)
      shown.push_back(std::to_string(now.number) + "/" + std::to_string(now.files) + " " + now.file);
  };
  const FetchSummary first = get();
  EXPECT_EQ(first.fetched, (std::vector<fs::path>{at("a.txt"), at("splits/b.txt")}));
  EXPECT_TRUE(first.already_there.empty());
  EXPECT_EQ(read_bytes(at("a.txt")), "first");
  EXPECT_EQ(read_bytes(at("splits/b.txt")), "second");
  EXPECT_EQ(shown, (std::vector<std::string>{"1/2 a.txt", "2/2 splits/b.txt"}));
  const FetchSummary second = get();
  EXPECT_TRUE(second.fetched.empty());
  EXPECT_EQ(second.already_there.size(), 2u);
  EXPECT_EQ(server_.requests().size(), 2u);
  fs::remove(at("a.txt"));
  EXPECT_EQ(get().fetched, std::vector<fs::path>{at("a.txt")});
}

TEST_F(FetchTest, AMirrorHasEntryAndFileInItsPath) {
  entry_.files = {{"some file%.txt", "http://publisher.invalid/elsewhere", "", false}};
  served_["/mirror/toy/some%20file%25.txt"] = "mirrored";
  options_.base_url = server_.url("/mirror/");
  get();
  EXPECT_EQ(read_bytes(at("some file%.txt")), "mirrored");
  options_.base_url = "mirror.org";
  expect_input_error([&] { get(); }, {"base_url = mirror.org", "http://"});
}

TEST_F(FetchTest, WithoutConnectionItSaysWhichFilesToPutWhere) {
  publish("here.txt", "here");
  get();
  entry_.files.push_back({"x.txt", testing::dead_url("/far/x.txt"), "", false});
  entry_.files.push_back({"raw/y.zip", "http://publisher.invalid/y.zip", "", true});
  try {
    get();
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    const std::string message = error.what(), first = message.substr(0, message.find('\n'));
    EXPECT_NE(first.find("cannot connect"), std::string::npos) << message;
    EXPECT_NE(first.find("toy"), std::string::npos) << message;
    for (const std::string& word : {entry_.files[1].url + "\n    -> " + at("x.txt").string(),
                                    entry_.files[2].url + "\n    -> " + at("raw/y.zip").string()}) {
      EXPECT_NE(message.find(word), std::string::npos) << word << " not in: " << message;
    }
    EXPECT_EQ(message.find("here.txt"), std::string::npos) << message;
  }
  EXPECT_FALSE(fs::exists(at("raw")));
}

TEST_F(FetchTest, AFailureLeavesNoEmptyFolders) {
  entry_.files = {{"splits/a.txt", server_.url("/none"), "", false}};
  expect_input_error([&] { get(); }, {"/none", "404"});
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(FetchTest, UnpacksAnArchiveAndFetchesItOnlyOnce) {
  publish("toy.zip", testing::raw_zip({{"a.npz", "numbers"}, {"sub/", ""}, {"sub/b.npz", "more"}}), true,
          true);
  EXPECT_EQ(get().fetched, std::vector<fs::path>{at("toy.zip")});
  EXPECT_EQ(read_bytes(at("a.npz")), "numbers");
  EXPECT_EQ(read_bytes(at("sub/b.npz")), "more");
  EXPECT_FALSE(fs::exists(at("toy.zip")));
  EXPECT_FALSE(fs::exists(at("toy.zip.unpacking")));
  EXPECT_EQ(get().already_there, std::vector<fs::path>{at("toy.zip")});
  EXPECT_EQ(server_.requests().size(), 1u);
  fs::remove(at("sub/b.npz"));  // something of it is missing
  EXPECT_FALSE(plan_fetch(entry_, folder_ / "data", "")[0].there);
  get();
  EXPECT_EQ(read_bytes(at("sub/b.npz")), "more");
}

TEST_F(FetchTest, UnpacksAnArchiveThatWasPutThereByHand) {
  publish("toy.zip", testing::raw_zip({{"a.npz", "numbers"}}), true, true);
  fs::create_directories(at(""));
  testing::write_bytes(at("toy.zip"), served_["/toy.zip"]);
  EXPECT_EQ(get().already_there, std::vector<fs::path>{at("toy.zip")});
  EXPECT_EQ(read_bytes(at("a.npz")), "numbers");
  EXPECT_EQ(server_.requests().size(), 0u);
}

TEST_F(FetchTest, RefusesArchivesThatReachOutOfTheirFolder) {
  for (const std::string name : {"../evil", "/tmp/gdkm-evil", "sub/../../evil", "sub\\..\\evil", "./evil",
                                 "..", "bad.zip", "e\nvil"}) {
    SCOPED_TRACE(name);
    entry_.files.clear();
    publish("bad.zip", testing::raw_zip({{"good", "x"}, {name, "evil"}}), true, true);
    try {
      get();
      ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
    EXPECT_FALSE(fs::exists(at("good")));
    EXPECT_FALSE(fs::exists(folder_ / "data" / "evil"));
    EXPECT_FALSE(fs::exists("/tmp/gdkm-evil"));
    EXPECT_FALSE(fs::exists(at("bad.zip.unpacked")));
    fs::remove_all(folder_ / "data");
  }
}

TEST_F(FetchTest, RefusesDamagedArchivesAndLeavesNothingOfThem) {
  const auto expect_refused = [&](const std::string& bytes, const std::vector<std::string>& words) {
    entry_.files.clear();
    publish("bad.zip", bytes, false, true);
    options_.download.force = true;
    expect_input_error([&] { get(); }, words);
    std::vector<std::string> left;
    for (const auto& found : fs::recursive_directory_iterator(at("")))
      left.push_back(found.path().filename());
    EXPECT_EQ(left, std::vector<std::string>{"bad.zip"});
  };
  expect_refused("<html>", {"bad.zip", "not a zip", "force"});
  std::string damaged = testing::raw_zip({{"good", "x"}, {"member", "some bytes"}});
  damaged[damaged.find("some bytes")] = '?';
  expect_refused(damaged, {"bad.zip", "'member' cannot be unpacked"});
  expect_refused(testing::raw_zip({{"twice", "a"}, {"twice", "b"}}), {"bad.zip", "two members 'twice'"});
  expect_refused(testing::raw_zip({{"a", "file"}, {"a/b", "in it"}}), {"bad.zip", "cannot be unpacked"});
}

TEST_F(FetchTest, RefusesAnArchiveThatUnpacksToTooMuch) {
  const fs::path bomb = folder_ / "bomb.zip";
  const std::string zeros(70 << 20, '\0');
  zip_t* archive = zip_open(bomb.c_str(), ZIP_CREATE, nullptr);
  zip_file_add(archive, "zeros", zip_source_buffer(archive, zeros.data(), zeros.size(), 0), 0);
  ASSERT_EQ(zip_close(archive), 0);
  publish("bomb.zip", read_bytes(bomb), true, true);
  expect_input_error([&] { get(); }, {"bomb.zip", "'zeros' is too large"});
  EXPECT_FALSE(fs::exists(at("zeros")));
  EXPECT_FALSE(fs::exists(at("bomb.zip.unpacking")));
}

}  // namespace
}  // namespace gdkm
