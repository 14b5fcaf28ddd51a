#include <fmt/format.h>

#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

class Models : public Program {};

TEST_F(Models, EveryModelTrainsFromTheCommandLine) {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--model", "gcn", "--width", "8"},
           {"--model", "gcn", "--arch", "platonov", "--batch-norm"},
           {"--model", "nngp", "--exact"},
           {"--model", "nngp", "--exact", "--network", "sage"},
           {"--model", "dkm", "--exact", "--epochs", "5"},
           {"--arch", "resid", "--inducing", "10", "--epochs", "5"},
           {"--arch", "platonov", "--center", "--affine", "--inducing", "10", "--epochs", "5"},
           {"--arch", "algorithm1", "--inducing", "10", "--epochs", "5"},
           {"--batches", "3", "--inducing", "10", "--epochs", "5"},
           {"--split", "per-class=5,val=20", "--inducing", "10", "--epochs", "5"}}) {
    std::vector<std::string> arguments{"train", small_graph, "--quiet", "--json", "-"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto json = done(arguments).json();
    EXPECT_TRUE(json.at("summary").contains("test_accuracy_mean")) << options[1];
  }
}

TEST_F(Models, ASavedGcnPredictsWhatItDidInTraining) {
  const auto json = done({"train", small_graph, "--model", "gcn", "--batch-norm", "--quiet", "--json", "-",
                          "--save", "gcn.safetensors"})
                        .json();
  const std::string csv = done({"predict", "gcn.safetensors", small_graph}).out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 91);
  const std::string shown = done({"inspect", "gcn.safetensors"}).out;
  for (const char* words : {"a gcn trained", "\n  batch_norm         true\n", "\n  width "})
    EXPECT_NE(shown.find(words), std::string::npos) << words << " not in:\n" << shown;
  for (const char* option : {"nu", "scheme", "inducing", "kernel", "jitter"})
    EXPECT_EQ(shown.find(std::string("\n  ") + option + " "), std::string::npos) << option << " in:\n"
                                                                                 << shown;
  EXPECT_GT(json.at("summary").at("test_accuracy_mean").get<double>(), 30);
}

TEST_F(Models, OptionsOfAnotherModelAreRefused) {
  refused({"train", small_graph, "--model", "gcn", "--nu", "1"}, {"--nu", "gcn"});
  refused({"train", small_graph, "--dropout", "0.1"}, {"--dropout", "--model gcn"});
  refused({"train", small_graph, "--exact", "--inducing", "5"}, {"--inducing", "exact"});
  refused({"train", small_graph, "--model", "nngp", "--exact", "--save", "x.safetensors"},
          {"--save", "--exact"});
  refused({"train", small_graph, "--model", "nngp", "--exact", "--network", "rbf", "--layers", "3"},
          {"--layers"});
  refused({"train", small_graph, "--affine"}, {"--affine", "--center"});
}

TEST_F(Models, PreprocessingIsPartOfASavedModel) {
  write_bytes(folder_ / "edges.csv", "a,b\nb,c\nc,a\nd,e\nc,c\n");
  write_bytes(folder_ / "nodes.csv",
              "id,height,width,team\na,1,0,red\nb,1,1,red\nc,0,1,blue\nd,2,1,blue\ne,1,2,red\n");
  done({"data", "import", "--edges", "edges.csv", "--nodes", "nodes.csv", "--label-column", "team", "-o",
        "club.npz", "--directed"});
  done({"train", "club.npz", "--split", "60/20/20", "--largest-component", "--directed", "--keep-self-loops",
        "--degree-features", "--inducing", "3", "--epochs", "5", "--quiet", "--save", "club.safetensors"});
  const std::string csv = done({"predict", "club.safetensors", "club.npz"}).out;
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "id,class,blue,red");
  EXPECT_NE(csv.find("\na,"), std::string::npos) << csv;
  EXPECT_EQ(csv.find("\nd,"), std::string::npos) << "d is not in the largest component\n" << csv;
  const std::string shown = done({"inspect", "club.safetensors"}).out;
  for (const char* option : {"largest_component  true", "directed           true", "keep_self_loops    true",
                             "degree_features    true"})
    EXPECT_NE(shown.find(option), std::string::npos) << shown;
}

}  // namespace
}  // namespace gdkm::testing
