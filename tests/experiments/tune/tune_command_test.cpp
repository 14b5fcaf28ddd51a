#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <sstream>

#include "tests/experiments/sweep/sweep_program.hpp"

namespace gdkm::testing {
namespace {

using Words = std::vector<std::string>;

/// A graph on which a run takes some hundredths of a second.
const std::string graph = "csbm:n=60,classes=2,features=6,degree=4,homophily=0.2,signal=4";

class Tuning : public SweepProgram {
 protected:
  Words tune(const Words& more = {}) const {
    Words out{"tune", graph, "--store", "runs.db", "--jobs", "2", "--threads", "1", "--quiet"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  static const nlohmann::ordered_json& finalist(const nlohmann::ordered_json& result, const char* which) {
    for (const auto& each : result.at("finalists")) {
      if (each.at(which) == true) return each;
    }
    throw std::runtime_error("no such finalist");
  }
};

TEST_F(Tuning, SavesTheBestAndItsCommandGivesTheSameScore) {
  const auto result =
      done(tune({"--budget", "3s", "--json", "-", "--save", "m.safetensors", "--report", "page.html"}))
          .json();
  const auto& winner = finalist(result, "winner");
  EXPECT_GE(winner.at("val_mean"), finalist(result, "default").at("val_mean"));
  EXPECT_TRUE(result.contains("test_mean") && result.contains("default_test_mean"));

  std::istringstream command(result.at("command").get<std::string>());
  Words words;
  for (std::string word; command >> word;) words.push_back(word);
  ASSERT_EQ(words.at(0), "gdkm");
  words.erase(words.begin());
  words.insert(words.end(), {"--json", "-", "--quiet"});
  const auto again = done(words).json();
  EXPECT_EQ(again.at("summary").at("val_accuracy_mean"), winner.at("val_mean"));
  EXPECT_EQ(again.at("summary").at("test_accuracy_mean"), result.at("test_mean"));

  EXPECT_NE(done({"predict", "m.safetensors", graph}).out.find("0,"), std::string::npos);
  const std::string page = read("page.html");
  for (const char* part : {"What helped", "doubtful", "gdkm train", "All settings"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST_F(Tuning, GoesOnWhereItWasKilledAndDoesNoRunTwice) {
  const Words command = tune({"--budget", "3s", "--json", "-"});
  {
    BackgroundProgram program(command, folder_.path(), "out");
    for (int k = 0; k < 2000 && (!std::filesystem::exists(folder_ / "runs.db") || store().runs().size() < 6);
         ++k)
      sleep_for(0.005);
    sleep_for(0.3);
    program.signal_group(SIGKILL);
    program.wait(10);
  }
  const auto result = done(command).json();
  for (const auto& [run, kinds] : events()) {
    const auto ended = kinds.find("done");
    EXPECT_LE(ended == kinds.end() ? 0 : ended->second, 1) << run;
  }
  // Once more, and what is left of the budget is small: the answer stands.
  const auto again = done(command).json();
  for (const auto& json : {result, again})
    EXPECT_GE(finalist(json, "winner").at("val_mean"), finalist(json, "default").at("val_mean"));
  for (const auto& [run, kinds] : events()) {
    const auto ended = kinds.find("done");
    EXPECT_LE(ended == kinds.end() ? 0 : ended->second, 1) << run;
  }
}

TEST_F(Tuning, EndsWithinItsBudgetAndAlwaysHasAnAnswer) {
  const double start = wall_clock();
  const auto result = done(tune({"--budget", "0.2s", "--json", "-"})).json();
  EXPECT_LT(wall_clock() - start, 20);
  EXPECT_EQ(result.at("winner"), (nlohmann::json{{"model", "dkm"}}));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "csbm-tune.safetensors"));
}

TEST_F(Tuning, StopsOnCtrlCAndSaysHowToGoOn) {
  RunOptions options;
  options.interrupt_after = 0.5;
  const Outcome outcome = gdkm(tune({"--budget", "60s"}), options);
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("go on with:"), std::string::npos) << outcome.err;
}

TEST_F(Tuning, ExplainsWhatItCannotDo) {
  refused(tune({"--budget", "soon"}), {"--budget soon", "10m"});
  refused(tune({"--budget", "0s"}), {"--budget 0s"});
  refused(tune({"--metric", "elbo"}), {"--metric elbo", "accuracy"});
  refused(tune({"--split", "60/0/40"}), {"validation", "--split 60/20/20"});
  refused({"tune", "csbm:n=60,classes=3", "--metric", "auc", "--quiet"}, {"auc", "two classes"});
  refused(tune({"--save", "nowhere/m.safetensors"}), {"nowhere"});
  std::ofstream(folder_ / "nodes.csv")
      << "id,x,label\na,1,yes\nb,2,yes\nc,3,yes\nd,4,yes\ne,5,yes\nf,1,yes\n";
  std::ofstream(folder_ / "edges.csv") << "source,target\na,b\nb,c\nc,d\nd,e\n";
  const Outcome imported = gdkm({"data", "import", "edges.csv", "--nodes", "nodes.csv", "--label-column",
                                 "label", "--output", "one.npz"});
  if (imported.status == 0) refused({"tune", "one.npz", "--quiet"}, {"same class"});
}

TEST_F(Tuning, TrainsOnValidationItemsTooIfAsked) {
  const Words refit = tune({"--budget", "0.2s", "--refit-all", "--save", "all.safetensors"});
  const Outcome outcome = done(refit);
  EXPECT_NE(outcome.out.find("training and validation items"), std::string::npos) << outcome.out;
  done(tune({"--budget", "0.2s", "--save", "train.safetensors"}));
  EXPECT_NE(read("all.safetensors"), read("train.safetensors"));
  EXPECT_NE(done({"predict", "all.safetensors", graph}).out,
            done({"predict", "train.safetensors", graph}).out);
}

}  // namespace
}  // namespace gdkm::testing
