#include "gdkm/data/catalogue/entry.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/data/files/http_server.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {
namespace {

namespace fs = std::filesystem;

const std::string file = "minesweeper/minesweeper.npz";  // an entry of one file whose checksum is known

class Fetch : public Program {
 protected:
  Fetch() { bypass_proxies(); }
  std::vector<std::string> fetch(const std::string& base, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> out{"data", "fetch", "minesweeper", "--data-dir", "sets", "--base-url", base};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
};

/// An entry whose only file may be anything.
const CatalogueEntry* unchecked_entry() {
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.files.size() == 1 && entry.files[0].sha256.empty() && !entry.files[0].unpack) return &entry;
  }
  return nullptr;
}

TEST_F(Fetch, DownloadsAndSaysWhatToDoNext) {
  const CatalogueEntry* entry = unchecked_entry();
  if (entry == nullptr) GTEST_SKIP() << "every entry of the catalogue has a checksum";
  const HttpServer server([](const HttpRequest& request) { return file_answer(request, "the file"); });
  const std::vector<std::string> command{"data",           "fetch",      entry->name, "--base-url",
                                         server.url("/m"), "--data-dir", "sets"};
  const Outcome first = done(command);
  EXPECT_EQ(read("sets/" + entry->name + "/" + entry->files[0].name), "the file");
  EXPECT_NE(first.out.find("1 file fetched"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("gdkm data info " + entry->name + " --data-dir "), std::string::npos) << first.out;
  EXPECT_NE(first.err.find("1/1 " + entry->files[0].name), std::string::npos) << first.err;
  EXPECT_NE(done(command).out.find("0 files fetched, 1 already here"), std::string::npos);
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(server.requests()[0].path, "/m/" + entry->name + "/" + entry->files[0].name);
  // Without --data-dir the first of the usual folders is used.
  RunOptions options;
  options.environment["GDKM_DATA"] = "elsewhere";
  const Outcome quiet =
      done({"data", "fetch", entry->name, "--base-url", server.url("/m"), "--quiet"}, options);
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_EQ(read("elsewhere/" + entry->name + "/" + entry->files[0].name), "the file");
}

TEST_F(Fetch, DryRunOnlyPrints) {
  const Outcome plan = done(fetch("http://mirror.invalid/m", {"--dry-run"}));
  EXPECT_NE(plan.out.find("http://mirror.invalid/m/" + file + " -> sets/" + file), std::string::npos)
      << plan.out;
  EXPECT_NE(plan.out.find("1 file to fetch"), std::string::npos) << plan.out;
  EXPECT_TRUE(files().empty());
}

TEST_F(Fetch, AWrongChecksumIsRefused) {
  const HttpServer server([](const HttpRequest& request) { return file_answer(request, "not mines"); });
  refused(fetch(server.url(""), {"--quiet"}), {server.url("/" + file), "SHA-256", "expected"});
  fs::create_directories(folder_ / "sets/minesweeper");
  write_bytes(folder_ / ("sets/" + file), "my own");
  refused(fetch(server.url(""), {"--quiet"}), {file, "SHA-256", "--force"});
  EXPECT_EQ(read("sets/" + file), "my own");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(Fetch, BadUsageIsRefused) {
  refused({"data", "fetch", "minesweper"}, {"'minesweper'", "did you mean 'minesweeper'?", "gdkm data list"});
  refused(fetch("ftp://mirror.org"), {"--base-url ftp://mirror.org", "http://"});
  const HttpServer server([](const HttpRequest&) { return HttpAnswer{.status = 404}; });
  refused(fetch(server.url("")), {server.url("/" + file), "404"});
}

TEST_F(Fetch, OfflineItListsWhatToPutWhere) {
  const std::string base = dead_url("");
  const Outcome outcome = gdkm(fetch(base));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find(base + "/" + file + "\n    -> sets/" + file), std::string::npos) << outcome.err;
  EXPECT_TRUE(files().empty());
}

TEST_F(Fetch, CtrlCKeepsWhatHasCome) {
  const HttpServer server([](const HttpRequest& request) {
    HttpAnswer answer = file_answer(request, std::string(50000, 'x'));
    answer.cut_after = 20000;
    answer.stalls = true;
    return answer;
  });
  RunOptions options;
  options.interrupt_after = 0.3;
  const Outcome outcome = gdkm(fetch(server.url(""), {"--quiet"}), options);
  EXPECT_EQ(outcome.status, 130);
  EXPECT_NE(outcome.err.find("19.5 KiB of 48.8 KiB"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.error_lines(), 1) << outcome.err;
  EXPECT_EQ(fs::file_size(folder_ / ("sets/" + file + ".part")), 20000u);
}

TEST_F(Fetch, NoSpaceLeftSaysWhereAndHowMuch) {
  const HttpServer server(
      [](const HttpRequest& request) { return file_answer(request, std::string(100000, 'x')); });
  std::string command = "trap '' XFSZ; ulimit -f 1; exec " GDKM_BINARY;  // a block is 512 or 1024 bytes
  for (const auto& word : fetch(server.url(""), {"--quiet"})) command += " " + word;
  const Outcome outcome = run_program({"/bin/sh", "-c", command}, folder_.path());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1) << outcome.err;
  for (const char* word : {"minesweeper.npz.part", "more needed", "--data-dir", "kept"}) {
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " not in: " << outcome.err;
  }
  EXPECT_FALSE(fs::exists(folder_ / ("sets/" + file)));
}

}  // namespace
}  // namespace gdkm::testing
