#include "gdkm/experiments/sweep/stage_plan.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "gdkm/experiments/sweep/option_effect.hpp"
#include "gdkm/experiments/sweep/run_cost.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

class StagePlanOf : public ::testing::Test {
 protected:
  StagePlan plan(const std::string& text, std::size_t stage = 0, const RunOptions& carried = {}) {
    std::ofstream(folder_ / "spec.toml") << "datasets = ['cora']\n" + text;
    spec_ = read_sweep_spec(folder_ / "spec.toml", false);
    return plan_stage(spec_, spec_.studies[0], stage, facts_, carried);
  }

  const testing::TemporaryFolder folder_;
  SweepSpec spec_;
  DatasetFacts facts_{"cora", "f00d", "node", 100, 300, 10, 500, 3, 0, 0.5, {{"public", 4}}};
};

TEST_F(StagePlanOf, CrossesVariantsAndGridInOrder) {
  const StagePlan p = plan(R"([[study]]
model = "dkm"
seeds = 2
splits = 2
[[study.stage]]
variants = [{ arch = "kipf" }, { arch = "resid" }]
grid = { nu = [1, "inf"] }
)");
  ASSERT_EQ(p.candidates.size(), 4u);
  EXPECT_EQ(p.candidates[1].options.at("arch"), "kipf");
  EXPECT_EQ(p.candidates[1].options.at("nu"), "inf");
  EXPECT_EQ(p.candidates[2].options.at("arch"), "resid");
  EXPECT_EQ(p.candidates[2].varied.size(), 2u);
  ASSERT_EQ(p.runs.size(), 16u);
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(p.runs[static_cast<std::size_t>(k)].candidate, k) << "all have a turn first";
  EXPECT_EQ(p.runs[4].configuration.seed, 1u);
  EXPECT_EQ(p.runs[8].configuration.split, 1);
  EXPECT_EQ(p.runs[0].configuration.data, "f00d");
}

TEST_F(StagePlanOf, WhatIsSaidForAllModelsHoldsForTheFormsThatHaveIt) {
  const std::string for_all =
      "options = { inducing = 7, layers = 3 }\n[dataset.cora]\noptions = { epochs = 5 }\n";
  const auto exact =
      plan(for_all + "[[study]]\nmodel = 'nngp'\noptions = { exact = true }\n").candidates[0].options;
  EXPECT_FALSE(exact.contains("inducing") || exact.contains("epochs"));
  EXPECT_EQ(exact.at("layers"), 3);
  const auto landmarks =
      plan(for_all + "[[study]]\nmodel = 'nngp'\noptions = { landmarks = true }\n").candidates[0].options;
  EXPECT_FALSE(landmarks.contains("epochs"));
  EXPECT_EQ(landmarks.at("inducing"), 7);
  // What the study itself says must mean something.
  EXPECT_THROW(plan("[[study]]\nmodel = 'nngp'\noptions = { exact = true, inducing = 7 }\n"), InputError);
  EXPECT_THROW(plan("[[study]]\nmodel = 'nngp'\noptions = { landmarks = true, epochs = 7 }\n"), InputError);
}

TEST_F(StagePlanOf, NarrowerWordCounts) {
  const StagePlan p = plan(R"(options = { epochs = 1, inducing = 1, layers = 1, samples = 1, lambda = 0.1 }
[dataset.cora]
options = { layers = 3, samples = 3, lambda = 0.3, width = 5 }
[[study]]
model = "dkm"
options = { inducing = 2, layers = 2, samples = 2, lambda = 0.2 }
[[study.stage]]
options = { lambda = 0.5 }
)",
                           0, {{"samples", 4}, {"lambda", 0.4}});
  const auto& options = p.candidates.at(0).options;
  EXPECT_EQ(options.at("epochs"), 1);
  EXPECT_EQ(options.at("inducing"), 2);
  EXPECT_EQ(options.at("layers"), 3);
  EXPECT_EQ(options.at("samples"), 4);
  EXPECT_EQ(options.at("lambda"), 0.5);
  EXPECT_FALSE(options.contains("width"));
}

