#include "gdkm/data/formats/shared/column_typing.hpp"

#include <gtest/gtest.h>

#include "gdkm/data/formats/shared/column_coding.hpp"
#include "gdkm/data/formats/shared/field_kind.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Fields = std::vector<std::string>;

/// Columns of one file, all with the same name 'c' unless there are several.
std::vector<FoundColumn> found(const std::vector<Fields>& columns, const ColumnRules& rules = {},
                               bool decimal_comma = false) {
  std::vector<FoundColumn> out;
  for (const Fields& fields : columns) {
    const std::string name = out.empty() ? "c" : "c" + std::to_string(out.size());
    FoundColumn column{name, "column '" + name + "'", rules.evidence_for(name, decimal_comma, false)};
    for (const auto& field : fields) column.evidence.add(field);
    if (needs_texts(column.evidence)) {
      column.evidence = ColumnEvidence({decimal_comma, true});
      for (const auto& field : fields) column.evidence.add(field);
    }
    out.push_back(std::move(column));
  }
  return out;
}

TypedColumn typed(const Fields& fields, const ColumnRules& rules = {}, bool decimal_comma = false) {
  const TableTypes types = choose_types("my.csv", found({fields}, rules, decimal_comma), rules);
  EXPECT_EQ(types.columns.size(), 1u);
  return types.columns.empty() ? TypedColumn{} : types.columns[0];
}

std::vector<float> encoded(const TypedColumn& typed, const Fields& fields) {
  const ColumnEncoder encoder(typed);
  const auto width = static_cast<std::size_t>(encoder.width());
  std::vector<float> out(width * fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) encoder.encode(fields[k], out.data() + k * width);
  return out;
}

void expect_remark(const TableTypes& types, const std::vector<std::string>& words) {
  std::string all;
  for (const auto& line : types.remarks) all += spell_options(line) + "\n";
  for (const auto& word : words) EXPECT_NE(all.find(word), std::string::npos) << word << " not in " << all;
}

TEST(ColumnTypingTest, NumbersStayNumbers) {
  EXPECT_EQ(typed({"0", "1", "1"}).column.type, ColumnType::number) << "0 and 1 are numbers";
  const TypedColumn column = typed({"1.5", "-2e3", "0"});
  EXPECT_EQ(column.column, TableColumn{"c"});
  EXPECT_EQ(encoded(column, {"1.5", "-2e3"}), (std::vector<float>{1.5f, -2000}));
}

TEST(ColumnTypingTest, WordsOfYesAndNoAreFlags) {
  for (const Fields& fields :
       {Fields{"True", "False"}, {"yes", "no"}, {"TRUE", "FALSE"}, {"T", "F"}, {"true", "0"}}) {
    const TypedColumn column = typed(fields);
    EXPECT_EQ(column.column.type, ColumnType::flag) << fields[0];
    EXPECT_EQ(encoded(column, fields), (std::vector<float>{1, 0})) << fields[0];
  }
  EXPECT_EQ(typed({"yes", "false", "no"}).column.type, ColumnType::category) << "words of two pairs";
}

TEST(ColumnTypingTest, OtherWordsAreCategoriesInNaturalOrder) {
  const TypedColumn column = typed({"b10", "b2", "b10", ""});
  EXPECT_EQ(column.column, (TableColumn{"c", ColumnType::category, {"b2", "b10"}, true}));
  EXPECT_EQ(encoded(column, {"b10", "NA"}), (std::vector<float>{0, 1, 0, 0, 0, 1}));
  const TypedColumn house = typed({"12a", "12", "7b", "12", "12a"});
  EXPECT_EQ(house.column.values, (Fields{"12", "7b", "12a"})) << "numbers among words are values";
}

