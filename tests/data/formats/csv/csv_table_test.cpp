#include <gtest/gtest.h>

#include "gdkm/data/formats/csv/csv_export.hpp"
#include "gdkm/data/formats/csv/csv_header.hpp"
#include "gdkm/data/formats/import_graph.hpp"
#include "tests/data/formats/csv/csv_folder_test.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Names = std::vector<std::string>;

/// Tables of nodes as people have them.
class CsvTableTest : public testing::CsvFolderTest {};

TEST_F(CsvTableTest, TypesOfColumnsFollowFromTheirFields) {
  const Dataset data =
      read("ann,bob\nbob,cat\n",
           "id,age,member,city,group\nann,31,True,Rome,x\nbob,,False,Oslo,y\ncat,20,True,Rome,x\n"
           "dan,9,True,Rome,y\n");
  EXPECT_EQ(data.columns.kind, FeatureColumns::Kind::table);
  EXPECT_EQ(data.columns.table, (std::vector<TableColumn>{{"age", ColumnType::number, {}, true},
                                                          {"member", ColumnType::flag},
                                                          {"city", ColumnType::category, {"Oslo", "Rome"}}}));
  EXPECT_EQ(data.features.dense,
            (std::vector<float>{31, 0, 1, 0, 1, 20, 1, 0, 1, 0, 20, 0, 1, 0, 1, 9, 0, 1, 0, 1}));
  EXPECT_EQ(data.class_names, (Names{"x", "y"}));
  expect_remark("the class is column 'group'");
  expect_remark("'age' (1)");
  expect_remark("'city' (2 values)");
}

TEST_F(CsvTableTest, ColumnsWithoutNamesAreCalledByTheirNumbers) {
  const Dataset data = read("1 2\n2 3\n", "1 0.5 2\n2 1.5 1\n3 0 3\n");
  ASSERT_EQ(data.columns.table.size(), 2u);
  EXPECT_EQ(data.columns.table[1].name, "column 3");
}

TEST_F(CsvTableTest, HeadersThatNameNoKnownWordsAreSeen) {
  EXPECT_EQ(read("from_user,to_user\nann,bob\nbob,cat\n").node_names, (Names{"ann", "bob", "cat"}));
  const std::string people = "person,group\nann,red\nbob,blue\ncat,red\n";
  Dataset data = read("who;whom\nann;bob\nbob;cat\n", people);
  EXPECT_EQ(data.node_names, (Names{"ann", "bob", "cat"})) << "the edges do not know 'person'";
  EXPECT_EQ(data.graph.edges.size(), 2u) << "the nodes do not know 'who'";
  expect_remark("nodes.csv: the first line names the columns: 'person', 'group'");
  expect_input_error([&] { read("ann,bob\nbob,cat\n", "eve,red\nbob,blue\ncat,red\n"); },
                     {"'ann' is not in"});
  files.names.label = "group";
  data = read("dan,eve\n", people + "dan,red\neve,blue\n");
  EXPECT_EQ(data.graph.nodes, 5) << "somebody names a column";
  EXPECT_EQ(data.class_names, (Names{"blue", "red"}));
}

TEST_F(CsvTableTest, AFirstLineThatMayBeAHeaderIsSaid) {
  const Dataset data = read("alpha,beta\nann,bob\nbob,cat\n");
  EXPECT_EQ(data.graph.nodes, 5);
  expect_remark("'alpha' and 'beta', is read as an edge; use header");
  files.header = true;
  EXPECT_EQ(read("alpha,beta\nann,bob\nbob,cat\n").graph.nodes, 3);
}

TEST_F(CsvTableTest, TheIndexOfPandasIsLeftOut) {
  const Dataset data = read(",from_user,to_user,since\n0,u0,u1,2021\n1,u1,u2,2022\n",
                            ",id,age,label\n0,u0,31,x\n1,u1,20,y\n2,u2,,x\n3,u3,4,y\n");
  EXPECT_EQ(data.node_names, (Names{"u0", "u1", "u2", "u3"}));
  EXPECT_EQ(data.features.cols, 2);
  EXPECT_EQ(data.graph.edges.size(), 2u);
  EXPECT_TRUE(data.graph.weight.empty());
  expect_remark("ignored columns of edges: 'since'");
  expect_remark("ids are in column 'id'");
  const Dataset unnamed =
      read("Unnamed: 0,source,target\n0,a,b\n", ",age,label\na,1,x\nb,2,y\nc,3,x\nd,4,y\n");
  EXPECT_EQ(unnamed.node_names, (Names{"a", "b", "c", "d"})) << "an index without a name has the ids";
  EXPECT_EQ(unnamed.graph.edges.size(), 1u);
}