TEST_F(StagePlanOf, BudgetCutsTheLastSeedsFirst) {
  const StagePlan p =
      plan("[[study]]\nmodel = 'dkm'\nseeds = 3\n[[study.stage]]\ngrid = { nu = [1, 2] }\nmax_runs = 4\n");
  ASSERT_EQ(p.runs.size(), 4u);
  EXPECT_EQ(p.runs[3].candidate, 1);
  EXPECT_EQ(p.runs[3].configuration.seed, 1u);
}

TEST_F(StagePlanOf, RunsEachAreTheFirstSplitsAndSeedsOfEveryCandidate) {
  const std::string stage = "[[study.stage]]\ngrid = { nu = [1, 2] }\nruns_each = 3\n";
  const StagePlan splits = plan("splits = 'all'\n[[study]]\nmodel = 'dkm'\n" + stage);
  ASSERT_EQ(splits.runs.size(), 6u);
  EXPECT_EQ(splits.runs[5].candidate, 1);
  EXPECT_EQ(splits.runs[5].configuration.split, 2);
  const StagePlan seeds = plan("seeds = 10\nsplits = 1\n[[study]]\nmodel = 'dkm'\n" + stage);
  ASSERT_EQ(seeds.runs.size(), 6u);
  EXPECT_EQ(seeds.runs[5].configuration.seed, 2u);
  const StagePlan few = plan("seeds = 2\nsplits = 1\n[[study]]\nmodel = 'dkm'\n" + stage);
  EXPECT_EQ(few.runs.size(), 4u) << "no more than there are";
}

TEST_F(StagePlanOf, SplitsMustBeThere) {
  EXPECT_EQ(plan("splits = 'all'\n[[study]]\nmodel = 'dkm'\n").runs.size(), 4u);
  EXPECT_THROW(plan("splits = 5\n[[study]]\nmodel = 'dkm'\n"), InputError);
  EXPECT_THROW(plan("[[study]]\nmodel = 'dkm'\noptions = { split_set = 'geom' }\n"), InputError);
  EXPECT_EQ(plan("splits = 5\n[[study]]\nmodel = 'dkm'\noptions = { split = '60/20/20' }\n").runs.size(), 5u);
}

TEST_F(StagePlanOf, SettingsMustGoTogether) {
  const auto refused = [&](const std::string& options, const std::string& word) {
    try {
      plan("[[study]]\nmodel = 'dkm'\n[[study.stage]]\noptions = " + options + "\n");
      ADD_FAILURE() << options;
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find("spec.toml:4: "), std::string::npos) << said;
      EXPECT_NE(said.find(word), std::string::npos) << said;
    }
  };
  refused("{ affine = true }", "center");
  refused("{ nu = [1, 2, 3] }", "2 layers");
  refused("{ exact = true, inducing = 3 }", "inducing");
}

TEST_F(StagePlanOf, OptionsThatDoNothingOnTheDataArePassedOver) {
  const std::string text = R"(options = { batch_size = 7 }
[[study]]
model = 'dkm'
options = { pool = 'sum', batches = 2, partition = 'random' }
[[study.stage]]
grid = { bias = [true, false] }
)";
  const StagePlan nodes = plan(text);
  ASSERT_EQ(nodes.candidates.size(), 2u);
  EXPECT_FALSE(nodes.candidates[0].options.contains("pool"));
  EXPECT_FALSE(nodes.candidates[0].options.contains("batch_size"));
  EXPECT_EQ(nodes.candidates[0].options.at("batches"), 2);
  EXPECT_EQ(nodes.candidates[0].options.at("partition"), "random");
  facts_.task = "graph";
  facts_.classes = 0;
  const StagePlan graphs = plan(text);
  ASSERT_EQ(graphs.candidates.size(), 1u) << "the grid varies nothing";
  EXPECT_TRUE(graphs.candidates[0].varied.empty());
  const auto& options = graphs.candidates[0].options;
  EXPECT_EQ(options.at("pool"), "sum");
  EXPECT_EQ(options.at("batch_size"), 7);
  for (const char* name : {"bias", "batches", "partition", "samples"})
    EXPECT_FALSE(options.contains(name)) << name;
}

