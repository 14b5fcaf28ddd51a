#include "tests/cli/run_program.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {
namespace {

using Words = std::vector<std::string>;

class InterruptedTraining : public Program {
 protected:
  /// With the default, far longer than a test waits. One thread keeps its pace on a busy machine.
  static Words command(const Words& more = {}, const std::string& epochs = "1000000") {
    Words out{"train",      small_graph, "--inducing", "25", "--epochs",  epochs,
              "--patience", "0",         "--seeds",    "6",  "--threads", "1"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  Outcome stopped(const Words& arguments) const {
    RunOptions options;
    options.interrupt_after = 0.15;
    Outcome outcome = gdkm(arguments, options);
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("stopped in run "), std::string::npos) << outcome.err;
    return outcome;
  }
};

const std::string checkpoint = "gdkm-checkpoint.safetensors";

TEST_F(InterruptedTraining, GoesOnToTheSameResult) {
  const auto train = [](const std::string& model, const Words& more = {}) {
    Words options{"--json", "-", "--save", model};
    options.insert(options.end(), more.begin(), more.end());
    return command(options, "1000");
  };
  const auto predictions = [&](const std::string& model) {
    return done({"predict", model, small_graph, "--threads", "1"}).out;
  };
  const Words resumed = train("a", {"--resume", "a.checkpoint"});
  std::string said = "go on with:  " GDKM_BINARY;
  for (const auto& word : resumed) said += " " + word;

  const Outcome first = stopped(train("a"));
  EXPECT_EQ(files(), Words{"a.checkpoint"});
  EXPECT_NE(first.err.find(said + "\n"), std::string::npos) << first.err;
  const Outcome second = stopped(resumed);  // and once more on the way
  EXPECT_EQ(files(), Words{"a.checkpoint"});
  EXPECT_NE(second.err.find(said + "\n"), std::string::npos) << second.err;
  const Outcome last = done(resumed);
  EXPECT_EQ(files(), Words{"a"});

  const Outcome undisturbed = done(train("b"));
  EXPECT_EQ(without_seconds(last.json()).dump(2), without_seconds(undisturbed.json()).dump(2));
  EXPECT_EQ(predictions("a"), predictions("b"));
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
  refused(command({"--resume", checkpoint}, "7"),
          {"--resume", "epochs = 1000000", "7", "repeat the command"});
  refused(command({"--resume", checkpoint, "--nu", "2"}),
          {"--resume", "nu = 1.0", "2.0", "repeat the command"});
  Words other = command({"--resume", checkpoint});
  other[1] += ",seed=1";
  refused(other, {"--resume", "data", "repeat the command"});
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
