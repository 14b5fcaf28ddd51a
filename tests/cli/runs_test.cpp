#include <gtest/gtest.h>

#include <sstream>

#include "gdkm/store/run_queue.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using Words = std::vector<std::string>;

/// A store with three runs: two done, one failed.
class RunsCommand : public Program {
 protected:
  void SetUp() override {
    Store store = Store::open_or_create(folder_ / "runs.db");
    RunQueue queue(store);
    for (int k = 0; k < 3; ++k) {
      const auto run =
          queue.add({"cora",
                     "0",
                     "dkm",
                     {{"nu", k == 1 ? nlohmann::json("inf") : nlohmann::json(0.1)}, {"layers", 2}},
                     static_cast<std::uint64_t>(k == 2),
                     0});
      queue.claim(run);
      RunOutcome outcome;
      outcome.result.val = Metrics{80.0 + k, 0.5, 0.1, std::nullopt, std::nullopt, std::nullopt};
      outcome.result.test = outcome.result.val;
      outcome.curve = {{1, 2.5, std::nullopt}, {2, 1.5, 80.0}};
      outcome.environment.machine = "one, \"two\"";
      if (k == 2) {
        queue.fail(run, "numbers were lost, all of them");
      } else {
        queue.finish(run, outcome);
      }
    }
  }
};

int lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(RunsCommand, ListLinesUpAndShowsWhatDiffers) {
  const std::string all = done({"runs", "list", "runs.db"}).out;
  EXPECT_EQ(lines(all), 4) << all;
  EXPECT_NE(all.find("  nu "), std::string::npos) << all;
  EXPECT_EQ(all.find("layers"), std::string::npos) << all;
  std::istringstream rows(all);
  std::string title, row;
  std::getline(rows, title);
  while (std::getline(rows, row)) EXPECT_EQ(row.size(), title.size()) << row;
  EXPECT_EQ(lines(done({"runs", "list", "runs.db", "--status", "done"}).out), 3);
  EXPECT_EQ(lines(done({"runs", "list", "runs.db", "--where", "nu=0.1", "--where", "seed=0"}).out), 2);
  EXPECT_EQ(done({"runs", "list", "runs.db", "--dataset", "citeseer"}).out, "no matching runs\n");
}

TEST_F(RunsCommand, ListLeavesOutWhatOnlyAnotherModelLacks) {
  {
    Store store = Store::open_or_create(folder_ / "runs.db");
    RunQueue(store).add({"cora", "0", "gcn", {{"width", 8}, {"layers", 2}}, 0, 0});
  }
  const std::string all = done({"runs", "list", "runs.db"}).out;
  EXPECT_NE(all.find("  nu "), std::string::npos) << all;
  for (const char* option : {"width", "layers", "bias"})
    EXPECT_EQ(all.find(option), std::string::npos) << all;
}

TEST_F(RunsCommand, OptionsOfLaterVersionsAreShownAtTheirDefaults) {
  const std::string shown = done({"runs", "show", "runs.db", "1"}).out;
  EXPECT_NE(shown.find("    bias               false\n"), std::string::npos) << shown;
  EXPECT_EQ(done({"runs", "export", "runs.db", "--format", "json"}).json()[0].at("bias"), false);
  EXPECT_EQ(lines(done({"runs", "list", "runs.db", "--where", "bias=false"}).out), 4);
}

TEST_F(RunsCommand, ShowAndCompareTellRunsApart) {
  const std::string shown = done({"runs", "show", "runs.db", "3"}).out;
  EXPECT_NE(shown.find("numbers were lost"), std::string::npos) << shown;
  const std::string compared = done({"runs", "compare", "runs.db", "1", "2"}).out;
  EXPECT_NE(compared.find("inf"), std::string::npos) << compared;
  EXPECT_EQ(compared.find("layers"), std::string::npos) << compared;
  const std::string grouped = done({"runs", "compare", "runs.db", "--by", "nu"}).out;
  EXPECT_EQ(lines(grouped), 3) << grouped;
  EXPECT_NE(grouped.find("81.00"), std::string::npos) << grouped;
}

TEST_F(RunsCommand, ExportHasEveryRunInEveryFormat) {
  const std::string csv = done({"runs", "export", "runs.db"}).out;
  EXPECT_EQ(lines(csv), 4) << csv;
  EXPECT_NE(csv.find("\"one, \"\"two\"\"\""), std::string::npos) << csv;
  const auto json = done({"runs", "export", "runs.db", "--format", "json"}).json();
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[1].at("nu"), "inf");
  EXPECT_EQ(json[1].at("val_accuracy"), 81.0);
  EXPECT_FALSE(json[2].contains("val_accuracy"));
  EXPECT_EQ(lines(done({"runs", "export", "runs.db", "--curves"}).out), 5);
  done({"runs", "export", "runs.db", "-o", "runs.parquet"});
  const std::string parquet = read("runs.parquet");
  EXPECT_TRUE(parquet.starts_with("PAR1") && parquet.ends_with("PAR1"));
  refused({"runs", "export", "runs.db", "-o", "runs.txt"}, {"runs.txt", ".csv"});
  refused({"runs", "export", "runs.db", "--format", "parquet"}, {"parquet", "--output"});
}

TEST_F(RunsCommand, RemoveTakesWhatIsNamed) {
  refused({"runs", "rm", "runs.db"}, {"--all"});
  EXPECT_EQ(done({"runs", "rm", "runs.db", "--status", "failed"}).out, "1 run removed\n");
  EXPECT_EQ(done({"runs", "rm", "runs.db", "2"}).out, "1 run removed\n");
  EXPECT_EQ(lines(done({"runs", "list", "runs.db"}).out), 2);
}

TEST_F(RunsCommand, MistakesAreRefused) {
  refused({"runs", "list", "none.db"}, {"none.db", "no such store"});
  refused({"runs", "list", "runs.db", "--status", "lost"}, {"lost", "pending, running, done or failed"});
  refused({"runs", "list", "runs.db", "--where", "nu"}, {"--where nu", "nu=0.1"});
  refused({"runs", "list", "runs.db", "--where", "foo=1"}, {"--where foo=1", "no such option"});
  refused({"runs", "rm", "runs.db", "--where", "foo=1"}, {"--where foo=1"});
  EXPECT_EQ(done({"runs", "list", "runs.db", "--where", "width=5"}).out, "no matching runs\n");
  refused({"runs", "show", "runs.db", "17"}, {"17", "no such run"});
  refused({"runs", "compare", "runs.db", "--by", "width"}, {"--by width"});
  refused({"runs", "compare", "runs.db", "1"}, {"2 to 12"});
}

TEST_F(RunsCommand, HelpHasExamples) {
  for (const Words& command :
       {Words{"runs"}, Words{"runs", "list"}, Words{"runs", "show"}, Words{"runs", "compare"},
        Words{"runs", "rm"}, Words{"runs", "export"}, Words{"sweep"}}) {
    Words arguments = command;
    arguments.push_back("--help");
    const std::string help = done(arguments).out;
    EXPECT_NE(help.find("Examples:\n"), std::string::npos) << help;
    std::istringstream text(help);
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80u) << line;
  }
}

}  // namespace
}  // namespace gdkm::testing
