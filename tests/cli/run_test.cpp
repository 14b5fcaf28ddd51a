// The command line as a function, which the Python module calls: the process lives on after it.
#include "gdkm/cli/run.hpp"

#include <signal.h>

#include <array>
#include <fstream>

#include "tests/cli/run_program.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {
namespace {

namespace fs = std::filesystem;
using cli::Invocation;
using cli::run_command_line;

extern "C" void own_handler(int) {}

/// Sets handlers of the test's own, and says whether they are still there.
class OwnHandlers {
 public:
  OwnHandlers() {
    struct sigaction own {};
    own.sa_handler = own_handler;
    for (std::size_t k = 0; k < signals.size(); ++k) ::sigaction(signals[k], &own, &former_[k]);
  }
  ~OwnHandlers() {
    for (std::size_t k = 0; k < signals.size(); ++k) ::sigaction(signals[k], &former_[k], nullptr);
  }
  void expect_unchanged() const {
    for (const int signal : signals) {
      struct sigaction now {};
      ::sigaction(signal, nullptr, &now);
      EXPECT_EQ(now.sa_handler, &own_handler) << "signal " << signal;
    }
  }

 private:
  static constexpr std::array<int, 3> signals{SIGINT, SIGTERM, SIGPIPE};
  std::array<struct sigaction, 3> former_{};
};

class RunCommandLine : public Program {
 protected:
  /// Runs in this process; what it prints goes to files.
  Outcome call(const std::vector<std::string>& arguments, const Invocation& self = {"/bin/false"}) const {
    std::vector<std::string> words{"gdkm"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    Outcome out;
    out.status = run_command_line(words, self);
    out.out = ::testing::internal::GetCapturedStdout();
    out.err = ::testing::internal::GetCapturedStderr();
    return out;
  }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }

  void write_spec() const {
    std::ofstream(folder_ / "two.toml") << "datasets = ['" + small_graph +
                                               "']\noptions = { inducing = 20, epochs = 5 }\n[[study]]\n"
                                               "model = 'dkm'\n[[study.stage]]\ngrid = { nu = [1, 2] }\n";
  }
};

TEST_F(RunCommandLine, StatusesAndTextAreThoseOfTheProgram) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--version"},
                                             {"train", "--help"},
                                             {"train"},
                                             {"nothing"},
                                             {},
                                             {"data", "info", "missing.npz"},
                                             {"inspect", "missing.safetensors"}}) {
    const Outcome here = call(words), program = gdkm(words);
    EXPECT_EQ(here.status, program.status);
    EXPECT_EQ(here.out, program.out);
    EXPECT_EQ(here.err, program.err);
  }
}

TEST_F(RunCommandLine, ResultsAreWrittenWhenItReturns) {
  const Outcome out = call(small_train(small_graph, {"--json", "-"}));
  EXPECT_EQ(out.status, 0) << out.err;
  EXPECT_EQ(without_seconds(out.json()),
            without_seconds(done(small_train(small_graph, {"--json", "-"})).json()));
}

TEST_F(RunCommandLine, SignalHandlersAreThoseOfBefore) {
  const OwnHandlers handlers;
  EXPECT_EQ(call(small_train(small_graph)).status, 0);
  handlers.expect_unchanged();
  write_spec();
  EXPECT_EQ(
      call({"sweep", in_folder("two.toml"), "--store", in_folder("two.db"), "--quiet"}, {GDKM_BINARY}).status,
      0);
  handlers.expect_unchanged();
}

TEST_F(RunCommandLine, WorkersAreStartedAsTheInvocationSays) {
  write_spec();
  // Notes its name and the first word after its own argument, then becomes the program.
  const std::string script =
      "echo \"$0 $1 $2\" >> '" + in_folder("started") + "'; shift; exec '" GDKM_BINARY "' \"$@\"";
  const Invocation self{"/bin/sh", "shell", {"-c", script, "interpreter", "module"}};
  const Outcome out =
      call({"sweep", in_folder("two.toml"), "--store", in_folder("two.db"), "--jobs", "1", "--quiet"}, self);
  EXPECT_EQ(out.status, 0) << out.err;
  EXPECT_EQ(read("started"), "interpreter module sweep\n");
  EXPECT_EQ(done({"runs", "list", "two.db"}).out.find("failed"), std::string::npos);
}

}  // namespace
}  // namespace gdkm::testing
