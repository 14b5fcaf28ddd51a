#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using DataExport = Program;

TEST_F(DataExport, ExportedGraphIsImportedTheSame) {
  done({"data", "export", small_graph, "-o", "graph.npz"});
  const Outcome written = done({"data", "export", "graph.npz", "-o", "folder"});
  EXPECT_NE(written.out.find("gdkm data import folder -o graph.npz"), std::string::npos) << written.out;
  EXPECT_EQ(files(), (std::vector<std::string>{"folder", "folder/columns.csv", "folder/edges.csv",
                                               "folder/features.csv", "folder/labels.csv",
                                               "folder/splits.csv", "graph.npz"}));
  done({"data", "import", "folder", "-o", "again.npz"});
  EXPECT_EQ(read("again.npz"), read("graph.npz"));
}

TEST_F(DataExport, NothingIsOverwrittenWithoutForce) {
  done({"data", "export", small_graph, "-o", "folder"});
  refused({"data", "export", "er:n=20", "-o", "folder"}, {"folder", "--force"});
  done({"data", "export", "er:n=20", "-o", "folder", "--force"});
  done({"data", "import", "folder", "-o", "er.npz"});
  EXPECT_EQ(read_graph_npz(folder_ / "er.npz").graph.nodes, 20);
  refused({"data", "export", small_graph, "-o", "no/such/folder"}, {"no/such/folder"});
  refused({"data", "export", small_graph, "-o", "x", "--format", "xml"}, {"xml"});
  done({"data", "export", small_graph, "-o", "named.npz", "--format", "csv"});
  EXPECT_TRUE(std::filesystem::is_directory(folder_ / "named.npz"));
}

TEST_F(DataExport, AFormatThatIsNotWrittenIsRefusedByName) {
  refused({"data", "export", small_graph, "-o", "x.graphml"},
          {"x.graphml", "GraphML is not written", ".npz", "--format csv"});
  refused({"data", "export", small_graph, "-o", "x.csv"}, {"CSV file", "folder"});
  EXPECT_TRUE(files().empty());
  done({"data", "export", small_graph, "-o", "x.graphml", "--format", "csv"});
  EXPECT_TRUE(std::filesystem::is_directory(folder_ / "x.graphml"));
}

}  // namespace
}  // namespace gdkm::testing
