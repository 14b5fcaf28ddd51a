#include "tests/data/formats/csv/csv_folder_test.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

/// A single file, which should list edges.
class CsvMisplacedTableTest : public testing::CsvFolderTest {
 protected:
  void expect_refused(const std::string& table, const std::string& id, const std::string& column) {
    expect_input_error([&] { read(table); }, {"edges.csv", "looks like a table of nodes", id, column, "nodes",
                                              "nodes.csv", "edges", "source_column"});
  }
};

TEST_F(CsvMisplacedTableTest, ATableOfNodesIsNotReadAsEdges) {
  expect_refused("id,age,income,label\nann,31,2.5,x\nbob,20,1.5,y\ncat,5,3.0,x\n", "('id')", "('age')");
  expect_refused(",customer_id,age,plan\n0,u1,31,gold\n1,u2,20,plus\n", "('customer_id')", "('age')");
  expect_refused("name,height,city\nann,1.5,Rome\nbob,1.8,Oslo\n", "('name')", "('height')");
  expect_refused("id,class\na,x\nb,y\nc,x\n", "('id')", "('class')");
  expect_refused("id;height;weight\n7;1,5;60\n8;1,8;70\n", "('id')", "('height')");
  // Ages that happen to be numbers of nodes.
  expect_refused("id,age,label\n0,1,x\n1,2,y\n2,0,x\n3,1,y\n", "('id')", "('age')");
}

TEST_F(CsvMisplacedTableTest, ListsOfEdgesAreReadAsBefore) {
  for (const char* edges :
       {"source,target,weight\na,b,1\nc,d,2\n", "node,parent,length\n1,0,0.5\n2,0,1\n3,1,2\n4,2,1\n",
        "user_id,item_id,rating\nu1,i1,3\nu2,i2,4\n", "id,friend\na,b\na,c\nb,c\n",
        "node_a,node_b,since\na,b,2020\nc,d,2021\n", "boss,report,since\nann,bob,2020\ncat,dan,2021\n",
        "id_1,id_2\n5,6\n7,8\n", "from_user,age,to_user\na,3,b\nc,4,d\n"}) {
    EXPECT_NO_THROW(read(edges)) << edges;
  }
}

TEST_F(CsvMisplacedTableTest, WhoNamesTheEndsKnowsBetter) {
  files.names.source = "id";
  files.names.target = "age";
  EXPECT_EQ(read("id,age,label\nann,31,x\nbob,20,y\n").graph.edges.size(), 2u);
}

}  // namespace
}  // namespace gdkm