TEST(ColumnTypingTest, OrderAndCategoriesAreTakenWhereSomebodySaysSo) {
  ColumnRules rules;
  rules.ordinals = {parse_ordinal("c=small,medium,large")};
  EXPECT_EQ(encoded(typed({"large", "small", ""}, rules), {"large", "small", ""}),
            (std::vector<float>{2, 0, 0, 0, 0, 1}));
  expect_input_error([&] { typed({"large", "huge"}, rules); }, {"'c'", "'huge'", "small, medium, large"});
  rules = {};
  rules.categories = {"c"};
  EXPECT_EQ(typed({"10115", "80331", "10115"}, rules).column.values, (Fields{"10115", "80331"}));
  expect_input_error([] { parse_ordinal("size"); }, {"ordinal", "'size'", "in order"});
  expect_input_error([] { parse_ordinal("size=a,a"); }, {"different values"});
  expect_input_error([&] { check_rules(rules, "my.csv", {"zip"}); },
                     {"my.csv", "'c'", "categories", "'zip'"});
}

TEST(ColumnTypingTest, MissingValuesAreFilledWithTheMeanAndMarked) {
  for (const char* missing : {"", "NA", "N/A", "nan", "NaN", "null", "None", "?"}) {
    const TypedColumn column = typed({"1", missing, "3"});
    EXPECT_TRUE(column.column.has_missing) << missing;
    EXPECT_EQ(encoded(column, {"1", missing}), (std::vector<float>{1, 0, 2, 1})) << missing;
  }
  expect_remark(choose_types("my.csv", found({{"1", "NA"}}), {}), {"my.csv", "filled", "'c' (1)"});
  ColumnRules strict;
  strict.refuse_missing = true;
  expect_input_error([&] { typed({"1", "", "3"}, strict); }, {"'c'", "1 of 3", "missing = refuse"});
  EXPECT_EQ(typed({"none", "some"}).column.values, (Fields{"none", "some"})) << "none is a value";
}

TEST(ColumnTypingTest, DatesAreRefusedWithAdvice) {
  for (const char* date :
       {"2021-03-04", "04.03.2021", "3/4/2021", "2021-03-04 12:30:00", "2021-03-04T12:30:00Z"})
    expect_input_error([&] { typed({date, "", date}); }, {"'c'", "dates", date, "ignore_columns = c"});
  EXPECT_EQ(typed({"1.2.3", "1.2.4"}).column.type, ColumnType::category) << "a version is no date";
}

TEST(ColumnTypingTest, AColumnThatTheModelDoesNotKnowIsLeftOutWhateverItHolds) {
  ColumnRules rules;
  rules.given = {{"c"}};
  rules.from_model = true;
  const std::vector<Fields> columns{{"1", "2", "3"}, {"2021-07-16", "2020-01-01", "2022-02-02"}};
  const TableTypes types = choose_types("my.csv", found(columns, rules), rules);
  ASSERT_EQ(types.columns.size(), 1u);
  expect_remark(types, {"the model does not know", "c1"});
  rules.given.push_back({"c1"});
  expect_input_error([&] { choose_types("my.csv", found(columns, rules), rules); }, {"c1", "2021"});
}

TEST(ColumnTypingTest, WhatIsNotANumberAmongNumbersIsRefused) {
  expect_input_error([] { typed({"1", "2", "inf"}); }, {"'c'", "finite", "'inf'"});
  expect_input_error([] { typed({"1", "-Infinity", "2"}); }, {"finite"});
  expect_input_error([] { typed({"1", "2", "unknown"}); }, {"'c'", "'unknown'", "categories = c"});
  expect_input_error([] { typed({"1,234", "2", "3,456,789"}); }, {"thousands"});
  expect_input_error([] { typed({"1.234,5", "2,5"}, {}, true); }, {"thousands"});
}

TEST(ColumnTypingTest, DecimalCommasAreReadWhereCommasSeparateNothing) {
  EXPECT_EQ(encoded(typed({"1,5", "-2", "3,25"}, {}, true), {"1,5", "-2"}), (std::vector<float>{1.5f, -2}));
  expect_input_error([] { typed({"1,5", "2.5"}, {}, true); }, {"comma", "point"});
}

