#include "gdkm/experiments/tune/tune_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

/// A search without training: what a contender scores, and what its runs take, is made up.
class Search {
 public:
  TuneTask task;
  double seconds_per_run = 1;
  std::optional<double> seconds_left_per_run;  // 0 if all of them are in the store
  TuneClock clock;
  std::function<double(const Contender&, int split)> score = [](const Contender&, int) { return 50.0; };

  Search() {
    task.facts = {"graph", "f00d", "node", 2000, 9000, 50, 9000, 3, 0, 0.5, {{"public", 10}}};
    task.splits = 10;
    task.val_items = 400;
    clock.budget = 600;
  }

  std::vector<StageOutcome> run() {
    TunePlan plan(task, Select::accuracy, {}, clock, 2,
                  [&](const Configuration&) { return seconds_left_per_run.value_or(seconds_per_run); });
    std::vector<StageOutcome> out;
    while (const auto stage = plan.next(out)) {
      specs.push_back(*stage);
      out.push_back(outcome(*stage));
      if (out.size() > 30) throw std::logic_error("the search does not end");
    }
    return out;
  }

  std::vector<StageSpec> specs;

 private:
  StageOutcome outcome(const StageSpec& stage) const {
    StageOutcome out{stage.name, {}};
    for (const Contender& contender : stage.variants) {
      CandidateOutcome& candidate = out.candidates.emplace_back();
      candidate.varied = contender;
      for (int split = 0; split < stage.scope.splits->count; ++split) {
        for (const auto seed : *stage.scope.seeds) {
          RunResult run;
          run.seed = seed;
          run.split = split;
          run.seconds = seconds_per_run;
          run.val = Metrics{};
          run.val->accuracy = score(contender, split);
          run.test = Metrics{};
          run.test->accuracy = 100 - run.val->accuracy;  // whoever looks at it chooses the worst
          candidate.runs.push_back(run);
        }
      }
    }
    return out;
  }
};

bool has(const Contender& contender, const std::string& key, const nlohmann::json& value) {
  const auto at = contender.find(key);
  return at != contender.end() && at->second == value;
}

bool tries(const std::vector<StageOutcome>& stages, const std::string& key, const nlohmann::json& value) {
  return std::any_of(stages.begin(), stages.end(), [&](const StageOutcome& stage) {
    return std::any_of(stage.candidates.begin(), stage.candidates.end(),
                       [&](const CandidateOutcome& each) { return has(each.varied, key, value); });
  });
}

TEST(TunePlan, TheDefaultTakesPartInEveryComparison) {
  Search search;
  search.score = [](const Contender& contender, int) { return contender == plain_default() ? 10.0 : 50.0; };
  for (const StageOutcome& stage : search.run())
    EXPECT_EQ(stage.candidates.at(0).varied, plain_default()) << stage.name;
  EXPECT_EQ(search.specs.back().name, tune_stage::test);
}

TEST(TunePlan, FewReachTheFinalsAndAreTrainedToTheEndOnTheSameSplits) {
  Search search;
  const auto stages = search.run();
  const auto finals = std::find_if(stages.begin(), stages.end(),
                                   [](const StageOutcome& each) { return each.name == tune_stage::finals; });
  ASSERT_NE(finals, stages.end());
  EXPECT_GE(finals->candidates.size(), 2u);
  EXPECT_LE(finals->candidates.size(), 4u);
  for (const CandidateOutcome& each : finals->candidates) EXPECT_EQ(each.runs.size(), 10u);
  for (const StageSpec& spec : search.specs)
    EXPECT_EQ(spec.scope.options.contains("epochs"), is_screening_stage(spec.name)) << spec.name;
}

TEST(TunePlan, FindsWhatHelpsOnlyTogether) {
  Search search;
  search.score = [](const Contender& c, int split) {
    double out = 50 + split;
    if (has(c, "relations", "self,und")) out += 5;
    if (has(c, "model", "nngp")) out += 1;
    if (has(c, "center", true)) out += 2;
    if (has(c, "degree_features", true)) out += 3;
    return out + (has(c, "inducing", 800) ? 1 : 0);
  };
  const auto stages = search.run();
  const auto best =
      leaders(contenders_of(stages, [](const std::string& s) { return s == tune_stage::finals; }),
              Select::accuracy, 1);
  ASSERT_EQ(best.size(), 1u);
  for (const char* key : {"center", "degree_features"}) EXPECT_TRUE(has(best[0], key, true)) << key;
  EXPECT_TRUE(has(best[0], "relations", "self,und"));
  EXPECT_TRUE(has(best[0], "inducing", 800));
}

