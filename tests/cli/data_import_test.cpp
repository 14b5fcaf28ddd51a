#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

/// A small club as a spreadsheet would save it.
class DataImport : public Program {
 protected:
  DataImport() {
    write("edges.csv", "source,target\nann,bob\nbob,cat\ncat,ann\ncat,dan\ndan,eve\neve,fay\nfay,dan\n");
    write("people.csv",
          "id,age,member,team\nann,31,1,red\nbob,25,1,red\ncat,40,0,red\ndan,52,0,blue\neve,47,1,blue\nfay,"
          "60,0,blue\n");
  }
  void write(const std::string& name, const std::string& bytes) const { write_bytes(folder_ / name, bytes); }
  void expect_words(const std::string& text, const std::vector<std::string>& words) const {
    for (const auto& word : words)
      EXPECT_NE(text.find(word), std::string::npos) << word << " not in:\n" << text;
  }
  const std::vector<std::string> people{"data",       "import",         "--edges", "edges.csv", "--nodes",
                                        "people.csv", "--label-column", "team",    "-o",        "club.npz"};
};

TEST_F(DataImport, CsvBecomesADataSet) {
  const Outcome outcome = done(people);
  EXPECT_EQ(outcome.err, "");
  expect_words(outcome.out, {"club", "gdkm train club.npz"});
  const Dataset data = read_graph_npz(folder_ / "club.npz");
  EXPECT_EQ(data.graph.nodes, 6);
  EXPECT_EQ(data.graph.edges.size(), 7u);
  EXPECT_EQ(data.features.cols, 2);
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"blue", "red"}));
  EXPECT_EQ(data.node_names.back(), "fay");
  EXPECT_TRUE(data.splits.empty());
}

TEST_F(DataImport, MessagesOfTheLibrarySpellOptionsWithDashes) {
  write("y.csv", "id,team,age\nann,red,31\nbob,red,25\n");
  refused({"data", "import", "--edges", "edges.csv", "--labels", "y.csv", "-o", "club.npz"},
          {"y.csv", "3 columns", "--label-column"});
}

TEST_F(DataImport, TypesOfEdgesSurviveExportAndImport) {
  write("edges.csv",
        "source,target,kind\nann,bob,likes\nbob,cat,\"works, with\"\nann,bob,knows\nbob,ann,knows\n");
  auto command = people;
  command.insert(command.end(), {"--type-column", "kind"});
  const Outcome first = done(command);
  expect_words(first.out, {"edge types  3 (knows: 1, likes: 1, works, with: 1)"});
  expect_words(first.err, {"dropped 1 duplicate edge"});
  done({"data", "export", "club.npz", "-o", "folder"});
  done({"data", "import", "folder", "-o", "again.npz"});
  EXPECT_EQ(read("again.npz"), read("club.npz"));
  expect_words(done({"data", "info", "again.npz", "--json"}).out, {"\"works, with\": 1"});
  write("g.graphml",
        "<graphml><key id='t' for='edge' attr.name='bond'/><graph><node id='a'/><node id='b'/>"
        "<edge source='a' target='b'><data key='t'>double</data></edge></graph></graphml>");
  expect_words(done({"data", "import", "g.graphml", "--type-key", "bond", "-o", "g.npz"}).out,
               {"edge types  1 (double: 1)"});
  done({"data", "export", "g.npz", "-o", "bonds"});
  done({"data", "import", "bonds", "-o", "bonds.npz"});
  EXPECT_EQ(read_graph_npz(folder_ / "bonds.npz").graph.type_names, (std::vector<std::string>{"double"}));
  refused({"data", "import", "g.graphml", "--type-column", "bond", "-o", "g.npz"}, {"--type-key"});
  refused({"data", "import", "folder", "--type-key", "bond", "-o", "g.npz"}, {"--type-column"});
}

TEST_F(DataImport, SplitsAreMadeOnRequest) {
  auto command = people;
  command.insert(command.end(), {"--split", "per-class=1,val=2", "--split-count", "3", "--split-seed", "5"});
  done(command);
  const auto splits = read_graph_npz(folder_ / "club.npz").splits.at("public");
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_EQ(splits[2].train.size(), 2u);
  EXPECT_EQ(splits[2].val.size(), 2u);
  EXPECT_EQ(splits[2].test.size(), 2u);
}

TEST_F(DataImport, PossibleMistakesAreReported) {
  write("edges.csv", "ann,bob\nbob,ann\ncat,cat\n");
  write("people.csv", "id,age,team\nann,0,red\nbob,25,red\ncat,40,red\ndan,52,blue\neve,47,\n");
  const Outcome outcome = done(people);
  expect_words(outcome.err, {"dropped 1 duplicate edge", "1 edge is a self-loop", "3 nodes have no neighbour",
                             "1 node has only zero features", "1 node has no class",
                             "1 class has fewer than 3 nodes: 'blue'"});
  EXPECT_EQ(outcome.error_lines(), 6) << outcome.err;
  const Outcome bare = done({"data", "import", "edges.csv", "-o", "bare.npz", "--features", "ones"});
  expect_words(bare.err, {"no node has a class"});
  expect_words(bare.out, {"gdkm predict MODEL bare.npz"});
  EXPECT_EQ(read_graph_npz(folder_ / "bare.npz").features.dense, (std::vector<float>{1, 1, 1}));
}

