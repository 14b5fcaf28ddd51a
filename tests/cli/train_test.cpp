#include <set>
#include <sstream>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using Json = nlohmann::ordered_json;

class Train : public Program {
 protected:
  Json results(const std::string& data, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--quiet", "--json", "-"});
    return done(small_train(data, more)).json();
  }
};

std::set<std::string> keys(const Json& object) {
  std::set<std::string> out;
  for (const auto& [key, value] : object.items()) out.insert(key);
  return out;
}

void expect_metrics(const Json& metrics, bool two_classes) {
  std::set<std::string> expected{
      "accuracy", "nll", "ece", "reliability", "f1_macro", "f1_weighted", "balanced_accuracy", "confusion"};
  if (two_classes) expected.insert("auc");
  EXPECT_EQ(keys(metrics), expected);
  EXPECT_GE(metrics.at("accuracy").get<double>(), 0);
  EXPECT_LE(metrics.at("accuracy").get<double>(), 100);
  EXPECT_GT(metrics.at("nll").get<double>(), 0);
  for (const char* fraction : {"ece", "auc", "f1_macro", "f1_weighted"}) {
    if (!metrics.contains(fraction)) continue;
    EXPECT_GE(metrics.at(fraction).get<double>(), 0);
    EXPECT_LE(metrics.at(fraction).get<double>(), 1);
  }
}

TEST_F(Train, JsonHasTheFieldsThatScriptsRelyOn) {
  const Json out = results(small_graph, {"--seeds", "2", "--splits", "3", "--seed", "5", "--nu", "0.1,inf"});
  EXPECT_EQ(keys(out), (std::set<std::string>{"dataset", "task", "model", "options", "runs", "summary"}));
  EXPECT_EQ(out.at("dataset"), small_graph);
  EXPECT_EQ(out.at("task"), "node");
  EXPECT_EQ(out.at("model"), "dkm");
  EXPECT_EQ(out.at("options").at("nu"), Json::parse(R"([0.1, "inf"])"));
  EXPECT_EQ(out.at("options").at("inducing"), 15);
  EXPECT_EQ(out.at("options").at("scheme"), "inter");
  EXPECT_EQ(out.at("options").at("seeds"), 2);
  ASSERT_EQ(out.at("runs").size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    const Json& run = out.at("runs")[k];
    EXPECT_EQ(run.at("split"), k / 2);
    EXPECT_EQ(run.at("seed"), 5 + k % 2);
    EXPECT_EQ(run.at("epochs"), 30);
    EXPECT_GT(run.at("seconds").get<double>(), 0);
    for (const char* part : {"train", "val", "test"}) expect_metrics(run.at(part), false);
  }
  for (const std::string part : {"val", "test"}) {
    double mean = 0;
    for (const Json& run : out.at("runs")) mean += run.at(part).at("accuracy").get<double>() / 6;
    EXPECT_NEAR(out.at("summary").at(part + "_accuracy_mean").get<double>(), mean, 1e-9);
    EXPECT_GE(out.at("summary").at(part + "_accuracy_std").get<double>(), 0);
  }
}

TEST_F(Train, TwoClassesHaveAnAuc) {
  const Json out = results("minesweeper:rows=10,cols=10");
  for (const char* part : {"train", "val", "test"}) expect_metrics(out.at("runs")[0].at(part), true);
  EXPECT_TRUE(out.at("summary").contains("test_auc_mean"));
}

TEST_F(Train, ClassesThatAreTakenForOthersAreShownUnlessItIsQuiet) {
  const Outcome shown = done(small_train(small_graph, {"--splits", "2"}));
  const auto at = shown.out.find("true \\ predicted");
  ASSERT_NE(at, std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("test macro F1"), std::string::npos) << shown.out;
  std::istringstream table(shown.out.substr(at));
  std::vector<std::size_t> ends;
  std::int64_t counted = 0;
  std::string line;
  for (std::getline(table, line); std::getline(table, line);) {
    ends.push_back(line.size());
    std::istringstream words(line);
    std::int64_t of_class = 0, a = 0, b = 0, c = 0;
    words >> of_class >> a >> b >> c;
    counted += a + b + c;
  }
  ASSERT_EQ(ends.size(), 3u) << shown.out;
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
  const Json results = this->results(small_graph, {"--splits", "2"});
  std::int64_t tested = 0;
  for (const Json& run : results.at("runs")) {
    for (const Json& row : run.at("test").at("confusion")) {
      for (const Json& count : row) tested += count.get<std::int64_t>();
    }
  }
  EXPECT_EQ(counted, tested);
  EXPECT_EQ(done(small_train(small_graph, {"--quiet"})).out.find("true \\ predicted"), std::string::npos);
}

