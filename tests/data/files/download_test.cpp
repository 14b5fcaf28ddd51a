#include "gdkm/data/files/download.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>

#include "gdkm/data/files/sha256.hpp"
#include "gdkm/support/version.hpp"
#include "http_server.hpp"
#include "raw_npz.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using testing::expect_input_error;
using testing::file_answer;
using testing::HttpAnswer;
using testing::HttpRequest;
using testing::HttpServer;
using testing::read_bytes;

std::string some_bytes(std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t k = 0; k < size; ++k) out[k] = static_cast<char>(k * 2654435761u >> 11);
  return out;
}

class DownloadTest : public ::testing::Test {
 protected:
  DownloadTest() {
    testing::bypass_proxies();
    options_.pause_seconds = 0.001;
  }

  Downloaded get(const HttpServer& server, const std::string& sha256) {
    return download(server.url("/file"), target_, sha256, options_);
  }
  /// Neither the file nor anything beside it.
  void expect_nothing_left() const { EXPECT_TRUE(fs::is_empty(folder_.path())); }
  void expect_whole() const {
    EXPECT_TRUE(read_bytes(target_) == bytes_);
    EXPECT_FALSE(fs::exists(part_));
  }

  const testing::TemporaryFolder folder_;
  const fs::path target_ = folder_ / "file", part_ = folder_ / "file.part";
  const std::string bytes_ = some_bytes(300000), right_ = sha256_of(bytes_), wrong_ = sha256_of("other");
  DownloadOptions options_;
  const HttpServer::Handler good_ = [this](const HttpRequest& r) { return file_answer(r, bytes_); };
};

TEST_F(DownloadTest, FetchesAFileAndTellsHowFarItIs) {
  const HttpServer server(good_);
  std::int64_t last = 0, total = 0;
  options_.progress = [&](std::int64_t done, std::int64_t of) {
    EXPECT_GT(done, last);
    last = done;
    total = of;
  };
  EXPECT_EQ(get(server, right_), Downloaded::now);
  expect_whole();
  EXPECT_EQ(last, 300000);
  EXPECT_EQ(total, 300000);
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(server.requests()[0].header("user-agent"), "gdkm/" + std::string(version));
}

TEST_F(DownloadTest, GoesOnWhereTheConnectionWasCut) {
  const HttpServer server([&, calls = 0](const HttpRequest& request) mutable {
    HttpAnswer answer = file_answer(request, bytes_);
    if (++calls <= 2) answer.cut_after = 100000;
    return answer;
  });
  EXPECT_EQ(get(server, right_), Downloaded::now);
  expect_whole();
  const auto asked = server.requests();
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_EQ(asked[0].header("range"), "");
  EXPECT_EQ(asked[1].header("range"), "bytes=100000-");
  EXPECT_EQ(asked[2].header("range"), "bytes=200000-");
}

TEST_F(DownloadTest, GivesUpAfterSomeCutsAndGoesOnInALaterCall) {
  options_.attempts = 2;
  {
    const HttpServer server([&](const HttpRequest& request) {
      HttpAnswer answer = file_answer(request, bytes_);
      answer.cut_after = 50000;
      return answer;
    });
    expect_input_error([&] { get(server, ""); },
                       {"cut 2 times", "97.7 KiB of 293.0 KiB", "file.part", "run the command again"});
    EXPECT_EQ(server.requests().size(), 2u);
  }
  EXPECT_FALSE(fs::exists(target_));
  EXPECT_TRUE(read_bytes(part_) == bytes_.substr(0, 100000));
  const HttpServer server(good_);
  EXPECT_EQ(get(server, ""), Downloaded::now);
  EXPECT_EQ(server.requests()[0].header("range"), "bytes=100000-");
  EXPECT_EQ(server.requests()[0].header("if-range"), "Tue, 05 Mar 2024 07:08:09 GMT");
  expect_whole();
}

TEST_F(DownloadTest, StartsOverWhereTheRestIsNotToBeHad) {
  for (const std::string how : {"ignores ranges", "refuses ranges", "sends another range"}) {
    SCOPED_TRACE(how);
    fs::remove(target_);
    testing::write_bytes(part_, "what an earlier call left");
    const HttpServer server([&](const HttpRequest& request) {
      if (how == "ignores ranges" || request.header("range").empty()) return HttpAnswer{.body = bytes_};
      if (how == "refuses ranges") return HttpAnswer{.status = 416};
      return HttpAnswer{.status = 206, .headers = {"Content-Range: bytes 7-8/300000"}, .body = "ab"};
    });
    EXPECT_EQ(get(server, right_), Downloaded::now);
    expect_whole();
    EXPECT_EQ(server.requests()[0].header("range"), "bytes=25-");
  }
}