TEST_F(DataImport, OtherFormatsAreToldByTheirContents) {
  write("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");
  write("y.csv", "1,a\n2,b\n3,a\n");
  done({"data", "import", "g.mtx", "--labels", "y.csv", "-o", "mtx.npz"});
  EXPECT_EQ(read_graph_npz(folder_ / "mtx.npz").label, (std::vector<std::int32_t>{0, 1, 0}));
  write("g.xml",
        "<graphml><key id='k' for='node' attr.name='team' attr.type='string'/><graph edgedefault='directed'>"
        "<node id='x'><data key='k'>red</data></node><node id='y'/><edge source='x' "
        "target='y'/></graph></graphml>");
  done({"data", "import", "g.xml", "--label-key", "team", "-o", "xml.npz"});
  const Dataset xml = read_graph_npz(folder_ / "xml.npz");
  EXPECT_TRUE(xml.graph.directed);
  EXPECT_EQ(xml.class_names, std::vector<std::string>{"red"});
}

TEST_F(DataImport, BadRequestsAreRefused) {
  refused({"data", "import", "-o", "x.npz"}, {"no edges are given", "--edges"});
  refused({"data", "import", "edges.csv"}, {"--output"});
  refused({"data", "import", "edges.csv", "-o", "x.csv"}, {"--output x.csv", ".npz"});
  refused({"data", "import", "nothing.csv", "-o", "x.npz"}, {"nothing.csv", "no such file"});
  refused({"data", "import", "edges.csv", "--labels", "people.csv", "-o", "x.npz"},
          {"people.csv", "--label-column"});
  refused({"data", "import", "edges.csv", "--split", "60/20/20", "-o", "x.npz"}, {"no node has a class"});
  refused({"data", "import", "edges.csv", "--split", "6/2/2", "-o", "x.npz"}, {"'6/2/2'", "100"});
  refused({"data", "import", "edges.csv", "--header", "--no-header", "-o", "x.npz"}, {"--header"});
  refused({"data", "import", "edges.csv", "--label-key", "k", "-o", "x.npz"}, {"GraphML"});
  refused({"data", "import", "edges.csv", "--nodes", "people.csv", "--features", "identity", "-o", "x.npz"},
          {"people.csv", "2 feature columns", "--ignore-columns"});
  refused({"data", "import", "edges.csv", "--ordinal", "size", "-o", "x.npz"}, {"--ordinal", "size=small"});
  refused({"data", "import", "edges.csv", "--missing", "guess", "-o", "x.npz"}, {"--missing", "guess"});
  refused({"data", "import", "data.pt", "-o", "x.npz"},
          {"data.pt", "numpy.savez", "edge_index=data.edge_index"});
  refused({"train", "graph.gpickle"}, {"graph.gpickle"});
  write("graph.npz", "this is no archive");
  refused({"data", "import", "graph.npz", "-o", "graph.npz"},
          {"would replace a file that the command reads"});
}

TEST_F(DataImport, WhatWasAssumedIsSaidInOneLineEach) {
  write("people.csv",
        "id,age,city,joined,team\nann,31,Rome,2021,red\nbob,,Oslo,2020,red\ncat,40,Rome,2021,red\n"
        "dan,52,Rome,2019,blue\neve,47,Oslo,2021,blue\nfay,60,Rome,2020,blue\n");
  const Outcome outcome =
      done({"data", "import", "--edges", "edges.csv", "--nodes", "people.csv", "-o", "club.npz"});
  expect_words(outcome.err, {"people.csv: the class is column 'team'; choose another with --label-column",
                             "missing values are filled and marked: 'age' (1)",
                             "columns of text are categories: 'city' (2 values)"});
  EXPECT_EQ(outcome.error_lines(), 3) << outcome.err;
}

TEST_F(DataImport, ASplitOfTwoNumbersIsTrainAndTest) {
  auto command = people;
  command.insert(command.end(), {"--split", "50/50"});
  const Outcome outcome = done(command);
  expect_words(outcome.err, {"--split 50/50: a fifth of the training part validates", "40/10/50",
                             "the test part has only 3 nodes"});
  EXPECT_EQ(read_graph_npz(folder_ / "club.npz").splits.at("public")[0].test.size(), 3u);
}