TEST_F(Train, NngpIsTheDkmAtInfinity) {
  Json nngp = without_seconds(results(small_graph, {"--model", "nngp"}));
  Json dkm = without_seconds(results(small_graph, {"--nu", "inf"}));
  EXPECT_EQ(nngp.at("model"), "nngp");
  EXPECT_EQ(nngp.at("runs"), dkm.at("runs"));
  EXPECT_NE(dkm.at("runs"), without_seconds(results(small_graph, {"--nu", "0.1"})).at("runs"));
}

TEST_F(Train, SameSeedGivesTheSameResults) {
  for (const char* scheme : {"inter", "intra"}) {
    const Json first = without_seconds(results(small_graph, {"--scheme", scheme, "--seed", "3"}));
    EXPECT_EQ(first.dump(),
              without_seconds(results(small_graph, {"--scheme", scheme, "--seed", "3"})).dump());
    EXPECT_NE(first.at("runs").dump(),
              without_seconds(results(small_graph, {"--scheme", scheme, "--seed", "4"})).at("runs").dump());
  }
}

TEST_F(Train, ResultsGoToStandardOutputAndProgressToStandardError) {
  const Outcome shown = done(small_train(small_graph));
  EXPECT_NE(shown.out.find("test accuracy"), std::string::npos) << shown.out;
  EXPECT_EQ(shown.out.find("30/30"), std::string::npos) << shown.out;
  EXPECT_NE(shown.err.find("30/30"), std::string::npos) << shown.err;
  EXPECT_EQ(shown.err.find("accuracy"), std::string::npos) << shown.err;
  EXPECT_EQ(shown.err.find('\x1b'), std::string::npos) << "escapes in a file: " << shown.err;

  const Outcome json = done(small_train(small_graph, {"--json", "-"}));
  EXPECT_TRUE(json.json().is_object());
  EXPECT_NE(json.err.find("30/30"), std::string::npos) << json.err;
  EXPECT_EQ(done(small_train(small_graph, {"--quiet"})).err, "");
}

TEST_F(Train, JsonFileComesBesideTheTable) {
  const Outcome shown = done(small_train(small_graph, {"--quiet", "--json", "results.json"}));
  EXPECT_NE(shown.out.find("test accuracy"), std::string::npos) << shown.out;
  EXPECT_EQ(without_seconds(Json::parse(read("results.json"))), without_seconds(results(small_graph)));
  EXPECT_EQ(files(), std::vector<std::string>{"results.json"});
}

TEST_F(Train, InducingPointsAreLoweredToTheNodesWithOneWarning) {
  const Outcome outcome = done({"train", small_graph, "--epochs", "3", "--inducing", "500", "--json", "-"});
  EXPECT_EQ(outcome.json().at("options").at("inducing"), 90);
  const auto warning = outcome.err.find("warning: ");
  ASSERT_NE(warning, std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--inducing 500"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("90"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning: ", warning + 1), std::string::npos) << outcome.err;
  EXPECT_EQ(done({"train", small_graph, "--epochs", "3", "--inducing", "500", "--quiet"}).err, "");
}

TEST_F(Train, EdgeWeightsAreUsed) {
  Dataset dataset = generate(small_graph);
  write_graph_npz(dataset, folder_ / "plain.npz");
  for (std::size_t k = 0; k < dataset.graph.edges.size(); ++k) {
    dataset.graph.weight.push_back(k % 2 == 0 ? 5.0f : 0.1f);
  }
  write_graph_npz(dataset, folder_ / "weighted.npz");
  EXPECT_NE(without_seconds(results("plain.npz")).at("runs"),
            without_seconds(results("weighted.npz")).at("runs"));
}

TEST_F(Train, FileAndGeneratorGiveTheSameResults) {
  done({"data", "generate", small_graph, "-o", "graph.npz"});
  EXPECT_EQ(without_seconds(results("graph.npz")).at("runs"),
            without_seconds(results(small_graph)).at("runs"));
}

TEST_F(Train, DataIsFoundByNameInTheFolderOfTheEnvironment) {
  std::filesystem::create_directories(folder_ / "sets/mine");
  done({"data", "generate", small_graph, "-o", "sets/mine/mine.npz"});
  RunOptions options;
  options.environment["GDKM_DATA"] = "sets";
  EXPECT_EQ(done(small_train("mine", {"--json", "-"}), options).json().at("dataset"), "mine");
}

}  // namespace
}  // namespace gdkm::testing
