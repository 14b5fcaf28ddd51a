#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

/// Customers of fifteen cities, and a few new ones to predict for.
class NewTables : public Program {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  void SetUp() override {
    std::string nodes = "id,age,city,smokes,team\n", edges = "source,target\n";
    const char* smokes[] = {"yes", "no", "maybe"};
    for (int i = 0; i < 60; ++i) {
      nodes += fmt::format("n{},{},city{},{},{}\n", i, 20 + (i * 7) % 40, i % 15, smokes[i % 3],
                           i % 2 == 0 ? "red" : "blue");
      edges += fmt::format("n{},n{}\n", i, (i + 2) % 60);
    }
    write("nodes.csv", nodes);
    write("edges.csv", edges);
    done({"data", "import", "--edges", "edges.csv", "--nodes", "nodes.csv", "--label-column", "team", "-o",
          "all.npz"});
    done({"train", "all.npz", "--epochs", "3", "--inducing", "10", "--quiet", "--save", "m.safetensors"});
    std::filesystem::create_directory(folder_.path() / "few");
    std::string few = "id,age,city,smokes\n";
    for (int i = 0; i < 12; ++i) few += fmt::format("k{},,city{},{}\n", i, i, smokes[i % 2]);
    write("few/nodes.csv", few + "k12,,Atlantis,no\n");
    write("few/edges.csv", "source,target\nk0,k1\nk2,k3\n");
  }
};

/// Twelve different cities look like names, two answers like a flag, and an empty column like nothing.
TEST_F(NewTables, AreReadWithTheTypesOfTheModel) {
  const Outcome outcome = done({"predict", "m.safetensors", "few", "-o", "p.csv"});
  EXPECT_NE(outcome.err.find("'Atlantis', which counts as missing (1 node)"), std::string::npos)
      << outcome.err;
  EXPECT_NE(read("p.csv").find("k11,"), std::string::npos);
}

TEST_F(NewTables, AreImportedLikeThoseOfTheModel) {
  done({"data", "import", "few", "--like", "m.safetensors", "-o", "few.npz"});
  done({"predict", "m.safetensors", "few.npz", "-o", "a.csv"});
  done({"predict", "m.safetensors", "few", "-o", "b.csv"});
  EXPECT_EQ(read("a.csv"), read("b.csv"));
}

TEST_F(NewTables, OfOtherTypesAreRefusedByName) {
  done({"data", "import", "few", "-o", "few.npz"});
  refused({"predict", "m.safetensors", "few.npz"}, {"column"});
}

TEST_F(NewTables, AModelOfNodesWithoutFeaturesFindsThemByName) {
  write("labels.csv", [] {
    std::string out = "id,team\n";
    for (int i = 0; i < 60; ++i) out += fmt::format("n{},{}\n", i, i % 2 == 0 ? "red" : "blue");
    return out;
  }());
  done({"data", "import", "--edges", "edges.csv", "--labels", "labels.csv", "-o", "g.npz"});
  done({"train", "g.npz", "--epochs", "20", "--inducing", "30", "--quiet", "--save", "g.safetensors"});
  std::string turned = "id,team\n";
  for (int i = 59; i >= 0; --i) turned += fmt::format("n{},{}\n", i, i % 2 == 0 ? "red" : "blue");
  write("turned.csv", turned);
  done({"data", "import", "--edges", "edges.csv", "--labels", "turned.csv", "-o", "t.npz"});
  const auto predicted = [&](const std::string& data) {
    done({"predict", "g.safetensors", data, "-o", "p.csv"});
    std::istringstream lines(read("p.csv"));
    std::map<std::string, std::string> out;
    for (std::string line; std::getline(lines, line);) {
      const auto comma = line.find(',');
      out[line.substr(0, comma)] = line.substr(comma + 1, line.find(',', comma + 1) - comma - 1);
    }
    return out;
  };
  EXPECT_EQ(predicted("g.npz"), predicted("t.npz"));
  write("strangers.csv", "source,target\nn1,zoe\n");
  done({"data", "import", "strangers.csv", "-o", "s.npz"});
  refused({"predict", "g.safetensors", "s.npz"}, {"does not know the node 'zoe'"});
}

}  // namespace
}  // namespace gdkm::testing
