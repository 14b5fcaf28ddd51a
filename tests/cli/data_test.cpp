#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using Data = Program;

TEST_F(Data, GeneratedFileHoldsWhatTheGeneratorMakes) {
  const Outcome written = done({"data", "generate", small_graph, "-o", "graph.npz"});
  EXPECT_NE(written.out.find("graph.npz: 90 nodes, 12 features, 3 classes"), std::string::npos)
      << written.out;
  auto file = done({"data", "info", "graph.npz", "--json"}).json();
  auto generator = done({"data", "info", small_graph, "--json"}).json();
  EXPECT_EQ(file.at("name"), "graph");
  EXPECT_EQ(file.at("nodes"), 90);
  EXPECT_EQ(file.at("features"), 12);
  EXPECT_EQ(file.at("class_count"), nlohmann::ordered_json::parse("[30, 30, 30]"));
  EXPECT_EQ(file.at("splits").at("public").at("count"), 10);
  file.erase("name");
  generator.erase("name");
  EXPECT_EQ(file, generator);
}

TEST_F(Data, FileIsNamedAfterItsGeneratorByDefault) {
  done({"data", "generate", "er:n=30"});
  EXPECT_EQ(files(), std::vector<std::string>{"er.npz"});
}

TEST_F(Data, InfoIsReadable) {
  const std::string text = done({"data", "info", small_graph}).out;
  for (const char* word : {"node classification", "nodes       90", "classes     3 (nodes: 30, 30, 30)",
                           "homophily", "public: 10 splits"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " not in:\n" << text;
  }
}

TEST_F(Data, ListShowsFilesAndGenerators) {
  const std::string none = done({"data", "list"}).out;
  for (const char* word : {"roman-empire", "--data-dir", "GDKM_DATA", "minesweeper:", "csbm:", "homophily"}) {
    EXPECT_NE(none.find(word), std::string::npos) << word << " not in:\n" << none;
  }
  std::filesystem::create_directories(folder_ / "sets/mine");
  done({"data", "generate", small_graph, "-o", "sets/mine/mine.npz"});
  const std::string one = done({"data", "list", "--data-dir", "sets"}).out;
  EXPECT_NE(one.find("mine  "), std::string::npos) << one;
  EXPECT_NE(one.find("sets/mine/mine.npz"), std::string::npos) << one;
}

TEST_F(Data, InfoOfWhatIsKnownButNotHereSaysHowToGetIt) {
  const std::string text = done({"data", "info", "roman-empire"}).out;
  for (const char* word : {"not on this machine", "22662", "yandex-research", "gdkm data fetch roman-empire"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " not in:\n" << text;
  refused({"data", "info", "roman-empire", "--json"},
          {"'roman-empire' is not on this machine", "gdkm data fetch"});
}

}  // namespace
}  // namespace gdkm::testing
