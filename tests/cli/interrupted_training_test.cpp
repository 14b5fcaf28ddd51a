#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using Words = std::vector<std::string>;

/// Long enough to be stopped on the way.
class InterruptedTraining : public Program {
 protected:
  static Words command(const Words& more = {}) {
    Words out{"train",   small_graph, "--inducing", "25", "--epochs", "900",
              "--seeds", "2",         "--threads",  "2",  "--json",   "-"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  Outcome stopped(const Words& arguments) const {
    RunOptions options;
    options.interrupt_after = 0.15;
    Outcome outcome = gdkm(arguments, options);
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("stopped in run "), std::string::npos) << outcome.err;
    return outcome;
  }
};

const std::string checkpoint = "gdkm-checkpoint.safetensors";

TEST_F(InterruptedTraining, GoesOnToTheSameResult) {
  const Outcome first = stopped(command());
  EXPECT_EQ(files(), Words{checkpoint});
  std::string said = "go on with:  " GDKM_BINARY;
  for (const auto& word : command({"--resume", checkpoint})) said += " " + word;
  EXPECT_NE(first.err.find(said + "\n"), std::string::npos) << first.err;

  const Outcome second = stopped(command({"--resume", checkpoint}));  // and once more on the way
  EXPECT_NE(second.err.find(said + "\n"), std::string::npos) << second.err;
  EXPECT_EQ(files(), Words{checkpoint});

  const Outcome last = done(command({"--resume", checkpoint}));
  EXPECT_EQ(files(), Words{});
  EXPECT_EQ(without_seconds(last.json()).dump(2), without_seconds(done(command()).json()).dump(2));
}

TEST_F(InterruptedTraining, QuietStillSaysHowToGoOn) {
  const Outcome outcome = stopped(command({"--quiet", "--save", "my model"}));
  EXPECT_EQ(outcome.error_lines(), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("--save 'my model' --resume 'my model.checkpoint'"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(files(), Words{"my model.checkpoint"});
}

TEST_F(InterruptedTraining, EarlierCheckpointIsKept) {
  stopped(command());
  const std::string earlier = read(checkpoint);
  const Outcome again = stopped(command({"--seed", "7"}));
  EXPECT_NE(again.err.find("--resume gdkm-checkpoint-2.safetensors"), std::string::npos) << again.err;
  EXPECT_EQ(read(checkpoint), earlier);
}

TEST_F(InterruptedTraining, CheckpointGoesWithItsOptions) {
  stopped(command());
  const std::string before = read(checkpoint);
  refused(
      {"train", small_graph, "--inducing", "25", "--epochs", "901", "--seeds", "2", "--resume", checkpoint},
      {"--resume", "epochs = 900", "901", "repeat the command"});
  refused({"train", small_graph + ",seed=1", "--inducing", "25", "--epochs", "900", "--seeds", "2",
           "--resume", checkpoint},
          {"--resume", "data", "repeat the command"});
  EXPECT_EQ(read(checkpoint), before);
}

TEST_F(InterruptedTraining, OtherFilesAreNoCheckpoints) {
  done(small_train(small_graph, {"--quiet", "--save", "model.safetensors"}));
  std::ofstream(folder_ / "text") << "no checkpoint at all";
  refused(command({"--resume", "missing"}), {"missing", "no such file"});
  refused(command({"--resume", "text"}), {"text"});
  refused(command({"--resume", "model.safetensors"}), {"model.safetensors", "no checkpoint", "--resume"});
}

}  // namespace
}  // namespace gdkm::testing