TEST_F(StagePlanOf, OptionsThatOtherOptionsMakePointlessAreNoPartOfARun) {
  const StagePlan p = plan(
      "[[study]]\nmodel = 'dkm'\n[[study.stage]]\ngrid = { batches = [1, 4], partition = ['metis', 'random'] "
      "}\n");
  EXPECT_EQ(p.candidates.size(), 3u) << "with one part there is nothing to partition";
  const StagePlan linear = plan(
      "[[study]]\nmodel = 'nngp'\noptions = { exact = true, network = 'linear' }\n[[study.stage]]\n"
      "grid = { layers = [1, 2] }\n");
  EXPECT_EQ(linear.candidates.size(), 1u);
}

TEST_F(StagePlanOf, StudiesMayNotAskForWhatDoesNothingOnAllTheirData) {
  DatasetFacts graphs = facts_, numbers = facts_;
  graphs.task = "graph";
  numbers.classes = 0;
  const auto said = [&](const std::string& text, const std::map<std::string, DatasetFacts>& facts) {
    plan("[[study]]\nmodel = 'dkm'\n" + text + "\n");
    try {
      check_effects(spec_, facts);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto refused = [&](const std::string& option, const DatasetFacts& facts) {
    const std::string why = said("[[study.stage]]\nvariants = [{}, { " + option + " }]", {{"cora", facts}});
    for (const std::string& word :
         {std::string("spec.toml:4: study 'dkm': "), option.substr(0, 4), std::string("(cora: ")})
      EXPECT_NE(why.find(word), std::string::npos) << option << ": " << why;
  };
  refused("pool = 'sum'", facts_);
  refused("batch_size = 7", facts_);
  refused("batches = 2", graphs);
  refused("scheme = 'intra'", graphs);
  refused("exact = true", graphs);
  refused("bias = true", numbers);
  refused("samples = 2", numbers);
  refused("partition = 'random'", facts_);
  EXPECT_EQ(said("[[study.stage]]\ngrid = { scheme = ['inter'] }", {{"cora", graphs}}), "");
  EXPECT_NE(said("options = { pool = 'sum' }", {{"cora", facts_}}), "");
  EXPECT_NE(said("[dataset.cora]\noptions = { pool = 'sum' }", {{"cora", facts_}}).find("[dataset.cora]"),
            std::string::npos);
  const std::string mixed = "datasets = ['cora', 'mutag']\noptions = { pool = 'sum' }";
  EXPECT_EQ(said(mixed, {{"cora", facts_}, {"mutag", graphs}}), "");
  EXPECT_EQ(said(mixed, {{"cora", facts_}}), "") << "the other was not read";
  EXPECT_NE(said(mixed, {{"cora", facts_}, {"mutag", facts_}}), "");
}

TEST_F(StagePlanOf, ModelsOfRowsTakeGraphsWhoseFeaturesArePooled) {
  DatasetFacts graphs = facts_;
  graphs.task = "graph";
  plan(
      "[[study]]\nmodel = 'nngp'\noptions = { exact = true }\n"
      "[[study.stage]]\ngrid = { pool_features = ['sum', 'root'] }\n");
  const StagePlan p = plan_stage(spec_, spec_.studies[0], 0, graphs, {});
  ASSERT_EQ(p.candidates.size(), 2u);
  EXPECT_EQ(p.candidates[1].options.at("exact"), true);
  EXPECT_EQ(p.candidates[1].options.at("pool_features"), "root");
  EXPECT_NO_THROW(check_effects(spec_, {{"cora", graphs}}));
}

TEST_F(StagePlanOf, ModelsOfRowsTakeNoGraphsOfDataSetsThatAreNotPooled) {
  DatasetFacts graphs = facts_;
  graphs.task = "graph";
  plan(
      "[dataset.elsewhere]\noptions = { pool_features = 'root' }\n"
      "[[study]]\nmodel = 'nngp'\ndatasets = ['cora', 'elsewhere']\n"
      "[[study.stage]]\ngrid = { layers = [1, 2] }\n");
  EXPECT_FALSE(makes_rows(spec_, spec_.studies[0], "cora"));
  EXPECT_TRUE(makes_rows(spec_, spec_.studies[0], "elsewhere"));
}

TEST_F(StagePlanOf, TheCostOfRowsIsThatOfGraphsNotOfTheirNodes) {
  DatasetFacts graphs = facts_;
  graphs.task = "graph";
  graphs.nodes = 100000;
  graphs.graphs = 1000;
  const StagePlan p =
      plan("[[study]]\nmodel = 'dkm'\n[[study.stage]]\nvariants = [{ inducing = 100, epochs = 100 }]\n");
  Configuration c;
  c.dataset = facts_.name;
  c.model = "nngp";
  c.options = p.candidates[0].options;
  for (const bool exact : {false, true}) {
    c.options["exact"] = exact;
    c.options["pool_features"] = "none";
    const double nodes = run_flops(c, graphs);
    c.options["pool_features"] = "root";
    EXPECT_LT(run_flops(c, graphs), nodes / 20) << exact;
  }
}

TEST_F(StagePlanOf, SameSettingsAreOneCandidate) {
  const StagePlan p =
      plan("[[study]]\nmodel = 'dkm'\n[[study.stage]]\nvariants = [{ lambda = 0 }, { arch = 'kipf' }]\n");
  EXPECT_EQ(p.candidates.size(), 1u);
}

TEST_F(StagePlanOf, CostsGrowWithWorkAndLearnFromRuns) {
  const StagePlan p = plan(
      "[[study]]\nmodel = 'dkm'\n[[study.stage]]\ngrid = { inducing = [10, 100], epochs = [10, 100] }\n");
  std::vector<double> flops;
  for (const auto& run : p.runs) flops.push_back(run_flops(run.configuration, facts_));
  EXPECT_LT(flops[0], flops[1]);
  EXPECT_LT(flops[0], flops[2]);
  EXPECT_LT(flops[1], flops[3]);
  StoredRun done;
  done.configuration = p.runs[0].configuration;
  done.status = RunStatus::done;
  done.result.emplace();
  done.result->seconds = 7;
  const RunCost cost({done}, {facts_});
  const auto same = cost.estimate(p.runs[0].configuration, facts_);
  EXPECT_EQ(same.basis, RunCost::Basis::same_data);
  EXPECT_NEAR(same.seconds, 7, 1e-9);
  Configuration elsewhere = p.runs[0].configuration;
  elsewhere.dataset = "citeseer";
  EXPECT_EQ(cost.estimate(elsewhere, facts_).basis, RunCost::Basis::same_model);
  elsewhere.model = "gcn";
  EXPECT_EQ(cost.estimate(elsewhere, facts_).basis, RunCost::Basis::guess);
}

TEST_F(StagePlanOf, CostsOnOneKindOfDeviceAreNotThoseOfAnother) {
  StoredRun on_gpu;
  on_gpu.configuration = plan("[[study]]\nmodel = 'dkm'\n[[study.stage]]\n").runs[0].configuration;
  on_gpu.environment.emplace();
  on_gpu.environment->device = "cuda:0, a GPU";
  on_gpu.result.emplace();
  on_gpu.result->seconds = 7;
  EXPECT_EQ(RunCost({on_gpu}, {facts_}).estimate(on_gpu.configuration, facts_).basis, RunCost::Basis::guess);
  EXPECT_EQ(RunCost({on_gpu}, {facts_}, "cuda").estimate(on_gpu.configuration, facts_).basis,
            RunCost::Basis::same_data);
}

TEST_F(StagePlanOf, CostsOfExactRegressionAreNotThoseOfInducingPoints) {
  const auto nngp = [&](const std::string& option) {
    return plan("[[study]]\nmodel = 'nngp'\n[[study.stage]]\ngrid = { " + option + " }\n")
        .runs[0]
        .configuration;
  };
  const Configuration exact = nngp("exact = [true]"), sparse = nngp("inducing = [100]");
  StoredRun done;
  done.configuration = sparse;
  done.result.emplace();
  done.result->seconds = 7;
  EXPECT_EQ(RunCost({done}, {facts_}).estimate(exact, facts_).basis, RunCost::Basis::guess);
  Configuration learned = exact;  // the full-rank DKM, which trains
  learned.model = "dkm";
  learned.options["epochs"] = 10;
  EXPECT_GT(run_flops(learned, facts_), run_flops(exact, facts_));
}

}  // namespace
}  // namespace gdkm