TEST(ColumnTypingTest, TextThatDiffersInMostRowsIsLeftOut) {
  Fields names, many;
  for (int k = 0; k < 1000; ++k) {
    names.push_back("person " + std::to_string(k));
    many.push_back("city " + std::to_string(k % 300));
  }
  const TableTypes types = choose_types("my.csv", found({names, many, Fields(1000), {"1"}}), {});
  ASSERT_EQ(types.columns.size(), 1u);
  EXPECT_EQ(types.columns[0].source, 3u);
  expect_remark(types,
                {"left out", "'c' (more than 200 in 1000 rows", "categories = c1", "'c2'", "without values"});
  ColumnRules kept;
  kept.categories = {"c"};
  EXPECT_EQ(choose_types("my.csv", found({many}, kept), kept).columns[0].column.values.size(), 300u);
}

TEST(ColumnTypingTest, ConstantColumnsAreKeptAndSaid) {
  const TableTypes types = choose_types("my.csv", found({{"de", "de"}, {"1", "2"}}), {});
  EXPECT_EQ(types.columns.size(), 2u) << "other data may have other values";
  expect_remark(types, {"same value", "'c'"});
}

TEST(ColumnTypingTest, ManyColumnsOfCountsAreABagOfWords) {
  std::vector<Fields> columns(65, Fields{"0", "1", "0", "0"});
  EXPECT_TRUE(choose_types("my.csv", found(columns), {}).words);
  EXPECT_EQ(choose_types("my.csv", found(columns), {}).table().size(), 65u) << "words keep their names";
  expect_remark(choose_types("my.csv", found(columns), {}), {"65 columns", "bag of words"});
  const std::vector<Fields> survey(65, Fields{"3", "5", "1", "0"});
  EXPECT_FALSE(choose_types("my.csv", found(survey), {}).words) << "answers are no counts of words";
  columns[3] = {"0.5", "1", "2", "0"};
  EXPECT_FALSE(choose_types("my.csv", found(columns), {}).untyped);
  columns.resize(3);
  EXPECT_FALSE(choose_types("my.csv", found(columns), {}).untyped);
}

TEST(ColumnTypingTest, AMessageHasOneLineWhateverTheNameOfAColumnHas) {
  ColumnEvidence evidence({false, false});
  for (const char* field : {"1", "2", "3", "x"}) evidence.add(field);
  try {
    choose_types("my.csv", {{"tur\rnover\n", "column 1", evidence}}, {});
    FAIL() << "a word among numbers is refused";
  } catch (const InputError& error) {
    EXPECT_EQ(error.message().find_first_of("\r\n"), std::string::npos) << error.message();
  }
}

TEST(ColumnTypingTest, ChunksOfAFileAddUp) {
  ColumnEvidence first({false, true}), second({false, true});
  for (const char* field : {"1", "x", ""}) first.add(field);
  for (const char* field : {"4", "y", "yes"}) second.add(field);
  first.append(second);
  EXPECT_EQ(first.rows(), 6);
  EXPECT_EQ(first.mean(), 2.5);
  EXPECT_EQ(first.values().size(), 5u);
  EXPECT_EQ(first.first_word(), "x");
  EXPECT_FALSE(first.all_flags());
}

TEST(ColumnTypingTest, FieldsAreDecodedAsTheyWere) {
  const Fields fields{"red", "", "blue", "red"};
  const TypedColumn column = typed(fields);
  const auto features = encoded(column, fields);
  for (std::size_t k = 0; k < fields.size(); ++k)
    EXPECT_EQ(decode(column.column, features.data() + 3 * k), fields[k]);
  const float number[] = {0.1f, 0}, missing[] = {5, 1}, flag[] = {1};
  EXPECT_EQ(decode({"n", ColumnType::number, {}, true}, number), "0.1");
  EXPECT_EQ(decode({"n", ColumnType::number, {}, true}, missing), "");
  EXPECT_EQ(decode({"f", ColumnType::flag}, flag), "true");
  EXPECT_EQ(decode({"o", ColumnType::ordinal, {"S", "M"}}, flag), "M");
}

}  // namespace
}  // namespace gdkm
