#include "gdkm/experiments/sweep/committee_stage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "gdkm/experiments/sweep/run_cost.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/experiments/sweep/sweep_program.hpp"

namespace gdkm::testing {
namespace {

const std::string head = "datasets = ['cora']\n[[study]]\nmodel = 'dkm'\n";

class CommitteeStage : public SweepProgram {
 protected:
  SweepSpec read(const std::string& text) const {
    write("spec.toml", text);
    return read_sweep_spec(folder_ / "spec.toml", false);
  }
  void refused(const std::string& text, int line, std::vector<std::string> words) {
    words.push_back("spec.toml:" + std::to_string(line) + ":");
    expect_input_error([&] { read(text); }, words);
  }
  const DatasetFacts facts_{"cora", "f00d", "node", 100, 300, 10, 500, 3, 0, 0.5, {{"public", 4}}};
};

TEST_F(CommitteeStage, ItsMembersAreSettingsOfAnotherStage) {
  const SweepSpec spec = read(head + R"(splits = "all"
[[study.stage]]
name = "base"
grid = { inducing = [10, 20] }
[[study.stage]]
name = "steps"
variants = [{ diffuse = 8, layers = 1 }, { arch = "resid" }, {}]
options = { epochs = 7 }
runs_each = 2
[[study.stage]]
name = "nu"
grid = { nu = [1, 10] }
[[study.stage]]
name = "together"
committee = { of = "steps", best = 2 }
)");
  const StudySpec& study = spec.studies.at(0);
  EXPECT_EQ(study.stages[3].committee->of, 1u);
  const gdkm::RunOptions carried{{"inducing", 20}};
  std::vector<Candidate> compared = plan_stage(spec, study, 1, facts_, carried).candidates;
  std::reverse(compared.begin(), compared.end());
  const StagePlan plan = plan_stage(spec, study, 3, facts_, carried, compared);
  ASSERT_EQ(plan.candidates.size(), 1u);
  const auto& options = plan.candidates[0].options;
  // Each names all that the stage varied, so that the empty variant is itself.
  EXPECT_EQ(options.at("members"), "layers=2,arch=kipf,diffuse=0;layers=2,arch=resid,diffuse=0");
  EXPECT_EQ(options.at("inducing"), 20);
  EXPECT_EQ(options.at("epochs"), 7) << "as they were compared";
  EXPECT_EQ(plan.runs.size(), 4u) << "all splits";
  // Before anything is known, in the order of the spec.
  const auto guess = plan_stage(spec, study, 3, facts_, carried).candidates[0].options.at("members");
  EXPECT_TRUE(guess.get<std::string>().starts_with("layers=1,arch=kipf,diffuse=8;"));
  // A run costs as much as its members.
  const double alone = run_flops(plan_stage(spec, study, 1, facts_, carried).runs[2].configuration, facts_);
  EXPECT_DOUBLE_EQ(run_flops(plan.runs[0].configuration, facts_), 2 * alone);
}

TEST_F(CommitteeStage, MembersKeepWhatHasAnEffectOnThemAlone) {
  const SweepSpec spec = read(head + R"(options = { partition = "random" }
[[study.stage]]
name = "steps"
grid = { batches = [2, 4] }
[[study.stage]]
name = "together"
committee = { best = 2 }
)");
  const StagePlan plan = plan_stage(spec, spec.studies.at(0), 1, facts_, {});
  // The committee itself has one batch, which needs no partition.
  const std::string members = plan.candidates.at(0).options.at("members");
  EXPECT_NE(members.find("batches=2,partition=random"), std::string::npos) << members;
  EXPECT_NE(members.find("batches=4,partition=random"), std::string::npos) << members;
}

TEST_F(CommitteeStage, OneSettingStandsAlone) {
  const std::vector<Candidate> one{{"dkm", {{"layers", 1}}, {{"layers", 1}}}};
  EXPECT_EQ(committee_options(one, 8), one[0].varied);
}

TEST_F(CommitteeStage, TakesTheBestByValidationOnAllSplitsAndKeepsToTheStore) {
  write("spec.toml", "datasets = ['" + small_graph + R"(']
options = { inducing = 10, epochs = 4 }
splits = 3
[[study]]
model = "dkm"
[[study.stage]]
name = "steps"
grid = { diffuse = [0, 2, 4], layers = [1, 2] }
runs_each = 2
[[study.stage]]
name = "final"
grid = { nu = [1] }
[[study.stage]]
name = "together"
committee = { of = "steps", best = 3 }
)");
  const auto sweep = [&] {
    return done({"sweep", "spec.toml", "--store", "runs.db", "--jobs", "1", "--quiet", "--json", "-"});
  };
  const auto first = table(sweep().out);
  std::map<std::string, std::vector<double>> val;
  std::string members;
  int committees = 0;
  for (const StoredRun& run : store().runs()) {
    if (const std::string found = run.configuration.option("members"); !found.empty()) {
      members = found;
      ++committees;
      EXPECT_EQ(run.configuration.option("diffuse"), "0") << "choices of the stage do not count";
    } else if (run.configuration.split < 2) {
      val["layers=" + run.configuration.option("layers") + ",diffuse=" + run.configuration.option("diffuse")]
          .push_back(*run.val());
    }
  }
  EXPECT_EQ(committees, 3) << "one candidate on all splits";
  std::vector<double> means, chosen;
  for (const auto& [key, scores] : val) {
    means.push_back((scores.at(0) + scores.at(1)) / 2);
    if ((";" + members + ";").find(";" + key + ";") != std::string::npos) chosen.push_back(means.back());
  }
  std::sort(means.rbegin(), means.rend());
  std::sort(chosen.rbegin(), chosen.rend());
  ASSERT_EQ(chosen.size(), 3u) << members;
  EXPECT_EQ(chosen, std::vector<double>(means.begin(), means.begin() + 3));
  // Done is done.
  EXPECT_EQ(table(sweep().out), first);
  for (const auto& [run, kinds] : events()) EXPECT_EQ(kinds.at("done"), 1) << run;
  EXPECT_EQ(gdkm({"report", "runs.db", "--output", "page.html"}).status, 0);
}

TEST_F(CommitteeStage, LeavesOutSettingsThatValidateClearlyWorse) {
  const auto members = [&](const std::string& within) {
    // One step of training leaves a model far behind.
    write("spec.toml", "datasets = ['" + small_graph + R"(']
options = { inducing = 10 }
[[study]]
model = "dkm"
[[study.stage]]
variants = [{ epochs = 30 }, { epochs = 31 }, { epochs = 1, inference = "paper" }]
[[study.stage]]
committee = { best = 3, within = )" +
                           within + " }\n");
    std::filesystem::remove(folder_ / "runs.db");
    done({"sweep", "spec.toml", "--store", "runs.db", "--jobs", "1", "--quiet"});
    std::string found;
    for (const StoredRun& run : store().runs()) found += run.configuration.option("members");
    return found;
  };
  EXPECT_EQ(members("0"), "epochs=30;epochs=31");
  EXPECT_NE(members("100").find("inference=paper"), std::string::npos);
}

TEST_F(CommitteeStage, MistakesAreNamedWithTheirLine) {
  const std::string stage = head + "[[study.stage]]\nname = 'steps'\ngrid = { layers = [1, 2] }\n";
  refused(head + "[[study.stage]]\ncommittee = { best = 2 }\n", 5, {"a stage before it"});
  const auto with = [&](const std::string& committee) { return stage + "[[study.stage]]\n" + committee; };
  EXPECT_EQ(read(with("committee = {}\n")).studies[0].stages[1].committee->best, 4);
  refused(with("committee = { of = 'step' }\n"), 8, {"'step'", "did you mean 'steps'?"});
  refused(with("committee = { best = 1 }\n"), 8, {"best", "from 2"});
  refused(with("committee = { size = 3 }\n"), 8, {"'size'", "of, best, within"});
  refused(with("committee = { within = -1 }\n"), 8, {"within", "from 0"});
  refused(with("committee = { best = 2 }\ngrid = { nu = [1] }\n"), 8, {"leave grid and variants"});
  refused(head +
              "[[study.stage]]\ngrid = { split = ['60/20/20', '50/25/25'] }\n[[study.stage]]\n"
              "committee = { best = 2 }\n",
          7, {"'split' in common", "another stage"});
}

}  // namespace
}  // namespace gdkm::testing
