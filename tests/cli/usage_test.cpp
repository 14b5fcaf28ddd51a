#include <fmt/format.h>

#include <sstream>

#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using Usage = Program;
using Words = std::vector<std::string>;

TEST_F(Usage, VersionNamesTheProgram) {
  const Outcome outcome = done({"--version"});
  EXPECT_TRUE(outcome.out.starts_with("gdkm ")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Usage, EveryCommandHasHelpWithExamplesThatFitATerminal) {
  for (const Words& command :
       {Words{}, Words{"train"}, Words{"predict"}, Words{"inspect"}, Words{"data"}, Words{"embed"},
        Words{"data", "list"}, Words{"data", "info"}, Words{"data", "generate"}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(command, " ")));
    Words arguments = command;
    arguments.push_back("--help");
    const Outcome outcome = done(arguments);
    EXPECT_EQ(outcome.err, "");
    const std::string example = fmt::format("  gdkm {}", fmt::join(command, " "));
    EXPECT_NE(outcome.out.find("Example"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(example, outcome.out.find("Example")), std::string::npos) << outcome.out;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST_F(Usage, CommandMustBeKnown) {
  refused({}, {"command", "train", "gdkm --help"});
  refused({"trian"}, {"'trian'", "did you mean 'train'?"});
  refused({"frobnicate"}, {"'frobnicate'", "predict"});
  refused({"data"}, {"list", "info", "generate", "gdkm data --help"});
  refused({"data", "inof"}, {"'inof'", "'info'"});
  refused({"--frobnicate"}, {"'--frobnicate'"});
}

TEST_F(Usage, ArgumentsMustBeThereAndKnown) {
  refused({"train"}, {"DATA", "gdkm train --help"});
  refused({"predict", "model"}, {"DATA", "gdkm predict --help"});
  refused({"inspect"}, {"MODEL", "gdkm inspect --help"});
  refused({"data", "info"}, {"DATA", "gdkm data info --help"});
  refused({"train", small_graph, "more"}, {"'more'", "unexpected argument"});
  refused({"train", small_graph, "--epoch", "3"}, {"'--epoch'", "'--epochs'"});
  refused({"train", small_graph, "--epochs"}, {"--epochs", "needs a value"});
  refused({"train", small_graph, "--epochs", "3", "--epochs", "4"}, {"--epochs", "more than once"});
}

TEST_F(Usage, DevicesMustBeKnownAndOptionsOfOneGoWithIt) {
  refused({"train", small_graph, "--device", "tpu"}, {"--device tpu", "cuda:N"});
  refused({"train", small_graph, "--device", "cuda:x"}, {"--device cuda:x", "cuda:N"});
  refused({"train", small_graph, "--tf32"}, {"--tf32", "--device cuda"});
  refused({"train", small_graph, "--recompute"}, {"--recompute", "--device cuda"});
  refused({"train", small_graph, "--math", "split"}, {"--math", "--device cuda"});
  for (const bool first : {true, false}) {
    std::vector<std::string> words{"train", small_graph, "--device", "cuda", "--math", "strict"};
    words.insert(first ? words.begin() + 2 : words.end(), "--tf32");
    refused(words, {"--tf32", "--math strict"});
  }
  refused({"train", small_graph, "--exact", "--device", "cuda", "--tf32"}, {"--tf32", "float64"});
  refused({"train", small_graph, "--exact", "--jobs", "2"}, {"--jobs", "one run at a time"});
  refused({"train", small_graph, "--model", "mlp"}, {"--model mlp", "dkm, nngp, gcn"});
}

TEST_F(Usage, OptionsWithoutEffectAreRefused) {
  refused({"train", small_graph, "--partition", "random"}, {"--partition", "--batches"});
  refused({"train", small_graph, "--pool", "sum"}, {"--pool", "many graphs"});
  refused({"train", small_graph, "--batch-size", "5"}, {"--batch-size", "many graphs"});
  refused({"train", small_graph, "--exact", "--class-weights", "balanced"}, {"--class-weights", "exact"});
  refused({"train", small_graph, "--select", "r2"}, {"--select r2", "has classes", "use accuracy"});
}

TEST_F(Usage, ClassWeightsAreOneForEachClass) {
  refused({"train", small_graph, "--class-weights", "1,2"},
          {"--class-weights 1,2", "2 weights for 3 classes"});
  refused({"train", small_graph, "--class-weights", "1,x,3"}, {"--class-weights 1,x,3", "got 'x'"});
  refused({"train", small_graph, "--class-weights", "1,0,3"}, {"--class-weights 1,0,3", "got '0'"});
}

TEST_F(Usage, ResultsThatCannotBeWrittenAreRefusedBeforeTraining) {
  // A training would print its table before it writes.
  const Words train = small_train(small_graph);
  const std::string long_name(300, 'x');
  for (const std::string option : {"--json", "--save"}) {
    for (const std::string& place : Words{"/proc/results.json", "folder/none/results.json", long_name}) {
      Words arguments = train;
      arguments.insert(arguments.end(), {option, place});
      refused(arguments, {option + " " + place});
    }
  }
}

TEST_F(Usage, ValuesMustMakeSense) {
  const auto value = [&](const Words& options, const Words& words) {
    Words arguments = {"train", small_graph};
    arguments.insert(arguments.end(), options.begin(), options.end());
    refused(arguments, words);
  };
  value({"--nu", "-1"}, {"--nu -1", ">= 0"});
  value({"--nu", "abc"}, {"--nu abc", ">= 0"});
  value({"--nu", "nan"}, {"--nu nan", ">= 0"});
  value({"--nu", ""}, {"--nu", ">= 0"});
  value({"--nu", "1,"}, {"--nu 1,", "one per layer"});
  value({"--nu", "1,2,3"}, {"--nu 1,2,3", "3 values for 2 layers"});
  value({"--model", "nngp", "--nu", "1"}, {"--nu", "--model dkm", "leave"});
  value({"--inducing", "0"}, {"--inducing 0", "from 1"});
  value({"--inducing", "1.5"}, {"--inducing 1.5", "whole number"});
  value({"--layers", "0"}, {"--layers 0", "from 1"});
  value({"--epochs", "0"}, {"--epochs 0", "from 1"});
  value({"--seeds", "0"}, {"--seeds 0", "from 1"});
  value({"--seed", "-1"}, {"--seed -1", "from 0"});
  value({"--threads", "-1"}, {"--threads -1", "from 0"});
  value({"--lambda", "2"}, {"--lambda 2", "from 0 to 1"});
  value({"--lambda", "nan"}, {"--lambda nan", "from 0 to 1"});
  value({"--lr", "0"}, {"--lr 0", "from 1e-12"});
  value({"--jitter", "1"}, {"--jitter 1", "to 0.1"});
  value({"--splits", "0"}, {"--splits 0", "'all'"});
  value({"--splits", "x"}, {"--splits x", "'all'"});
  value({"--splits", "11"}, {"--splits 11", "10", "'all'"});
  value({"--split-set", "geom"}, {"--split-set geom", "public"});
  value({"--scheme", "foo"}, {"--scheme foo", "inter, intra"});
  value({"--kernel", "foo"}, {"--kernel foo", "arccos, rbf, linear"});
  value({"--precision", "float16"}, {"--precision float16", "float32, float64"});
}

TEST_F(Usage, DataMustBeThere) {
  std::ofstream(folder_ / "text.npz") << "no archive";
  refused({"train", "missing.npz"}, {"missing.npz", "no such file"});
  refused({"train", "text.npz"}, {"text.npz", "zip"});
  refused({"data", "info", "text.npz"}, {"text.npz", "zip"});
  refused({"train", "csbm:n=50,homphily=1"}, {"homphily", "homophily="});
  refused({"train", "csmb:n=50"}, {"csmb", "csbm"});
}

TEST_F(Usage, NameNearToADataSetIsSuggested) {
  std::filesystem::create_directories(folder_ / "sets/cora");
  done({"data", "generate", small_graph, "-o", "sets/cora/cora.npz"});
  refused({"train", "coar", "--data-dir", "sets"}, {"'coar'", "'cora'", "--data-dir"});
}

TEST_F(Usage, OutputsAreCheckedBeforeTheWork) {
  std::filesystem::create_directory(folder_ / "folder");
  done({"data", "generate", small_graph, "-o", "graph.npz"});
  const std::string graph = read("graph.npz");
  const std::string many = "1000000";  // epochs: a refusal that comes after them would not come
  refused({"train", small_graph, "--epochs", many, "--save", "none/model"},
          {"--save none/model", "no folder"});
  refused({"train", small_graph, "--epochs", many, "--json", "folder"}, {"--json folder", "name a file"});
  refused({"train", small_graph, "--epochs", many, "--save", "x", "--json", "x"}, {"--save", "--json"});
  refused({"train", "graph.npz", "--epochs", many, "--save", "./graph.npz"},
          {"--save ./graph.npz", "replace"});
  refused({"data", "generate", small_graph, "-o", "graph.txt"}, {"graph.txt", ".npz"});
  refused({"data", "generate", small_graph, "-o", "none/graph.npz"}, {"none/graph.npz", "no folder"});
  EXPECT_EQ(read("graph.npz"), graph);
}

TEST_F(Usage, FullDiskIsNotSilent) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  RunOptions options;
  options.output = "/dev/full";
  const Outcome outcome = gdkm({"data", "list"}, options);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace gdkm::testing