TEST_F(CsvTableTest, IdsAndEndsOfEdgesAreInTheColumnsThatAreNamed) {
  files.names = {"Kunde", "von", "nach", "Tarif", "Gewicht", "none"};
  const Dataset data = read("type;nach;Gewicht;von\nx;b;1,5;a\ny;c;2;b\n",
                            "\xEF\xBB\xBF"
                            "Alter;Kunde;Umsatz;Tarif\r\n31;a;1,5;gold\r\n20;b;;plus\r\n9;c;-2,25;gold\r\n");
  EXPECT_EQ(data.node_names, (Names{"a", "b", "c"}));
  EXPECT_EQ(data.features.dense, (std::vector<float>{31, 1.5f, 0, 20, -0.375f, 1, 9, -2.25f, 0}));
  EXPECT_EQ(data.graph.edges[1].from, 1);
  EXPECT_EQ(data.graph.edges[1].to, 2);
  EXPECT_EQ(data.graph.weight, (std::vector<float>{1.5f, 2}));
  files.names.id = "Nummer";
  expect_input_error([&] { read("a;b\n", "Alter;Kunde\n1;a\n2;b\n"); }, {"nodes.csv", "'Nummer'", "'Alter'"});
}

TEST_F(CsvTableTest, MissingWordsAreNoClass) {
  Dataset data = read("a,b\n", "id,x,label\na,1,NA\nb,2,red\nc,3,blue\nd,4,nan\ne,1,red\nf,1,blue\n");
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{-1, 1, 0, -1, 1, 0}));
  EXPECT_EQ(data.class_names, (Names{"blue", "red"}));
  files.regression = true;
  files.names.label = "score";
  data = read("a,b\n", "id,x,score\na,1,NA\nb,2,1.5\nc,3,None\n");
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{-1, 0, -1}));
}

TEST_F(CsvTableTest, GephiSaysWhetherEdgesAreDirected) {
  const std::string head = "Source,Target,Type,Id,Label,timeset,Weight\n";
  EXPECT_FALSE(read(head + "a,b,Undirected,0,,,1.0\n").graph.directed);
  expect_remark("'Id', 'Label', 'timeset'");
  EXPECT_TRUE(read(head + "a,b,Directed,0,,,1.0\n").graph.directed);
  files.directed = false;
  EXPECT_FALSE(read(head + "a,b,Directed,0,,,1.0\n").graph.directed);
}

TEST_F(CsvTableTest, AskedFeaturesAreUsedOrRefused) {
  files.default_features = DefaultFeatures::identity;
  EXPECT_EQ(read("a,b\n", "id,label\na,x\nb,y\nc,x\nd,y\n").features.cols, 4);
  expect_input_error([&] { read("a,b\n", "id,age\na,1\nb,2\n"); },
                     {"nodes.csv", "features", "ignore_columns"});
  files.rules.ignored = {"age"};
  EXPECT_EQ(read("a,b\n", "id,age\na,1\nb,2\n").features.cols, 2);
}

TEST_F(CsvTableTest, ListsOfEdgesFromNetworkXAreRead) {
  Dataset data = read("a b {'weight': 0.5}\nb c {'weight': 2}\n");
  EXPECT_EQ(data.graph.weight, (std::vector<float>{0.5f, 2}));
  data = read("a b 0.5\nb c 2\n");
  EXPECT_EQ(data.graph.weight, (std::vector<float>{0.5f, 2}));
}

