#include <cmath>
#include <fstream>
#include <sstream>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/fitting/fitted_model.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using Words = std::vector<std::string>;

/// Numbers under titles, each row after its name.
struct Table {
  std::vector<std::string> titles, names;
  std::vector<std::vector<double>> rows;
};

Table parse(const std::string& text) {
  Table out;
  std::istringstream lines(text);
  std::string line, field;
  std::getline(lines, line);
  std::istringstream heads(line);
  while (std::getline(heads, field, ',')) out.titles.push_back(field);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::getline(fields, field, ',');
    out.names.push_back(field);
    out.rows.emplace_back();
    while (std::getline(fields, field, ',')) out.rows.back().push_back(std::stod(field));
  }
  return out;
}

/// A graph whose nodes have names, and a model of it.
class Embed : public Program {
 protected:
  Embed() {
    graph_ = generate(small_graph);
    for (int k = 0; k < 90; ++k) graph_.node_names.push_back("n" + std::to_string(100 + k));
    write_graph_npz(graph_, folder_ / "graph.npz");
    done(small_train("graph.npz", {"--quiet", "--save", "model.safetensors"}));
  }
  Table embed(const Words& more) const {
    Words arguments{"embed", "model.safetensors", "graph.npz", "--threads", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return parse(done(arguments).out);
  }

  Dataset graph_;
};

TEST_F(Embed, FeaturesAreThoseOfTheLibraryUnderTheNamesOfNodes) {
  const FittedModel model = FittedModel::load(folder_ / "model.safetensors");
  const Dataset graph = read_graph_npz(folder_ / "graph.npz");
  for (const int layer : {-1, 0}) {
    const NodeFeatures features = model.features(graph, layer);
    const Table table = embed({"--layer", std::to_string(layer)});
    ASSERT_EQ(table.names.size(), 90u);
    EXPECT_EQ(table.names[3], "n103");
    ASSERT_EQ(table.titles.size(), 1 + static_cast<std::size_t>(features.width));
    EXPECT_EQ(table.titles[1], "f0");
    for (std::size_t r = 0; r < 90; ++r) {
      for (std::size_t c = 0; c < table.rows[r].size(); ++c)
        EXPECT_NEAR(table.rows[r][c], features.values[r * table.rows[r].size() + c], 1e-5);
    }
  }
}

TEST_F(Embed, KernelIsBetweenTheNodesThatAreNamed) {
  const FittedModel model = FittedModel::load(folder_ / "model.safetensors");
  const Dense kernel = model.kernel(read_graph_npz(folder_ / "graph.npz"), {5, 2}, {2, 5, 60});
  std::ofstream(folder_ / "columns.txt") << "n102\r\nn105\n60\n";
  const Table table = embed({"--kernel", "--rows", "n105,2", "--columns", "columns.txt"});
  EXPECT_EQ(table.titles, (Words{"id", "n102", "n105", "n160"}));
  EXPECT_EQ(table.names, (Words{"n105", "n102"}));
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(table.rows[r][c], kernel(static_cast<Index>(r), static_cast<Index>(c)), 1e-4);
  }
  EXPECT_EQ(embed({"--kernel", "--rows", "n105,2"}).titles, (Words{"id", "n105", "n102"}));
}

TEST_F(Embed, FileEndingChoosesTheFormat) {
  const Table table = embed({});
  done({"embed", "model.safetensors", "graph.npz", "-o", "out.npz", "--threads", "2"});
  const NpzReader archive(folder_ / "out.npz");
  const auto features = archive.read_as<double>("features");
  ASSERT_EQ(features.size(), 90 * table.rows[0].size());
  EXPECT_NEAR(features[table.rows[0].size()], table.rows[1][0], 1e-5);
  EXPECT_EQ(archive.read("names").strings()[89], "n189");
  done({"embed", "model.safetensors", "graph.npz", "-o", "out.parquet", "--threads", "2"});
  const std::string parquet = read("out.parquet");
  EXPECT_TRUE(parquet.starts_with("PAR1") && parquet.ends_with("PAR1"));
  EXPECT_NE(parquet.find("n189"), std::string::npos);
  EXPECT_GT(parquet.size(), 90 * table.rows[0].size() * sizeof(double));
}

TEST_F(Embed, RefusesWhatItCannotShow) {
  const Words embed{"embed", "model.safetensors", "graph.npz"};
  const auto with = [&](const Words& more) {
    Words out = embed;
    out.insert(out.end(), more.begin(), more.end());
    return out;
  };
  refused(with({"--kernel"}), {"--kernel", "--rows"});
  refused(with({"--columns", "3"}), {"--columns", "--kernel"});
  refused(with({"--rows", "n105,nobody"}), {"--rows", "'nobody'", "90 rows"});
  refused(with({"--rows", "90"}), {"--rows", "'90'", "0 to 89"});
  refused(with({"--layer", "7"}), {"layer 7", "0 to"});
  refused(with({"--nodes"}), {"--nodes", "predicts nodes"});
  refused(with({"-o", "out.txt"}), {"--output out.txt", ".parquet"});
}

TEST_F(Embed, OfGraphsARowIsAGraphUnlessNodesAreAskedFor) {
  std::filesystem::create_directories(folder_ / "sets/DS");
  std::ofstream edges(folder_ / "sets/DS/DS_A.txt"), which(folder_ / "sets/DS/DS_graph_indicator.txt"),
      labels(folder_ / "sets/DS/DS_graph_labels.txt"), kinds(folder_ / "sets/DS/DS_node_labels.txt");
  for (int g = 0; g < 20; ++g) {
    labels << g % 2 << "\n";
    for (int k = 0; k < 3; ++k) {
      const int node = 3 * g + k + 1;
      which << g + 1 << "\n";
      kinds << (k + g % 2) % 3 << "\n";
      if (k > 0) edges << node - 1 << ", " << node << "\n" << node << ", " << node - 1 << "\n";
    }
  }
  for (std::ofstream* file : {&edges, &which, &labels, &kinds}) file->close();
  done(small_train("sets/DS", {"--quiet", "--split", "60/20/20", "--save", "graphs.safetensors"}));
  const Table graphs = parse(done({"embed", "graphs.safetensors", "sets/DS"}).out),
              nodes = parse(done({"embed", "graphs.safetensors", "sets/DS", "--nodes"}).out);
  ASSERT_EQ(graphs.rows.size(), 20u);
  ASSERT_EQ(nodes.rows.size(), 60u);
  for (std::size_t c = 0; c < graphs.rows[4].size(); ++c)
    EXPECT_NEAR(graphs.rows[4][c], (nodes.rows[12][c] + nodes.rows[13][c] + nodes.rows[14][c]) / 3, 1e-5);
}

}  // namespace
}  // namespace gdkm::testing
