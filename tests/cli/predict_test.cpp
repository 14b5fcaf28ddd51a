#include <algorithm>
#include <cmath>
#include <sstream>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

struct Predictions {
  std::string header;
  std::vector<int> predicted;
  std::vector<double> probability;  // of all classes, node by node
};

Predictions parse_csv(const std::string& text) {
  Predictions out;
  std::istringstream lines(text);
  std::getline(lines, out.header);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    EXPECT_EQ(field, std::to_string(out.predicted.size()));
    std::getline(fields, field, ',');
    out.predicted.push_back(std::stoi(field));
    while (std::getline(fields, field, ',')) out.probability.push_back(std::stod(field));
  }
  return out;
}

class Predict : public Program {
 protected:
  nlohmann::ordered_json train(const std::vector<std::string>& more = {}) const {
    auto arguments = small_train(small_graph, {"--quiet", "--json", "-", "--save", "model.safetensors"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return done(arguments).json();
  }
  Predictions predict(const std::string& data) const {
    return parse_csv(done({"predict", "model.safetensors", data, "--threads", "2"}).out);
  }
};

TEST_F(Predict, CsvHasARowPerNodeAndProbabilities) {
  train();
  const Predictions found = predict(small_graph);
  EXPECT_EQ(found.header, "id,class,p0,p1,p2");
  ASSERT_EQ(found.predicted.size(), 90u);
  ASSERT_EQ(found.probability.size(), 270u);
  for (std::size_t node = 0; node < 90; ++node) {
    const double* p = found.probability.data() + 3 * node;
    EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-6);
    EXPECT_EQ(found.predicted[node], std::max_element(p, p + 3) - p);
  }
}

TEST_F(Predict, AccuracyIsTheOneThatTrainingReported) {
  const Dataset dataset = generate(small_graph);
  const auto& nodes = dataset.splits.at("public")[0].test;
  for (const char* scheme : {"inter", "intra"}) {
    const auto results = train({"--scheme", scheme});
    const Predictions found = predict(small_graph);
    ASSERT_EQ(found.probability.size(), 270u);
    int right = 0;
    double nll = 0;
    for (const auto node : nodes) {
      right += found.predicted[node] == dataset.label[node];
      nll -= std::log(found.probability[3 * node + dataset.label[node]]) / static_cast<double>(nodes.size());
    }
    const auto& test = results.at("runs")[0].at("test");
    EXPECT_NEAR(100.0 * right / static_cast<double>(nodes.size()), test["accuracy"].get<double>(), 1e-9);
    EXPECT_NEAR(nll, test["nll"].get<double>(), 1e-5);
  }
}

TEST_F(Predict, FileEndingChoosesTheFormat) {
  train();
  const std::string csv = done({"predict", "model.safetensors", small_graph, "--threads", "2"}).out;
  for (const char* file : {"out.csv", "out.npz"}) {
    const Outcome outcome = done({"predict", "model.safetensors", small_graph, "--threads", "2", "-o", file});
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_EQ(read("out.csv"), csv);
  const Predictions found = parse_csv(csv);
  const NpzReader npz(folder_ / "out.npz");
  const auto predicted = npz.read("class").as<std::int32_t>();
  EXPECT_EQ(std::vector<int>(predicted.begin(), predicted.end()), found.predicted);
  const auto probability = npz.read("probabilities");
  EXPECT_EQ(probability.shape(), (std::vector<std::int64_t>{90, 3}));
  const auto values = probability.as<double>();
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], found.probability[k], 1e-8);
}

TEST_F(Predict, InterDomainModelTakesAnotherGraphWithTheSameFeatures) {
  train();
  EXPECT_EQ(predict("csbm:n=60,classes=3,features=12,degree=6,seed=1").predicted.size(), 60u);
  refused({"predict", "model.safetensors", "csbm:n=60,features=13"}, {"12 features", "13", "trained on"});
}

TEST_F(Predict, ClassesAreThoseOfTheModel) {
  train({"--batches", "3"});
  const Predictions found = predict("csbm:n=60,classes=2,features=12,degree=6,seed=1");
  ASSERT_EQ(found.predicted.size(), 60u);
  ASSERT_EQ(found.probability.size(), 180u);
  for (std::size_t k = 0; k < 180; k += 3)
    EXPECT_NEAR(found.probability[k] + found.probability[k + 1] + found.probability[k + 2], 1, 1e-6) << k;
}

TEST_F(Predict, IntraDomainModelStaysWithItsGraph) {
  train({"--scheme", "intra"});
  EXPECT_EQ(predict(small_graph).predicted.size(), 90u);
  refused({"predict", "model.safetensors", small_graph + ",seed=1"}, {"intra", "--scheme inter"});
}