TEST_F(CsvTableTest, ExportGivesColumnsBackAsTheyWere) {
  files.rules.ordinals = {parse_ordinal("size=S,M,L")};
  files.rules.categories = {"zip"};
  const Dataset data = read("a,b\nb,c\n",
                            "id,age,member,\"home, town\",size,zip,label\na,0.1,yes,\"Rome, "
                            "Italy\",S,10115,x\nb,,no,\"say \"\"hi\"\"\",L,80331,y\n"
                            "c,7,yes,,M,10115,x\nd,7,yes,#1,M,10115,y\n");
  ASSERT_EQ(data.columns.table.size(), 5u);
  write_csv_folder(data, folder / "out", false);
  ImportRequest request;
  request.file = folder / "out";
  const Dataset again = import_graph(request, 1);
  EXPECT_EQ(again.columns.table, data.columns.table);
  EXPECT_EQ(again.features.dense, data.features.dense);
  EXPECT_EQ(again.class_names, data.class_names);
  EXPECT_NE(testing::read_bytes(folder / "out/features.csv").find("\na,0.1,true,\"Rome, Italy\",S,10115\n"),
            std::string::npos);
}

TEST_F(CsvTableTest, TypesOfAnotherTableAreTaken) {
  testing::write_bytes(folder / "columns.csv",
                       "name,type,missing,values\nage,number,yes\ncity,category,no,Oslo,Paris,Rome\n");
  files.columns = folder / "columns.csv";
  const Dataset data = read("a,b\n", "id,city,age\na,Rome,1\nb,Rome,2\n");
  EXPECT_EQ(data.features.dense, (std::vector<float>{0, 0, 1, 1, 0, 0, 0, 1, 2, 0}));
  expect_input_error([&] { read("a,b\n", "id,city,age\na,Bonn,1\nb,Rome,2\n"); },
                     {"nodes.csv", "line 2", "'city'", "'Bonn'", "Oslo, Paris, Rome"});
  expect_input_error([&] { read("a,b\n", "id,age\na,1\nb,2\n"); }, {"no column 'city'", "columns"});
  expect_input_error([&] { read("a,b\n", "id,city,age\na,Rome,old\nb,Rome,2\n"); },
                     {"line 2", "'age'", "'old'"});
}

TEST_F(CsvTableTest, TypesAreGivenToAttributesToo) {
  testing::write_bytes(folder / "columns.csv", "name,type,missing,values\ncity,category,no,Oslo,Rome\n");
  testing::write_bytes(folder / "g.gml", "graph [ node [ id 0 city \"Rome\" ] node [ id 1 city \"Rome\" ] ]");
  ImportRequest request;
  request.file = folder / "g.gml";
  request.csv.columns = folder / "columns.csv";
  EXPECT_EQ(import_graph(request, 1).features.dense, (std::vector<float>{0, 1, 0, 1}));
}

TEST_F(CsvTableTest, BadListsOfColumnsAreRefused) {
  files.columns = folder / "columns.csv";
  const auto bad = [&](const std::string& bytes, const std::vector<std::string>& words) {
    testing::write_bytes(folder / "columns.csv", "name,type,missing,values\n" + bytes);
    expect_input_error([&] { read("a,b\n", "id,age\na,1\nb,2\n"); }, words);
  };
  bad("age,length,no\n", {"columns.csv", "line 2", "'length'", "category"});
  bad("age,number,perhaps\n", {"line 2", "yes or no"});
  bad("age,category,no\n", {"line 2", "no values"});
  bad("age,number,no,1\n", {"line 2", "needs no values"});
  bad("age,category,no,1,1\n", {"twice"});
  bad("age,number,no\nage,flag,no\n", {"line 3", "listed twice"});
  bad("*,untyped\nage,number,no\n", {"untyped"});
  bad("age\n", {"line 2", "name and type"});
}

TEST(CsvHeaderTest, NamesOfEndsAreKnownByTheirWords) {
  for (const char* name : {"source", "from_user", "fromUser", "Source Id", "SRC"})
    EXPECT_TRUE(names_source(name)) << name;
  for (const char* name : {"target", "to_user", "toUser", "dst"}) EXPECT_TRUE(names_target(name)) << name;
  for (const char* name : {"tom", "fromage", "n10", "resource"}) {
    EXPECT_FALSE(names_source(name)) << name;
    EXPECT_FALSE(names_target(name)) << name;
  }
}

}  // namespace
}  // namespace gdkm
