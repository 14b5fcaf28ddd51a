#include "gdkm/dataset/align_tables.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "gdkm/dataset/feature_columns_text.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/dataset/small_table.hpp"

namespace gdkm {
namespace {

using testing::dense;
using testing::expect_input_error;
using testing::table;

const TableColumn age{"age"}, income{"income"}, age_or_not{"age", ColumnType::number, {}, true},
    colour{"colour", ColumnType::category, {"blue", "red"}};

TEST(AlignTablesTest, ColumnsInAnotherOrderFindTheirPlaces) {
  const Features found = align(dense(2, {50000, 30, 60000, 40}), table({income, age}), table({age, income}));
  EXPECT_EQ(found.dense, (std::vector<float>{30, 50000, 40, 60000}));
}

TEST(AlignTablesTest, AMissingColumnAndOneOfAnotherTypeAreRefusedByName) {
  const Features x = dense(1, {1});
  expect_input_error(
      [&] {
        align(x, table({age}), table({age, income}));
      },
      {"people.csv", "needs the column 'income'", "has 'age'"});
  const TableColumn flag{"age", ColumnType::flag};
  expect_input_error([&] { align(x, table({flag}), table({age})); }, {"'age' is a flag here", "a number"});
}

TEST(AlignTablesTest, ColumnsThatTheModelDoesNotKnowAreLeftOutAndNamed) {
  std::vector<std::string> remarks;
  const Features found =
      align(dense(2, {1, 9, 2, 8}), table({age, income}), table({age}), {nullptr, &remarks});
  EXPECT_EQ(found.dense, (std::vector<float>{1, 2}));
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("'income'"), std::string::npos);
}

TEST(AlignTablesTest, CategoriesAreMatchedByTheirValues) {
  const TableColumn here{"colour", ColumnType::category, {"green", "red"}};
  std::vector<std::string> remarks;
  const Features found = align(dense(2, {0, 1, 1, 0}), table({here}), table({colour}), {nullptr, &remarks});
  EXPECT_EQ(found.dense, (std::vector<float>{0, 1, 0, 0}));
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("no 'green', which counts as missing (1 node)"), std::string::npos);
}

TEST(AlignTablesTest, RanksAreMatchedByTheirValues) {
  const TableColumn model{"size", ColumnType::ordinal, {"S", "M", "L"}},
      here{"size", ColumnType::ordinal, {"M", "L"}};
  EXPECT_EQ(align(dense(1, {0, 1}), table({here}), table({model})).dense, (std::vector<float>{1, 2}));
}

TEST(AlignTablesTest, MissingValuesAreMarkedWhereTheModelHasAMarkAndTheTrainingMeanElsewhere) {
  const Features x = dense(2, {7, 1, 30, 0});
  const std::vector<double> fill{42};
  std::vector<std::string> remarks;
  EXPECT_EQ(align(x, table({age_or_not}), table({age}), {&fill, &remarks}).dense,
            (std::vector<float>{42, 30}));
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("1 node without a value"), std::string::npos);
  const TableColumn ranked{"age", ColumnType::ordinal, {"young", "old"}, true},
      marked{"age", ColumnType::category, {"old", "young"}, true};
  EXPECT_EQ(align(dense(2, {0, 1, 1, 0}), table({ranked}), table({marked})).dense,
            (std::vector<float>{0, 0, 1, 1, 0, 0}));
}

TEST(AlignTablesTest, NumbersThatAreAll0Or1MayBeFlags) {
  const TableColumn number{"vip"}, flag{"vip", ColumnType::flag};
  EXPECT_EQ(align(dense(1, {0, 1, 1}), table({number}), table({flag})).dense, (std::vector<float>{0, 1, 1}));
  expect_input_error(
      [&] {
        align(dense(1, {0, 2}), table({number}), table({flag}));
      },
      {"'vip' is a number here"});
}

TEST(AlignTablesTest, ARankThatIsNoneCountsAsMissing) {
  const TableColumn here{"size", ColumnType::ordinal, {"S", "M"}},
      model{"size", ColumnType::ordinal, {"S", "M", "L"}, true};
  EXPECT_EQ(align(dense(1, {3e8F, 1}), table({here}), table({model})).dense,
            (std::vector<float>{0, 1, 1, 0}));
}

/// Nodes without features are known by their names, wherever they stand in a file.
TEST(AlignTablesTest, NodesFindTheirColumnsByNameAndStrangersAreRefused) {
  const auto nodes = [&](std::vector<std::string> names) {
    FeatureColumns out = table({{"node", ColumnType::category, std::move(names)}});
    out.kind = FeatureColumns::Kind::nodes;
    return out;
  };
  EXPECT_EQ(align(dense(2, {1, 0, 0, 1}), nodes({"bob", "ann"}), nodes({"ann", "bob", "cat"})).dense,
            (std::vector<float>{0, 1, 0, 1, 0, 0}));
  expect_input_error(
      [&] {
        align(dense(2, {1, 0, 0, 1}), nodes({"bob", "zoe"}), nodes({"ann", "bob"}));
      },
      {"does not know the node 'zoe'"});
  expect_input_error([&] { align(dense(1, {1}), table({age}), nodes({"ann", "bob"})); }, {"no features"});
}

TEST(AlignTablesTest, AWordIsFoundByItsName) {
  FeatureColumns here = table({{"b"}, {"a"}}), model = table({{"a"}, {"b"}});
  here.kind = model.kind = FeatureColumns::Kind::words;
  EXPECT_EQ(align(dense(2, {5, 0, 0, 7}), here, model).dense, (std::vector<float>{0, 5, 7, 0}));
}

TEST(FeatureColumnsTextTest, KindsSurvive) {
  for (const auto kind : {FeatureColumns::Kind::words, FeatureColumns::Kind::table}) {
    FeatureColumns columns = table({age, income});
    columns.kind = kind;
    EXPECT_EQ(columns_from_text(to_text(columns)).kind, kind);
  }
  FeatureColumns nodes = table({colour});
  nodes.kind = FeatureColumns::Kind::nodes;
  EXPECT_EQ(columns_from_text(to_text(nodes)).kind, FeatureColumns::Kind::nodes);
}

TEST(FeatureColumnsTextTest, TablesSurvive) {
  const auto columns =
      table({age_or_not, colour, {"size", ColumnType::ordinal, {"S", "M"}}, {"vip", ColumnType::flag}});
  const FeatureColumns found = columns_from_text(to_text(columns));
  EXPECT_EQ(found.kind, columns.kind);
  EXPECT_EQ(found.table, columns.table);
  EXPECT_EQ(found.width(), 6);
}

TEST(FeatureColumnsTextTest, WhatCannotBeIsRefused) {
  for (const char* text :
       {"", "[]", R"({"kind":"wheel"})", R"({"kind":"table","columns":[{"name":"a"}]})",
        R"({"kind":"table","columns":[{"name":"a","type":"category"}]})",
        R"({"kind":"table","columns":[{"name":"a","type":"number","values":["x"]}]})",
        R"({"kind":"table","columns":[{"name":"a","type":"category","values":["x","x"]}]})",
        R"({"kind":"table","columns":[{"name":"a","type":"number"},{"name":"a","type":"flag"}]})",
        R"({"kind":"labels","values":[[2,1]],"attributes":0})"}) {
    EXPECT_THROW(columns_from_text(text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace gdkm