TEST_F(Predict, DoublePrecisionModelIsSavedAsSuch) {
  const auto results = train({"--precision", "float64"});
  EXPECT_EQ(predict(small_graph).predicted.size(), 90u);
  const auto card = done({"inspect", "model.safetensors", "--json"}).json();
  EXPECT_EQ(card.at("options").at("precision"), "float64");
  EXPECT_EQ(card.at("run").at("test"), results.at("runs")[0].at("test"));
}

TEST_F(Predict, OtherFilesAreNoModels) {
  done({"data", "generate", small_graph, "-o", "graph.npz"});
  for (const char* command : {"predict", "inspect"}) {
    const auto with = [&](const std::string& file) {
      return std::string(command) == "predict" ? std::vector<std::string>{command, file, small_graph}
                                               : std::vector<std::string>{command, file};
    };
    refused(with("missing"), {"missing", "no such file"});
    refused(with("graph.npz"), {"graph.npz", "not a safetensors file", "saved by gdkm"});
  }
}

TEST_F(Predict, InputsAreNotReplaced) {
  train();
  refused({"predict", "model.safetensors", small_graph, "-o", "model.safetensors"}, {"--output", "replace"});
  refused({"predict", "model.safetensors", small_graph, "-o", "none/out.csv"}, {"none/out.csv", "no folder"});
}

TEST_F(Predict, OtherFileEndingsAreRefused) {
  train();
  for (const char* file : {"out.xyz", "out.tsv", "out.csv.gz"})
    refused({"predict", "model.safetensors", small_graph, "-o", file}, {"--output", file, ".csv or .npz"});
  done({"predict", "model.safetensors", small_graph, "-o", "out"});
  EXPECT_EQ(read("out").substr(0, 9), "id,class,");
}

TEST_F(Predict, InspectShowsOptionsSizesAndTraining) {
  const auto results = train({"--nu", "0.5", "--seeds", "2"});
  const std::string text = done({"inspect", "model.safetensors"}).out;
  for (const char* word :
       {"dkm", "node classification", "csbm:n=90", "90 nodes, 12 features, 3 classes",
        "\n  nu                 0.5\n", "\n  scheme             inter\n", "\n  largest_component  false\n",
        "gram1.L", "15 x 12", "total", "loss", "test accuracy"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " not in:\n" << text;
  }
  for (const char* option : {"width", "dropout", "noise", "batch_size", "regression"})
    EXPECT_EQ(text.find(std::string("\n  ") + option), std::string::npos) << option << " in:\n" << text;
  const auto card = done({"inspect", "model.safetensors", "--json"}).json();
  EXPECT_EQ(card.at("task"), "node");
  EXPECT_FALSE(card.contains("graphs"));
  EXPECT_EQ(card.at("nodes"), 90);
  EXPECT_EQ(card.at("features"), 12);
  EXPECT_EQ(card.at("classes"), 3);
  EXPECT_EQ(card.at("options").at("nu"), 0.5);
  EXPECT_EQ(card.at("tensors").at("parameter.X_i").at("shape"), nlohmann::ordered_json::parse("[15, 12]"));
  // The run that was saved is the best on the validation nodes.
  for (const auto& run : results.at("runs"))
    EXPECT_LE(run.at("val").at("accuracy"), card.at("run").at("val").at("accuracy"));
}

TEST_F(Predict, InspectCountsNumbersToPredictAsSuch) {
  std::string edges, nodes = "id,width,height\n";
  for (int k = 0; k < 20; ++k) {
    if (k > 0) edges += std::to_string(k - 1) + "," + std::to_string(k) + "\n";
    nodes += std::to_string(k) + "," + std::to_string(k % 5) + "," + std::to_string(0.5 * (k % 5)) + "\n";
  }
  write_bytes(folder_ / "edges.csv", edges);
  write_bytes(folder_ / "nodes.csv", nodes);
  done({"data", "import", "--edges", "edges.csv", "--nodes", "nodes.csv", "--label-column", "height",
        "--regression", "-o", "heights.npz"});
  const std::string trained = done({"train", "heights.npz", "--inducing", "2", "--epochs", "2", "--quiet",
                                    "--save", "model.safetensors"})
                                  .out;
  EXPECT_NE(trained.find("(predicting the mean: "), std::string::npos) << trained;
  const std::string text = done({"inspect", "model.safetensors"}).out;
  EXPECT_NE(text.find("node regression"), std::string::npos) << text;
  EXPECT_NE(text.find("20 nodes, 1 feature, 1 target)"), std::string::npos) << text;
  const auto card = done({"inspect", "model.safetensors", "--json"}).json();
  EXPECT_EQ(card.at("targets"), 1);
  EXPECT_FALSE(card.contains("classes"));
}

}  // namespace
}  // namespace gdkm::testing
