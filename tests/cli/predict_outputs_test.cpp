#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/fitting/fitted_model.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using Words = std::vector<std::string>;
const std::string graph_of_300 = "csbm:n=300,classes=3,homophily=0.7,features=12,degree=6,signal=2";

/// Columns of CSV by title; no field here has a comma.
std::map<std::string, Words> columns_of(const std::string& text) {
  std::map<std::string, Words> out;
  Words titles;
  std::istringstream lines(text);
  std::string line, field;
  std::getline(lines, line);
  for (std::istringstream heads(line); std::getline(heads, field, ',');) titles.push_back(field);
  while (std::getline(lines, line)) {
    line += ",";  // so that an empty last field counts
    std::istringstream fields(line);
    for (const std::string& title : titles) {
      EXPECT_TRUE(std::getline(fields, field, ',')) << line;
      out[title].push_back(field);
    }
  }
  return out;
}

class PredictOutputs : public Program {
 protected:
  void train(const Words& more = {}) const {
    Words arguments =
        small_train(graph_of_300, {"--quiet", "--split", "30/30/40", "--save", "m.safetensors"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    done(arguments);
  }
};

TEST_F(PredictOutputs, SetsHoldTheClassesThatAreProbableEnoughAndTheirCoverageIsSaid) {
  train({"--conformal", "0.5"});
  const Outcome outcome = done({"predict", "m.safetensors", graph_of_300, "--coverage", "0.8"});
  auto columns = columns_of(outcome.out);
  ASSERT_EQ(columns.count("set"), 1u) << outcome.out.substr(0, 200);
  // One threshold for all: members are those classes whose probability is at least that.
  double least_member = 1, most_other = 0;
  for (std::size_t r = 0; r < 300; ++r) {
    for (int c = 0; c < 3; ++c) {
      const double p = std::stod(columns["p" + std::to_string(c)][r]);
      const bool member =
          ("|" + columns["set"][r] + "|").find("|" + std::to_string(c) + "|") != std::string::npos;
      (member ? least_member : most_other) = member ? std::min(least_member, p) : std::max(most_other, p);
    }
  }
  EXPECT_GE(least_member, most_other);
  EXPECT_GT(most_other, 0);
  const std::string said = "on 120 labelled items that training did not use, 0.8 asked";
  EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
  done({"predict", "m.safetensors", graph_of_300, "--coverage", "0.8", "-o", "p.npz"});
  EXPECT_EQ(NpzReader(folder_ / "p.npz").read_as<std::int32_t>("set").size(), 900u);
}

TEST_F(PredictOutputs, InspectSaysWhatLabelsWereUsedFor) {
  train({"--conformal", "0.5"});
  const std::string shown = done({"inspect", "m.safetensors"}).out;
  EXPECT_NE(shown.find("90 to learn from, 90 to choose by, 45 of these kept apart"), std::string::npos)
      << shown;
  EXPECT_EQ(shown.find("train_items"), std::string::npos) << "no parameter: " << shown;
}

TEST_F(PredictOutputs, TooFewItemsForACoverageGiveAllClassesAndOneLineThatSaysSo) {
  train({"--conformal", "0.05"});  // five of ninety
  const Outcome outcome = done({"predict", "m.safetensors", graph_of_300, "--coverage", "0.9"});
  EXPECT_NE(outcome.err.find("too few for --coverage 0.9, which takes 9"), std::string::npos) << outcome.err;
  const auto columns = columns_of(outcome.out);
  for (const std::string& set : columns.at("set")) ASSERT_EQ(set, "0|1|2");
}

TEST_F(PredictOutputs, SetsNeedItemsThatWereKeptApart) {
  train();
  refused({"predict", "m.safetensors", graph_of_300, "--coverage", "0.9"},
          {"--coverage 0.9", "kept no validation data apart", "--conformal"});
  refused({"predict", "m.safetensors", graph_of_300, "--coverage", "1.5"}, {"--coverage"});
}

TEST_F(PredictOutputs, NearestTrainingItemsAreThoseOfTheLearnedKernel) {
  train();
  const Dataset data = generate(graph_of_300);
  const FittedModel model = FittedModel::load(folder_ / "m.safetensors");
  const std::vector<std::int32_t>& training = model.card().train_items;
  ASSERT_EQ(training.size(), 90u);
  const NodeFeatures f = model.features(data);
  const auto cosine = [&](Index a, Index b) {
    double ab = 0, aa = 0, bb = 0;
    for (Index c = 0; c < f.width; ++c) {
      const double x = f.values[static_cast<std::size_t>(a * f.width + c)],
                   y = f.values[static_cast<std::size_t>(b * f.width + c)];
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    return ab / std::sqrt(aa * bb);
  };
  auto columns = columns_of(done({"predict", "m.safetensors", graph_of_300, "--explain"}).out);
  ASSERT_EQ(columns.count("near3"), 1u);
  EXPECT_EQ(columns.count("near4"), 0u);
  for (const Index node : {0, 17, 250, static_cast<int>(training[0])}) {
    const auto at = static_cast<std::size_t>(node);
    Index best = -1;
    for (const auto each : training) {
      if (each != node && (best < 0 || cosine(node, each) > cosine(node, best))) best = each;
    }
    EXPECT_EQ(columns["near1"][at], std::to_string(best));
    EXPECT_EQ(columns["near1_label"][at], std::to_string(data.label[static_cast<std::size_t>(best)]));
    EXPECT_NEAR(std::stod(columns["near1_similarity"][at]), cosine(node, best), 1e-4);
    EXPECT_GE(std::stod(columns["near1_similarity"][at]), std::stod(columns["near2_similarity"][at]));
  }
  EXPECT_EQ(columns_of(done({"predict", "m.safetensors", graph_of_300, "--explain", "1"}).out).count("near2"),
            0u);
}

TEST_F(PredictOutputs, OtherDataIsExplainedByTheTrainingDataThatIsNamed) {
  train();
  const std::string other = "csbm:n=50,classes=3,homophily=0.7,features=12,degree=6,signal=2,seed=9";
  refused({"predict", "m.safetensors", other, "--explain"}, {"is other data", "--training-data"});
  refused({"predict", "m.safetensors", other, "--training-data", graph_of_300},
          {"--training-data", "--explain"});
  auto columns =
      columns_of(done({"predict", "m.safetensors", other, "--explain", "--training-data", graph_of_300}).out);
  EXPECT_EQ(columns["near1"].size(), 50u);
}

TEST_F(PredictOutputs, TrainMeasuresCoverageOverSplits) {
  const Words arguments = small_train(graph_of_300, {"--quiet", "--split", "30/30/40", "--splits", "2"});
  Words with_json = arguments;
  with_json.insert(with_json.end(), {"--coverage", "0.8", "--json", "-"});
  const auto results = done(with_json).json();
  EXPECT_EQ(results.at("options").at("conformal"), 0.5);
  for (const auto& run : results.at("runs")) {
    EXPECT_EQ(run.at("coverage").at("asked"), 0.8);
    EXPECT_EQ(run.at("coverage").at("calibration_items"), 45);
    EXPECT_EQ(run.at("coverage").at("items"), 120);
  }
  EXPECT_GT(results.at("summary").at("test_coverage_mean").get<double>(), 0.5);
  EXPECT_GT(results.at("summary").at("test_set_size_mean").get<double>(), 0.5);
  Words shown = arguments;
  shown.insert(shown.end(), {"--coverage", "0.8"});
  EXPECT_NE(done(shown).out.find("where 80 % was asked"), std::string::npos);
}

}  // namespace
}  // namespace gdkm::testing