TEST_F(DataImport, AGraphTrainsDirectlyFromItsFile) {
  std::filesystem::create_directory(folder_ / "mine");
  write("mine/edges.csv", read("edges.csv"));
  write("mine/nodes.csv", read("people.csv"));
  write("g.gml",
        "graph [ node [ id 0 club \"a\" ] node [ id 1 club \"b\" ] node [ id 2 club \"a\" ]\n"
        "node [ id 3 club \"b\" ] node [ id 4 club \"a\" ] edge [ source 0 target 2 ] edge [ source 1 target "
        "3 ] ]");
  const std::vector<std::string> quickly{"--epochs", "2", "--inducing", "2", "--split", "per-class=1,val=1"};
  for (const std::string data : {"mine/", "g.gml"}) {
    std::vector<std::string> command{"train", data};
    command.insert(command.end(), quickly.begin(), quickly.end());
    expect_words(done(command).err, {"the class is"});
    expect_words(done({"data", "info", data}).err, {"the class is"});
  }
  const Outcome bare = gdkm({"train", "edges.csv"});
  EXPECT_EQ(bare.status, 2);
  expect_words(bare.err,
               {"a list of edges has no classes", "gdkm data import", "--labels", "no node has a label"});
  write("g.gml",
        "graph [ node [ id 0 colour \"a\" ] node [ id 1 colour \"b\" ] edge [ source 0 target 1 ] ]");
  expect_words(gdkm({"train", "g.gml"}).err, {"gdkm data import", "--label-key", "'colour'"});
}

TEST_F(DataImport, ImportedGraphTrainsAndPredictsByName) {
  auto command = people;
  command.insert(command.end(), {"--split", "34/33/33"});
  done(command);
  done({"train", "club.npz", "--inducing", "6", "--epochs", "50", "--save", "club.safetensors", "--quiet"});
  const std::string table = done({"predict", "club.safetensors", "club.npz"}).out;
  expect_words(table, {"id,class", "\nann,", "\nfay,"});
}

TEST_F(DataImport, OptionsThatAnNpzOrAGraphMlFileIgnoresAreRefused) {
  done(people);
  const std::vector<std::vector<std::string>> given{{"--categories", "a"},    {"--missing", "refuse"},
                                                    {"--missing", "fill"},    {"--ignore-columns", "a"},
                                                    {"--ordinal", "a=b,c"},   {"--id-column", "a"},
                                                    {"--source-column", "a"}, {"--target-column", "a"},
                                                    {"--weight-column", "a"}, {"--header"},
                                                    {"--no-header"},          {"--regression"},
                                                    {"--features", "ones"},   {"--label-column", "a"},
                                                    {"--label-key", "a"},     {"--weight-key", "a"}};
  for (const auto& options : given) {
    std::vector<std::string> command{"data", "import", "club.npz", "-o", "x.npz"};
    command.insert(command.end(), options.begin(), options.end());
    refused(command, {"club.npz", "leave out " + options[0]});
  }
  refused({"data", "import", "club.npz", "--header", "--regression", "-o", "x.npz"},
          {"leave out --header, --regression"});
  write("g.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]");
  refused({"data", "import", "g.gml", "--header", "-o", "x.npz"}, {"--header", "GML has no header line"});
  refused({"data", "import", "g.gml", "--no-header", "-o", "x.npz"}, {"--no-header", "GML"});
}

TEST_F(DataImport, WholeGraphsAndSpreadsheetsAreNoTables) {
  write("g.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]");
  write("g.json", "{\"nodes\": [], \"links\": []}");
  write("g.graphml", "<graphml/>");
  for (const std::string table : {"--edges", "--nodes", "--features", "--labels"}) {
    const auto import = [&](const std::string& file) {
      std::vector<std::string> out{"data", "import", table, file, "-o", "x.npz"};
      if (table != "--edges") out.insert(out.end(), {"--edges", "edges.csv"});
      return out;
    };
    refused(import("people.xlsx"), {"people.xlsx", "is a spreadsheet"});
    refused(import("data.pt"), {"data.pt", "numpy.savez"});
    refused(import("g.gpickle"), {"g.gpickle", "is a pickle"});
    refused(import("g.gml"), {"g.gml: is GML; give it as FILE", table});
    refused(import("g.json"), {"g.json: is JSON node-link; give it as FILE", table});
    refused(import("g.graphml"), {"g.graphml: is GraphML; give it as FILE", table});
  }
}

TEST_F(DataImport, AFolderDescribesNodesOnce) {
  std::filesystem::create_directory(folder_ / "mine");
  write("mine/edges.csv", read("edges.csv"));
  write("mine/nodes.csv", read("people.csv"));
  write("mine/labels.csv", "id,team\nann,red\n");
  refused({"data", "import", "mine", "-o", "x.npz"}, {"nodes.csv", "labels.csv", "both describe the nodes"});
}

TEST_F(DataImport, FilesThatAreReadDirectlySendTheirOptionsToTheImport) {
  std::filesystem::create_directory(folder_ / "mine");
  write("mine/edges.csv", read("edges.csv"));
  write("mine/nodes.csv", read("people.csv"));
  expect_words(done({"data", "info", "mine/"}).err,
               {"choose another with --label-column", "columns, ids and classes with 'gdkm data import'"});
  write("mine/nodes.csv", read("people.csv") + "ann,3,1,red\n");
  refused({"data", "info", "mine/"},
          {"more than one row", "--id-column chooses another", "'gdkm data import mine", "-o graph.npz'"});
}

}  // namespace
}  // namespace gdkm::testing