TEST_F(DownloadTest, APartOfAnotherVersionIsNotMixedIn) {
  const HttpServer server(good_);
  testing::write_bytes(part_, "another version");
  EXPECT_EQ(get(server, right_), Downloaded::now);  // the checksum tells
  expect_whole();
  EXPECT_EQ(server.requests().size(), 2u);
  fs::remove(target_);
  testing::write_bytes(part_, "another version");
  EXPECT_EQ(get(server, ""), Downloaded::now);  // the server tells
  expect_whole();
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST_F(DownloadTest, AWholePartOnlyNeedsItsName) {
  const HttpServer server(good_);
  testing::write_bytes(part_, bytes_);
  EXPECT_EQ(get(server, right_), Downloaded::now);
  expect_whole();
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(DownloadTest, AWrongChecksumLeavesNothing) {
  const HttpServer server(good_);
  expect_input_error([&] { get(server, wrong_); }, {server.url("/file"), right_, wrong_});
  expect_nothing_left();
}

TEST_F(DownloadTest, LeavesAloneWhatIsThereAndRight) {
  const HttpServer server(good_);
  testing::write_bytes(target_, bytes_);
  EXPECT_EQ(get(server, right_), Downloaded::before);
  EXPECT_EQ(get(server, ""), Downloaded::before);
  EXPECT_EQ(server.requests().size(), 0u);
}

TEST_F(DownloadTest, ReplacesWhatIsWrongOnlyWhenForced) {
  const HttpServer server(good_);
  testing::write_bytes(target_, "mine");
  expect_input_error([&] { get(server, right_); }, {"file", sha256_of("mine"), right_, "force"});
  EXPECT_EQ(read_bytes(target_), "mine");
  EXPECT_EQ(server.requests().size(), 0u);
  options_.force = true;
  EXPECT_EQ(get(server, right_), Downloaded::now);
  expect_whole();
  EXPECT_EQ(get(server, right_), Downloaded::before);
}

TEST_F(DownloadTest, FollowsRedirectsButNotForEver) {
  const HttpServer server([&](const HttpRequest& request) {
    if (request.path == "/moved") return file_answer(request, bytes_);
    const std::string to = request.path == "/file"    ? "/moved"
                           : request.path == "/local" ? "file:///etc/passwd"
                                                      : "/loop";
    return HttpAnswer{.status = 302, .headers = {"Location: " + to}, .body = "moved"};
  });
  EXPECT_EQ(get(server, right_), Downloaded::now);
  expect_whole();
  fs::remove(target_);
  options_.redirects = 4;
  expect_input_error([&] { download(server.url("/loop"), target_, "", options_); }, {"/loop", "redirects"});
  EXPECT_EQ(server.requests().size(), 2u + 5u);
  expect_input_error([&] { download(server.url("/local"), target_, "", options_); }, {"/local", "file"});
  expect_input_error([&] { download("file:///etc/passwd", target_, "", options_); }, {"file:///etc/passwd"});
  expect_nothing_left();
}

TEST_F(DownloadTest, NamesAddressAndStatusOfARefusal) {
  for (const int status : {403, 404, 204, 501}) {
    const HttpServer server([&](const HttpRequest&) { return HttpAnswer{.status = status, .body = "page"}; });
    expect_input_error([&] { get(server, ""); },
                       {server.url("/file"), std::to_string(status), target_.string()});
    EXPECT_EQ(server.requests().size(), 1u);
    expect_nothing_left();
  }
}

TEST_F(DownloadTest, TriesABusyServerAgain) {
  const HttpServer busy([&, calls = 0](const HttpRequest& request) mutable {
    return ++calls < 3 ? HttpAnswer{.status = 503} : file_answer(request, bytes_);
  });
  EXPECT_EQ(get(busy, right_), Downloaded::now);
  expect_whole();
  fs::remove(target_);
  const HttpServer broken([](const HttpRequest&) { return HttpAnswer{.status = 500}; });
  expect_input_error([&] { get(broken, right_); }, {broken.url("/file"), "500", "later"});
  EXPECT_EQ(broken.requests().size(), 5u);
  expect_nothing_left();
}

TEST_F(DownloadTest, SaysSoWithoutAServer) {
  try {
    download(testing::dead_url("/file"), target_, right_, options_);
    ADD_FAILURE() << "no error";
  } catch (const OfflineError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot connect"), std::string::npos) << error.what();
    EXPECT_NE(error.trouble().find("/file"), std::string::npos) << error.what();
  }
  expect_nothing_left();
}

TEST_F(DownloadTest, RefusesWhatIsTooLargeOrNeverEnds) {
  options_.most_bytes = 1 << 20;
  const HttpServer endless([&](const HttpRequest&) { return HttpAnswer{.body = bytes_, .endless = true}; });
  expect_input_error([&] { get(endless, right_); }, {endless.url("/file"), "1.0 MiB"});
  options_.most_bytes = 1000;
  const HttpServer large(good_);
  expect_input_error([&] { get(large, right_); }, {large.url("/file"), "1000 bytes"});
  expect_nothing_left();
}

TEST_F(DownloadTest, AStalledConnectionCountsAsCut) {
  options_.stalled_seconds = 0.5;
  const HttpServer server([&, calls = 0](const HttpRequest& request) mutable {
    HttpAnswer answer = file_answer(request, bytes_);
    answer.stalls = ++calls == 1;
    if (answer.stalls) answer.cut_after = 1000;
    return answer;
  });
  EXPECT_EQ(get(server, right_), Downloaded::now);
  expect_whole();
  EXPECT_EQ(server.requests().back().header("range"), "bytes=1000-");
}

TEST_F(DownloadTest, StopsWhenInterruptedAndKeepsWhatHasCome) {
  const HttpServer server([&](const HttpRequest& request) {
    HttpAnswer answer = file_answer(request, bytes_);
    answer.stalls = true;
    answer.cut_after = 70000;
    return answer;
  });
  std::int64_t had = 0;
  options_.progress = [&](std::int64_t done, std::int64_t) { had = done; };
  options_.interrupted = [&] { return had == 70000; };
  const auto start = std::chrono::steady_clock::now();
  try {
    get(server, right_);
    ADD_FAILURE() << "it was not interrupted";
  } catch (const DownloadInterrupted& stop) {
    EXPECT_NE(std::string(stop.what()).find("68.4 KiB of 293.0 KiB"), std::string::npos) << stop.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_TRUE(read_bytes(part_) == bytes_.substr(0, 70000));
}

/// Writing beyond the limit fails as it does on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit lower{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &lower);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit old_{};
  void (*handler_)(int);
};

TEST_F(DownloadTest, SaysHowMuchSpaceIsMissing) {
  const HttpServer server(good_);
  {
    const FileSizeLimit limit(102400);
    expect_input_error([&] { get(server, right_); },
                       {"file.part", "File too large", "193.0 KiB more", "100.0 KiB are kept"});
  }
  EXPECT_FALSE(fs::exists(target_));
  EXPECT_TRUE(read_bytes(part_) == bytes_.substr(0, 102400));
  EXPECT_EQ(get(server, right_), Downloaded::now);
  EXPECT_EQ(server.requests().back().header("range"), "bytes=102400-");
  expect_whole();
}

TEST_F(DownloadTest, KeepsNoPartThatCannotGoOn) {
  const HttpServer server([&](const HttpRequest&) { return HttpAnswer{.body = bytes_}; });
  {
    const FileSizeLimit limit(102400);
    expect_input_error([&] { get(server, right_); }, {"file.part", "File too large", "293.0 KiB more"});
  }
  expect_nothing_left();
}

TEST_F(DownloadTest, TwoProcessesDoNotWriteTheSamePart) {
  const HttpServer server(good_);
  testing::write_bytes(part_, bytes_.substr(0, 1000));
  const int other = ::open(part_.c_str(), O_RDWR | O_CLOEXEC);  // a lock of its own, as another process has
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  expect_input_error([&] { get(server, right_); }, {"file.part", "another process"});
  EXPECT_EQ(server.requests().size(), 0u);
  EXPECT_EQ(fs::file_size(part_), 1000u);
  ::close(other);
  EXPECT_EQ(get(server, right_), Downloaded::now);
  expect_whole();
}

TEST_F(DownloadTest, PlacesThatCannotBeWrittenAreNamed) {
  const HttpServer server(good_);
  fs::create_directory(target_);
  expect_input_error([&] { get(server, right_); }, {target_.string(), "folder"});
  fs::remove(target_);
  expect_input_error([&] { download(server.url("/file"), folder_ / "none/file", right_, options_); },
                     {"none/file.part", "No such file"});
  EXPECT_EQ(server.requests().size(), 0u);
}

TEST(SizeTextTest, IsForPeople) {
  EXPECT_EQ(size_text(0), "0 bytes");
  EXPECT_EQ(size_text(1023), "1023 bytes");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(std::int64_t{5} << 30), "5.0 GiB");
}

}  // namespace
}  // namespace gdkm
