#include "gdkm/experiments/sweep/sweep_spec.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/places.hpp"

namespace gdkm {
namespace {

class SweepSpecFile : public ::testing::Test {
 protected:
  SweepSpec read(const std::string& text, bool quick = false) const {
    std::ofstream(folder_ / "spec.toml") << text;
    return read_sweep_spec(folder_ / "spec.toml", quick);
  }
  /// One line that begins with file and line and has all `words`.
  void refused(const std::string& text, int line, const std::vector<std::string>& words,
               bool quick = false) const {
    SCOPED_TRACE(text);
    try {
      read(text, quick);
      ADD_FAILURE() << "it was accepted";
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with((folder_ / "spec.toml").string() + ":" + std::to_string(line) + ": "))
          << said;
      EXPECT_EQ(said.find('\n'), std::string::npos) << said;
      for (const auto& word : words)
        EXPECT_NE(said.find(word), std::string::npos) << word << " not in: " << said;
    }
  }

  const testing::TemporaryFolder folder_;
};

const std::string study = "datasets = ['a', 'b']\n[[study]]\nmodel = 'dkm'\n";

TEST_F(SweepSpecFile, TakesMoreOptionsThatBecomePartOfItsName) {
  const SweepSpec spec = with_options(read("name = 'mine'\n" + study), {"inference=paper", "lr=0.02"});
  EXPECT_EQ(spec.scope.options.at("inference"), "paper");
  EXPECT_EQ(spec.scope.options.at("lr"), 0.02);
  EXPECT_EQ(spec.name, "mine-inference-paper-lr-0.02");
}

TEST_F(SweepSpecFile, RefusesOptionsThatItSetsItself) {
  const auto refused_setting = [&](const std::string& setting, const std::string& word) {
    try {
      with_options(read(study + "[[study.stage]]\nname = 'first'\ngrid = { nu = [1, 2] }\n"), {setting});
      ADD_FAILURE() << setting;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused_setting("nu=1", "stage 'first' of study 'dkm'");
  refused_setting("speed=1", "no option");
  refused_setting("inference", "inference=paper");
  refused_setting("inference=slow", "natural");
}

TEST_F(SweepSpecFile, SaysWhatToRun) {
  const SweepSpec spec = read(R"(
name = "mine"
datasets = ["cora"]
seeds = 3
splits = "all"
validate_every = 5
options = { epochs = 50 }
[dataset.cora]
seeds = [7, 9]
options = { inducing = 20 }
[[study]]
model = "dkm"
per = "scheme"
[[study.stage]]
name = "first"
grid = { scheme = ["inter", "intra"], nu = [1, "inf", [0.1, 1]] }
max_runs = 10
[[study.stage]]
variants = [{ arch = "kipf" }, { arch = "resid", lambda = 0.3 }]
max_seconds = 2.5
splits = [0, 4]
[[study]]
model = "gcn"
datasets = "citeseer"
)");
  EXPECT_EQ(spec.name, "mine");
  EXPECT_EQ(spec.validate_every, 5);
  EXPECT_EQ(spec.scope.seeds->size(), 3u);
  EXPECT_EQ(spec.scope.splits->count, 0);
  EXPECT_EQ(*spec.of_dataset("cora")->seeds, (std::vector<std::uint64_t>{7, 9}));
  EXPECT_EQ(spec.of_dataset("citeseer"), nullptr);
  ASSERT_EQ(spec.studies.size(), 2u);
  const StudySpec& dkm = spec.studies[0];
  EXPECT_EQ(dkm.per, std::vector<std::string>{"scheme"});
  ASSERT_EQ(dkm.stages.size(), 2u);
  EXPECT_EQ(dkm.stages[0].grid[0].first, "scheme") << "in the file's order";
  EXPECT_EQ(dkm.stages[0].grid[1].second[1], "inf");
  EXPECT_EQ(dkm.stages[0].grid[1].second[2], nlohmann::json::array({0.1, 1.0}));
  EXPECT_EQ(dkm.stages[0].max_runs, 10);
  EXPECT_EQ(dkm.stages[1].name, "stage 2");
  EXPECT_EQ(dkm.stages[1].variants[1].at("lambda"), 0.3);
  EXPECT_EQ(dkm.stages[1].max_seconds, 2.5);
  EXPECT_EQ(dkm.stages[1].scope.splits->list, (std::vector<int>{0, 4}));
  EXPECT_EQ(spec.studies[1].datasets, std::vector<std::string>{"citeseer"});
  EXPECT_EQ(spec.studies[1].stages.size(), 1u);
}

TEST_F(SweepSpecFile, QuickReplacesValuesAndLeavesWhatIsVaried) {
  const std::string text = study + R"(options = { inducing = 200 }
[[study.stage]]
grid = { nu = [0, 1, 2], epochs = [10, 20] }
options = { inducing = 300 }
[quick]
datasets = ["b"]
seeds = 1
options = { epochs = 5, inducing = 30, width = 8 }
[quick.grid]
nu = [7]
)";
  EXPECT_EQ(read(text).studies[0].datasets.size(), 2u);
  const SweepSpec quick = read(text, true);
  EXPECT_EQ(quick.name, "spec-quick");
  EXPECT_EQ(quick.studies[0].datasets, std::vector<std::string>{"b"});
  const StageSpec& stage = quick.studies[0].stages[0];
  EXPECT_EQ(stage.grid[0].second, std::vector<nlohmann::json>{7.0});
  EXPECT_EQ(stage.grid[1].second.size(), 2u);
  EXPECT_EQ(stage.scope.options.at("inducing"), 30);
  EXPECT_FALSE(stage.scope.options.contains("epochs")) << "it is varied";
  EXPECT_FALSE(stage.scope.options.contains("width")) << "a dkm has none";
  EXPECT_THROW(read(study, true), InputError);
}

TEST_F(SweepSpecFile, MistakesAreNamedWithTheirLine) {
  refused("name = \n", 1, {"no TOML"});
  refused("x = 1\n", 1, {"'x'", "it may have", "datasets"});
  refused("dataset = 1\n", 1, {"study"});
  refused("datasets = ['a']\n", 1, {"[[study]]"});
  refused("[[study]]\nmodel = 'dkm'\n", 1, {"no data sets"});
  refused("datasets = ['a', 'a']\n[[study]]\nmodel = 'dkm'\n", 1, {"different"});
  refused("datasets = ['a']\n[[study]]\nmodel = 'mlp'\n", 3, {"mlp", "dkm, nngp, gcn"});
  refused("datasets = ['a']\n[[study]]\nname = 'x'\n", 2, {"model"});
  refused(study + "steps = 3\n", 4, {"'steps'", "stage"});
  refused(study + "[[study.stage]]\ngrid = { nuu = [1] }\n", 5, {"'nuu'", "did you mean 'nu'?", "scheme"});
  refused(study + "[[study.stage]]\ngrid = { nu = [1, -1] }\n", 5, {"nu = -1", ">= 0"});
  refused(study + "[[study.stage]]\ngrid = { nu = [1, 1.0] }\n", 5, {"twice"});
  refused(study + "[[study.stage]]\ngrid = { nu = 1 }\n", 5, {"list"});
  refused(study + "[[study.stage]]\ngrid = { scheme = ['outer'] }\n", 5, {"outer", "inter, intra"});
  refused(study + "[[study.stage]]\nvariants = [{ nu = 1 }]\ngrid = { nu = [2] }\n", 6,
          {"grid and in variants"});
  refused(study + "[[study.stage]]\nmax_runs = 0\n", 5, {"max_runs", "from 1"});
  refused(study + "options = { width = 3 }\n", 4, {"'width'", "no option of dkm"});
  refused(study + "options = { epochs = 1.5 }\n", 4, {"whole number"});
  refused(study + "options = { center = 1 }\n", 4, {"true or false"});
  refused(study + "seeds = 0\n", 4, {"seeds"});
  refused(study + "seeds = [1, 1]\n", 4, {"different"});
  refused(study + "splits = 'some'\n", 4, {"\"all\""});
  refused(study + "per = ['width']\n", 4, {"width"});
  refused(study + "[[study]]\nmodel = 'dkm'\n", 4, {"two studies 'dkm'"});
  refused(study + "[dataset.c]\nseeds = 1\n", 4, {"'c'"});
  refused(study + "[quick]\nnu = 1\n", 5, {"[quick]", "grid"});
  refused("datasets = ['a']\n[[study]]\nmodel = 'nngp'\noptions = { nu = 1 }\n", 4, {"'nu'", "nngp"});
}

TEST_F(SweepSpecFile, ThePapersSweepsCanBeRead) {
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GDKM_SOURCE_DIR "/experiments")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().string());
    const SweepSpec whole = read_sweep_spec(entry.path(), false), quick = read_sweep_spec(entry.path(), true);
    EXPECT_EQ(whole.name, entry.path().stem().string());
    EXPECT_EQ(quick.name, whole.name + "-quick");
    EXPECT_FALSE(whole.description.empty());
    ++read;
  }
  EXPECT_GE(read, 8);
}

TEST_F(SweepSpecFile, TheDocumentsExampleCanBeRead) {
  std::ostringstream document;
  document << std::ifstream(GDKM_SOURCE_DIR "/docs/experiments.md").rdbuf();
  const std::string text = document.str(), fence = "```toml\n";
  const auto begin = text.find(fence) + fence.size(), end = text.find("```", begin);
  ASSERT_LT(begin, end);
  const SweepSpec spec = read(text.substr(begin, end - begin));
  EXPECT_EQ(spec.studies.at(0).stages.size(), 3u);
  EXPECT_EQ(spec.of_dataset("cora")->seeds->size(), 5u);
}

}  // namespace
}  // namespace gdkm
