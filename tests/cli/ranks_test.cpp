// gdkm under mpirun: the same options, results and files as one process.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "tests/cli/run_program.hpp"
#include "tests/experiments/sweep/sweep_program.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

/// Every number of `a` is that of `b`, to rounding; all else is the same.
void expect_same(const Json& a, const Json& b, double tolerance, const std::string& where) {
  if (a.is_number_float() && b.is_number()) {
    const double x = a.get<double>(), y = b.get<double>();
    EXPECT_NEAR(x, y, tolerance * std::max(1.0, std::abs(y))) << where;
    return;
  }
  ASSERT_EQ(a.size(), b.size()) << where;
  if (!a.is_structured()) {
    EXPECT_EQ(a, b) << where;
    return;
  }
  for (const auto& [key, value] : a.items()) {
    const Json& other = a.is_array() ? b.at(std::stoul(key)) : b.at(key);
    expect_same(value, other, tolerance, where + "/" + key);
  }
}

class Ranks : public Program {
 protected:
  void SetUp() override {
    if (std::system("command -v mpirun > /dev/null 2>&1") != 0) GTEST_SKIP() << "mpirun is not installed";
    if (!fs::exists(fs::path(GDKM_BINARY).parent_path() / "libgdkm_mpi.so"))
      GTEST_SKIP() << "this build has no libgdkm_mpi.so: MPI was not found";
  }
  /// mpirun's words before the program.
  static Words mpirun(int ranks) {
    return {"/usr/bin/env", "mpirun", "--oversubscribe", "-n", std::to_string(ranks)};
  }
  static RunOptions as_root() {
    RunOptions out;
    out.environment = {
        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
        // Open MPI itself keeps memory until the end, which the address sanitizer would report.
        {"ASAN_OPTIONS", "detect_leaks=0"}};
    out.timeout = 240;
    return out;
  }
  Outcome on_ranks(int ranks, const Words& arguments) const {
    Words command = mpirun(ranks);
    command.push_back(GDKM_BINARY);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_program(command, folder_.path(), as_root());
  }
  static Words train(const std::string& data, const Words& more) {
    Words out = small_train(data, {"--precision", "float64", "--quiet", "--json", "-"});
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  /// Results of 1, 2 and 4 ranks against those of a process without mpirun.
  void expect_same_results(const std::string& data, const Words& more) const {
    const Json alone = without_seconds(done(train(data, more)).json());
    for (const int ranks : {1, 2, 4}) {
      const Outcome outcome = on_ranks(ranks, train(data, more));
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      expect_same(without_seconds(outcome.json()), alone, 1e-8, std::to_string(ranks) + " ranks: ");
    }
  }
};

TEST_F(Ranks, TrainTheSameModel) {
  expect_same_results(small_graph, {});
}
TEST_F(Ranks, TrainTheSamePlatonovModel) {
  expect_same_results(small_graph, {"--arch", "platonov", "--center"});
}
TEST_F(Ranks, TrainTheSameModelWithRelations) {
  expect_same_results(small_graph, {"--relations", "self,und"});
}
TEST_F(Ranks, TrainTheSameIntraDomainModelByThePapersInference) {
  expect_same_results(small_graph, {"--scheme", "intra", "--inference", "paper"});
}

TEST_F(Ranks, WriteTheSameFilesAndPredictTheSame) {
  done(train(small_graph, {"--save", "alone.safetensors"}));
  const Outcome trained =
      on_ranks(3, train(small_graph, {"--save", "ranks.safetensors", "--store", "runs.db"}));
  ASSERT_EQ(trained.status, 0) << trained.err;
  const Outcome alone = done({"predict", "alone.safetensors", small_graph});
  const Outcome saved = done({"predict", "ranks.safetensors", small_graph});
  const Outcome shared = on_ranks(2, {"predict", "alone.safetensors", small_graph});
  ASSERT_EQ(shared.status, 0) << shared.err;
  EXPECT_EQ(saved.out, alone.out);
  EXPECT_EQ(shared.out, alone.out);
  EXPECT_TRUE(fs::exists(folder_.path() / "runs.db"));
}

TEST_F(Ranks, ReadTheirOwnPartsOfAGraphAndTrainTheSameModel) {
  const Outcome cut = done({"data", "partition", small_graph, "--parts", "4", "-o", "parts"});
  EXPECT_NE(cut.out.find("edges run between parts"), std::string::npos) << cut.out;
  const Json alone = without_seconds(done(train(small_graph, {})).json()).at("runs");
  done(train(small_graph, {"--save", "alone.safetensors"}));
  const std::string predicted = done({"predict", "alone.safetensors", small_graph}).out;
  for (const int ranks : {1, 2, 3, 4}) {
    const std::string which = std::to_string(ranks) + " ranks: ";
    const Outcome outcome = on_ranks(ranks, train("parts/", {"--save", "parts.safetensors"}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    expect_same(without_seconds(outcome.json()).at("runs"), alone, 1e-8, which);
    EXPECT_EQ(done({"predict", "parts.safetensors", small_graph}).out, predicted) << which;
    const Outcome shared = on_ranks(ranks, {"predict", "alone.safetensors", "parts/"});
    ASSERT_EQ(shared.status, 0) << shared.err;
    EXPECT_EQ(shared.out, predicted) << which;
  }
  const Outcome many = on_ranks(5, train("parts/", {}));
  EXPECT_EQ(many.status, 2);
  EXPECT_NE(many.err.find("4 parts for 5 ranks"), std::string::npos) << many.err;
}

TEST_F(Ranks, ModelsThatOneProcessTrainsSaySo) {
  for (const Words& model : {Words{"--model", "gcn"}, Words{"--model", "nngp", "--exact"}}) {
    Words words{"train", small_graph, "--quiet", "--json", "-"};
    words.insert(words.end(), model.begin(), model.end());
    const Outcome outcome = on_ranks(2, words);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("gdkm: ranks share the graph of sparse models"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Ranks, OtherOptionsOnOneRankAreRefused) {
  Words command = mpirun(1);
  const auto add = [&](const Words& words) { command.insert(command.end(), words.begin(), words.end()); };
  add({GDKM_BINARY});
  add(train(small_graph, {"--nu", "1"}));
  add({":", "-n", "1", GDKM_BINARY});
  add(train(small_graph, {"--nu", "2"}));
  const Outcome outcome = run_program(command, folder_.path(), as_root());
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("has another program, other options or other data than rank 0"),
            std::string::npos)
      << outcome.err;
}

/// The ranks that mpirun `parent` has started.
std::vector<pid_t> ranks_of(pid_t parent) {
  std::vector<pid_t> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat");
    pid_t pid = 0, its_parent = 0;
    std::string name, state;
    if (stat >> pid >> name >> state >> its_parent && its_parent == parent && name == "(gdkm)")
      out.push_back(pid);
  }
  return out;
}

TEST_F(Ranks, AfterARankDiesAnyNumberOfRanksGoesOnFromTheCheckpoint) {
  for (const auto& [name, value] : as_root().environment) setenv(name.c_str(), value.c_str(), 1);
  const Words alone{"train",       small_graph,         "--inducing", "15",     "--threads",  "2",
                    "--precision", "float64",           "--epochs",   "400",    "--patience", "0",
                    "--save",      "model.safetensors", "--quiet",    "--json", "-"};
  Words command = mpirun(3);
  command.push_back(GDKM_BINARY);
  command.insert(command.end(), alone.begin(), alone.end());
  command.insert(command.end(), {"--keep-every", "0.002"});
  const fs::path checkpoint = folder_.path() / "model.safetensors.checkpoint";
  // BackgroundProgram starts gdkm; mpirun is a program of its own.
  const pid_t mpirun_process = fork();
  if (mpirun_process == 0) {
    if (chdir(folder_.path().c_str()) != 0) _exit(127);
    if (std::freopen("out", "w", stdout) == nullptr || std::freopen("err", "w", stderr) == nullptr)
      _exit(127);
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }
  for (int k = 0; k < 600 && !fs::exists(checkpoint); ++k) sleep_for(0.1);
  ASSERT_TRUE(fs::exists(checkpoint)) << read("err");
  const auto ranks = ranks_of(mpirun_process);
  ASSERT_EQ(ranks.size(), 3u);
  kill(ranks.back(), SIGKILL);
  int status = 0;
  waitpid(mpirun_process, &status, 0);
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_NE(read("err").find("signal 9"), std::string::npos) << read("err");
  ASSERT_TRUE(fs::exists(checkpoint));

  Words resumed = alone;
  resumed.insert(resumed.end(), {"--resume", "model.safetensors.checkpoint"});
  const Outcome again = on_ranks(2, resumed);
  ASSERT_EQ(again.status, 0) << again.err;
  expect_same(without_seconds(again.json()), without_seconds(done(alone).json()), 1e-6, "");
  EXPECT_FALSE(fs::exists(checkpoint));
}

}  // namespace
}  // namespace gdkm::testing
