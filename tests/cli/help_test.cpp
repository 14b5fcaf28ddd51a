#include <sstream>

#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using Help = Program;

TEST_F(Help, OfACommandIsWhatItsOwnHelpSays) {
  EXPECT_EQ(done({"help", "data", "import"}).out, done({"data", "import", "--help"}).out);
  EXPECT_EQ(done({"help"}).out, done({"--help"}).out);
  refused({"help", "trian"}, {"'gdkm trian'", "train"});
}

TEST_F(Help, BashCompletesCommandsOptionsValuesAndDataSets) {
  const std::string script = done({"completion", "bash"}).out;
  const auto completed = [&](const std::string& words, const std::string& last) {
    return run_program({"/bin/bash", "-c",
                        script + "\nCOMP_WORDS=(" + words + " '" + last +
                            "'); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gdkm; echo \" ${COMPREPLY[*]} \""},
                       folder_.path())
        .out;
  };
  EXPECT_NE(completed("gdkm", "tr").find(" train "), std::string::npos);
  EXPECT_NE(completed("gdkm data", "im").find(" import "), std::string::npos);
  EXPECT_EQ(completed("gdkm train x --model", ""), " dkm nngp gcn \n");
  EXPECT_NE(completed("gdkm train", "--degree").find(" --degree-features "), std::string::npos);
  EXPECT_NE(completed("gdkm train", "cor").find(" cora "), std::string::npos);
  EXPECT_EQ(completed("gdkm predict x", "--degree").find("--degree-features"), std::string::npos);
}

TEST_F(Help, EveryShellKnowsEveryCommandAndOption) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    SCOPED_TRACE(shell);
    const std::string script = done({"completion", shell}).out;
    for (const std::string word : {"predict", "generate", "nu", "data-dir", "chameleon", "arccos"})
      EXPECT_NE(script.find(word), std::string::npos) << word;
  }
  refused({"completion", "cmd"}, {"'cmd'", "fish"});
}

TEST_F(Help, TheManualHasEveryCommandWithItsOptionsAndExamples) {
  const std::string page = done({"man"}).out;
  EXPECT_TRUE(page.starts_with(".TH GDKM 1"));
  for (const std::string text : {"gdkm train", "gdkm data import", "\\fB\\-\\-label\\-column\\fR",
                                 "gdkm predict model.safetensors cora"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {  // only requests that we know begin a line
    if (!line.starts_with(".")) continue;
    const std::string request = line.substr(0, 3);
    EXPECT_TRUE(request == ".TH" || request == ".SH" || request == ".SS" || request == ".TP" ||
                request == ".PP" || request == ".nf" || request == ".fi")
        << line;
  }
}

}  // namespace
}  // namespace gdkm::testing