TEST(TunePlan, OnlyTriesWhatGoesWithTheData) {
  Search undirected;
  const auto plain = undirected.run();
  EXPECT_FALSE(tries(plain, "relations", "self,in,out"));
  EXPECT_FALSE(tries(plain, "arch", "rgcn"));
  EXPECT_FALSE(tries(plain, "pool", "sum"));
  EXPECT_TRUE(tries(plain, "model", "gcn"));
  EXPECT_TRUE(tries(plain, "exact", true));
  EXPECT_TRUE(tries(plain, "diffuse", 16));

  Search directed;
  directed.task.directed = directed.task.typed = true;
  directed.task.facts.nodes = 50000;
  directed.seconds_per_run = 0.1;
  const auto with_directions = directed.run();
  EXPECT_TRUE(tries(with_directions, "relations", "self,in,out"));
  EXPECT_TRUE(tries(with_directions, "arch", "rgcn"));
  EXPECT_FALSE(tries(with_directions, "exact", true)) << "its kernel would have n x n entries";

  Search regression;
  regression.task.regression = true;
  regression.task.facts.classes = 0;
  const auto numbers = regression.run();
  EXPECT_FALSE(tries(numbers, "model", "gcn"));
  EXPECT_FALSE(tries(numbers, "bias", true));

  Search graphs;
  graphs.task.facts.task = "graph";
  graphs.task.facts.graphs = 188;
  graphs.task.val_items = 19;
  const auto many = graphs.run();
  for (const char* key : {"bias", "degree_features"}) EXPECT_TRUE(tries(many, key, true)) << key;
  EXPECT_TRUE(tries(many, "pool", "sum"));
  EXPECT_TRUE(tries(many, "layers", 4));
  EXPECT_TRUE(tries(many, "wl_features", 2));
  EXPECT_FALSE(tries(many, "diffuse", 16));
  EXPECT_FALSE(tries(many, "structure_features", true));

  Search transfer;
  transfer.task.new_graphs = true;
  const auto for_others = transfer.run();
  EXPECT_FALSE(tries(for_others, "scheme", "intra"));
  EXPECT_FALSE(tries(for_others, "structure_features", true));
  EXPECT_FALSE(tries(for_others, "exact", true));
}

TEST(TunePlan, KeepsToTheBudget) {
  for (const double seconds : {0.1, 1.0, 5.0, 20.0, 100.0}) {
    Search search;
    search.seconds_per_run = seconds;
    double total = 0;
    std::size_t screened = 0;
    for (const StageOutcome& stage : search.run()) {
      for (const CandidateOutcome& each : stage.candidates) {
        total += static_cast<double>(each.runs.size()) * seconds;
        screened += is_screening_stage(stage.name) ? 1 : 0;
      }
    }
    // Runs that several stages have in common are counted several times here.
    EXPECT_LE(total / 2, 1.3 * 600 + 4 * seconds) << seconds;
    EXPECT_GE(screened, seconds > 50 ? 3u : 10u) << seconds;
  }
}

TEST(TunePlan, WhatIsDoneStaysWhenTheTimeIsUp) {
  Search before, after;
  const auto first = before.run();
  after.clock.used = after.clock.budget;
  after.seconds_left_per_run = 0;
  EXPECT_EQ(after.run().at(1).candidates.size(), first.at(1).candidates.size());
  EXPECT_EQ(after.specs.at(1).deadline < wall_clock(), true);
}

TEST(TunePlan, FewValidationItemsAreScreenedOnSeveralSplits) {
  Search few, many, single;
  few.task.val_items = 20;
  many.task.val_items = 5000;
  single.task.splits = 1;
  single.task.facts.splits = {{"public", 1}};
  few.run(), many.run(), single.run();
  EXPECT_EQ(few.specs.at(1).scope.splits->count, 5);
  EXPECT_EQ(many.specs.at(1).scope.splits->count, 1);
  EXPECT_EQ(single.specs.at(1).scope.seeds->size(), 1u);
  EXPECT_EQ(single.specs.back().scope.seeds->size(), 5u) << "the only split has several seeds in the end";
}

TEST(TunePlan, TimeThatRanOutDoesNotMakeAContenderBetter) {
  ContenderRuns lucky{{{"model", "nngp"}}, {}, 0}, steady{{{"model", "dkm"}}, {}, 0}, third = steady;
  third.contender["layers"] = 3;
  for (int split = 0; split < 3; ++split) {
    RunResult run;
    run.split = split;
    run.val = Metrics{};
    run.val->accuracy = 60;
    steady.runs.push_back(run);
    run.val->accuracy = 59;
    third.runs.push_back(run);
    run.val->accuracy = 90;
    if (split == 0) lucky.runs.push_back(run);
  }
  EXPECT_EQ(leaders({lucky, steady, third}, Select::accuracy, 3),
            (std::vector<Contender>{steady.contender, third.contender}));
}

TEST(TunePlan, AContenderIsComparedOnAllSplitsThatItSharesWithTheDefault) {
  // On the first split everything is right, and nothing can be told there; a later stage had two splits
  // alone.
  ContenderRuns plain{plain_default(), {}, 0}, good{{{"model", "nngp"}}, {}, 0}, other = good, sure = good;
  other.contender["layers"] = 3;
  sure.contender["layers"] = 4;
  const auto add = [](ContenderRuns& to, int split, double accuracy, double nll) {
    RunResult run;
    run.split = split;
    run.val = Metrics{};
    run.val->accuracy = accuracy;
    run.val->nll = nll;
    to.runs.push_back(run);
  };
  for (int split = 0; split < 4; ++split) {
    add(plain, split, split == 0 ? 100 : 70, 0.5);
    add(good, split, split == 0 ? 100 : 90, 0.5);
    if (split < 2) add(other, split, split == 0 ? 100 : 70, 0.5);
    if (split < 2) add(sure, split, split == 0 ? 100 : 70, 0.3);
  }
  EXPECT_EQ(leaders({plain, other, good, sure}, Select::accuracy, 4),
            (std::vector<Contender>{good.contender, plain.contender, sure.contender, other.contender}));
}

TEST(TuneBudget, IsATimeWithAUnit) {
  EXPECT_EQ(parse_budget("30s"), 30);
  EXPECT_EQ(parse_budget("1.5m"), 90);
  EXPECT_EQ(parse_budget("2h"), 7200);
  for (const char* bad : {"", "10", "s", "0s", "-1m", "10 m", "10min", "nan", "1e9h"})
    EXPECT_THROW(parse_budget(bad), OptionError) << bad;
}

}  // namespace
}  // namespace gdkm
