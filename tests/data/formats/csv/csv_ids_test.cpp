#include <gtest/gtest.h>

#include "gdkm/data/formats/csv/csv_header.hpp"
#include "tests/data/formats/csv/csv_folder_test.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Names = std::vector<std::string>;

/// Tables of nodes whose ids are in some column.
class CsvIdsTest : public testing::CsvFolderTest {};

TEST_F(CsvIdsTest, NamesLikeIdsAreKnown) {
  for (const char* name : {"customer_id", "userId", "Customer ID", "customerID", "KEY", "USER_ID"})
    EXPECT_TRUE(is_like_id(name)) << name;
  for (const char* name : {"paid", "grid", "PAID", "idea", "keyword", "", "Id"})
    EXPECT_FALSE(is_like_id(name)) << name;
}

TEST_F(CsvIdsTest, TheIndexOfPandasIsNotTheIdsWhereAColumnIsNamedSo) {
  const Dataset data = read("0,1\n1,7\n", ",customer_id,age,label\n0,7,31,x\n1,1,20,y\n2,0,5,x\n3,9,4,y\n");
  EXPECT_EQ(data.node_names, (Names{"7", "1", "0", "9"}));
  ASSERT_EQ(data.columns.table.size(), 1u);
  EXPECT_EQ(data.columns.table[0].name, "age");
  expect_remark("ids are in column 'customer_id'; choose another with id_column");
  expect_remark("left out column 1, which has no name");
  as_labels = true;
  files.nodes.clear();
  const Dataset labels = read("a,b\n", ",userId,team\n0,a,red\n1,b,blue\n");
  EXPECT_EQ(labels.node_names, (Names{"a", "b"}));
  EXPECT_EQ(labels.class_names, (Names{"blue", "red"}));
  expect_remark("ids are in column 'userId'");
}

TEST_F(CsvIdsTest, OfSeveralCandidatesTheEdgesKnowTheIds) {
  EXPECT_EQ(read("c1,c2\n", "age,shop_id,customer_id\n4,s1,c1\n5,s2,c2\n6,s3,c3\n").node_names,
            (Names{"c1", "c2", "c3"}));
  EXPECT_EQ(read("ann,bob\n", "name,team_id\nann,11\nbob,12\ncat,13\n").node_names,
            (Names{"ann", "bob", "cat"}));
  EXPECT_EQ(read("a,b\n", "age,id,team_id\n1,a,x\n2,b,y\n3,c,z\n").node_names, (Names{"a", "b", "c"}));
}

TEST_F(CsvIdsTest, ErrorsSayWhereIdsAre) {
  expect_input_error([&] { read("a,b\nb,eve\n", "age,user_id\n1,a\n2,b\n3,c\n"); },
                     {"'eve' is not in", "ids are in column 'user_id'", "id_column chooses another"});
  expect_input_error([&] { read("a,b\n", "name,age\na,1\nb,2\na,3\n"); },
                     {"'a' has more than one row", "ids are in column 'name'", "id_column chooses another"});
}

TEST_F(CsvIdsTest, TablesWithoutRowsAreNamed) {
  const std::string header = "has a header and no rows";
  for (const bool labels : {false, true}) {
    as_labels = labels;
    files = {};
    expect_input_error([&] { read("a,b\n", "id,team\n"); }, {"nodes.csv", header});
    expect_input_error([&] { read("a,b\n", "person,team\n"); }, {"nodes.csv", header});
    expect_input_error([&] { read("a,b\n", ""); }, {"nodes.csv", "is empty", "one row per node"});
  }
}

TEST_F(CsvIdsTest, ManyClassesThatAreNumbersSuggestRegression) {
  as_labels = true;
  std::string nodes = "id,price\n";
  for (int k = 0; k < 51; ++k) nodes += "n" + std::to_string(k) + "," + std::to_string(k) + ".5\n";
  EXPECT_EQ(read("n0,n1\n", nodes).classes, 51);
  expect_remark("nodes.csv: the 51 classes are all numbers; use regression to predict them");
  files.regression = true;
  read("n0,n1\n", nodes);
  EXPECT_EQ(remarks.find("are all numbers"), std::string::npos) << remarks;
}

}  // namespace
}  // namespace gdkm
