#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/places.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

/// Runs the program in a folder of its own.
class DemoCommand : public testing::Test {
 protected:
  struct Outcome {
    int status = 0;
    std::string output;
  };

  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome run(const std::string& before, const std::string& arguments) const {
    const std::string command =
        "cd '" + folder_.string() + "' && " + before + " '" GDKM_BINARY "' demo " + arguments;
    Outcome out;
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
      out.output.append(buffer.data(), got);
    }
    out.status = WEXITSTATUS(pclose(pipe));
    return out;
  }

  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }

  fs::path folder_ = fs::temp_directory_path() / ("gdkm-demo-" + std::to_string(getpid()));
};

TEST_F(DemoCommand, ReportHoldsTheNumbersThatAreShown) {
  const Outcome demo = run("", "--quick --quiet --json numbers.json");
  EXPECT_EQ(demo.status, 0);
  const std::string page = read("demo-report.html");
  const std::regex number("[0-9.]+ ± [0-9.]+");
  int found = 0;
  for (std::sregex_iterator at(demo.output.begin(), demo.output.end(), number), end; at != end;
       ++at, ++found) {
    EXPECT_NE(page.find(at->str()), std::string::npos) << at->str();
  }
  EXPECT_GT(found, 10);
  EXPECT_EQ(read("numbers.json").rfind("{", 0), 0u);
}

TEST_F(DemoCommand, InterruptionEndsInOneLineAndLeavesNoFile) {
  // --foreground: one signal, not one to the program and one to its group; a second would end it at once. A
  // busy machine under the sanitizers takes a second to start.
  const Outcome demo = run("timeout --foreground --preserve-status -s INT 2.5", "--quiet 2>&1");
  EXPECT_EQ(demo.status, 130);
  EXPECT_NE(demo.output.find("stopped"), std::string::npos) << demo.output;
  EXPECT_EQ(std::count(demo.output.begin(), demo.output.end(), '\n'), 1) << demo.output;
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(DemoCommand, BadOutputIsRefusedAtOnce) {
  const Outcome demo = run("", "--output nowhere/report.html 2>&1");
  EXPECT_EQ(demo.status, 2);
  EXPECT_NE(demo.output.find("nowhere"), std::string::npos) << demo.output;
}

}  // namespace
}  // namespace gdkm
