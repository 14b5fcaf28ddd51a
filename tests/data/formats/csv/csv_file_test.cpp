#include "gdkm/data/formats/csv/csv_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/data/formats/shared/node_index.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Rows = std::vector<std::vector<std::string>>;

CsvFile file_of(const std::string& bytes, std::optional<bool> header = std::nullopt) {
  return {Text{"my.csv", bytes}, header};
}

/// What one thread and three threads read, which must agree.
Rows rows_of(const CsvFile& file) {
  Rows first;
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    const auto chunks = file.parse<Rows>(pool, [](const CsvRow& row, Rows& rows) {
      rows.emplace_back(row.fields().begin(), row.fields().end());
    });
    Rows all;
    for (const Rows& chunk : chunks) all.insert(all.end(), chunk.begin(), chunk.end());
    if (threads == 1) first = all;
    EXPECT_EQ(all, first);
  }
  return first;
}

TEST(CsvTest, EveryDelimiterIsFound) {
  const Rows expected{{"1", "2", "3"}, {"4", "5", "6"}};
  EXPECT_EQ(rows_of(file_of("1,2,3\n4,5,6\n")), expected);
  EXPECT_EQ(rows_of(file_of("1;2;3\n4;5;6")), expected);
  EXPECT_EQ(rows_of(file_of("1\t2\t3\r\n4\t5\t6\r\n")), expected);
  EXPECT_EQ(rows_of(file_of("  1 2\t 3\n4  5 6  \n")), expected);
  EXPECT_EQ(rows_of(file_of("\xEF\xBB\xBF"
                            "1, 2 ,3\n\n# a comment, with commas\n4,5,6\n")),
            expected);
  EXPECT_EQ(rows_of(file_of("a b;1,5\nc d;2,5\n")), (Rows{{"a b", "1,5"}, {"c d", "2,5"}}));
  EXPECT_EQ(rows_of(file_of("New York,1\nParis,2\n")), (Rows{{"New York", "1"}, {"Paris", "2"}}));
}

TEST(CsvTest, LatinOneBecomesUtf8) {
  const auto city_of = [](const std::string& text) { return file_of(text).sample().at(0).at(1); };
  EXPECT_EQ(city_of("id,city\n1,K\xF6ln\n"), "K\xC3\xB6ln");
  EXPECT_EQ(city_of("id,city\n1,K\xC3\xB6ln\n"), "K\xC3\xB6ln") << "UTF-8 stays";
  EXPECT_EQ(city_of("id,city\n1,K\xC3\xB6ln \xF6\n"), "K\xC3\xB6ln \xC3\xB6") << "both in one file";
}

TEST(CsvTest, QuotesAreUndone) {
  EXPECT_EQ(rows_of(file_of("\"a,b\",\"say \"\"hi\"\"\"\n\"two\r\nlines\" , \"#x\"\n,\"\"\n")),
            (Rows{{"a,b", "say \"hi\""}, {"two\r\nlines", "#x"}, {"", ""}}));
  EXPECT_EQ(rows_of(file_of("\"a b\" c\nd \"e\"\n")), (Rows{{"a b", "c"}, {"d", "e"}}));
}

TEST(CsvTest, EmptyFieldsAreKept) {
  EXPECT_EQ(rows_of(file_of("1,,3\n,5,\n")), (Rows{{"1", "", "3"}, {"", "5", ""}}));
  EXPECT_EQ(rows_of(file_of("")), Rows{});
  EXPECT_EQ(rows_of(file_of("\n# nothing\n  \n")), Rows{});
}

TEST(CsvTest, HeaderIsSeen) {
  EXPECT_EQ(file_of("id,age\nbob,3\n").header(), (std::vector<std::string>{"id", "age"}));
  EXPECT_EQ(file_of("# made by hand\nSource,Target\nbob,eve\n").header()[1], "Target");
  EXPECT_EQ(file_of("who,age\nbob,3\neve,4\n").header()[0], "who");  // a word above numbers
  EXPECT_EQ(file_of("person,0,1\n7,3,4\n").header()[0], "person");
  EXPECT_TRUE(file_of("bob,eve\neve,dan\n").header().empty());
  EXPECT_TRUE(file_of("0,1\n1,2\n").header().empty());
  EXPECT_TRUE(file_of("bob,1\neve,2\n").header().empty());
  EXPECT_TRUE(file_of("bob,1\n").header().empty());
  EXPECT_EQ(file_of("bob,eve\neve,dan\n", true).header()[0], "bob");
  EXPECT_EQ(rows_of(file_of("id,age\n1,3\n", false)).size(), 2u);
  EXPECT_EQ(rows_of(file_of("# c\n\"a\nb\",\"id\"\n1,3\n", true)), (Rows{{"1", "3"}}));
}

TEST(CsvTest, ErrorsNameTheLine) {
  const auto read = [](const std::string& bytes) {
    ThreadPool pool(2);
    file_of(bytes).parse<int>(pool, [](const CsvRow& row, int&) {
      if (row[0] == "bad") throw InputError("this row is bad");
    });
  };
  expect_input_error([&] { read("id,x\n# c\n1,2\n\nbad,3\n4,5\n"); }, {"my.csv: line 5: this row is bad"});
  expect_input_error([&] { read("id,x\n\"a\n\nb\",2\nbad,3\n"); }, {"my.csv: line 5: this row is bad"});
  expect_input_error([&] { read("id,x\n1,2\n3,\"open\n4,5\n"); }, {"line 3", "never closed"});
  expect_input_error([&] { read("1,\"a\"b\n"); }, {"line 1", "follows the closing quotation mark of 'a'"});
  expect_input_error([&] { file_of("\xFF\xFEi\0d"); }, {"my.csv", "UTF-16", "UTF-8"});
  expect_input_error([&] { file_of("id,x\n\n1,2\n3,4\n").fail_at_row(1, "no"); }, {"my.csv: line 4: no"});
}

TEST(CsvTest, NumbersAreReadWhole) {
  EXPECT_EQ(to_double("1.5"), 1.5);
  EXPECT_EQ(to_double("+2e3"), 2000);
  EXPECT_EQ(to_double("-0.25"), -0.25);
  EXPECT_EQ(to_double("1e-400"), 0);
  EXPECT_TRUE(std::isinf(*to_double("-1e400")));
  EXPECT_EQ(to_float("1e-60"), 0.0f);
  EXPECT_TRUE(std::isinf(*to_float("1e39")));
  for (const char* bad : {"", "+", "+-1", "1,5", "1 2", "0x10", "abc", "1.5m"})
    EXPECT_FALSE(to_double(bad)) << bad;
}

TEST(CsvTest, NaturalOrderIsThatOfPeople) {
  std::vector<std::string> names{"n10", "b", "10", "n2", "9", "a", "n02", "-3", "2.5", "nan", "n2x"};
  std::sort(names.begin(), names.end(), natural_less);
  EXPECT_EQ(names,
            (std::vector<std::string>{"-3", "2.5", "9", "10", "a", "b", "n02", "n2", "n2x", "n10", "nan"}));
}

TEST(NodeIndexTest, SomeIdsCountAndOthersDoNot) {
  NodeIndex index("here");
  for (const char* id : {"ann", "2", "5", "4", "3", "01"}) EXPECT_TRUE(index.add(id)) << id;
  EXPECT_EQ(index.names(), (std::vector<std::string>{"ann", "2", "5", "4", "3", "01"}));
  EXPECT_EQ(index.find("ann"), 0);
  EXPECT_EQ(index.find("2"), 1);
  EXPECT_EQ(index.find("5"), 2);
  EXPECT_EQ(index.find("4"), 3);
  EXPECT_EQ(index.find("3"), 4);
  EXPECT_EQ(index.find("01"), 5);
  EXPECT_FALSE(index.find("1"));  // node 0 has another id
  EXPECT_FALSE(index.find("6"));
  EXPECT_FALSE(index.add("4"));
  EXPECT_TRUE(index.add("1"));
  EXPECT_EQ(index.find("1"), 6);
}

TEST(NodeIndexTest, CountedIdsNeedNoNames) {
  NodeIndex counted("here");
  for (const char* id : {"0", "1", "2"}) EXPECT_TRUE(counted.add(id));
  EXPECT_TRUE(counted.names().empty());
  EXPECT_EQ(counted.find("2"), 2);
  EXPECT_FALSE(counted.find("02"));
  EXPECT_FALSE(counted.find("3"));
  EXPECT_FALSE(counted.find("99999999999999999999"));
  EXPECT_FALSE(counted.add("1"));
  EXPECT_TRUE(counted.add("bob"));
  EXPECT_EQ(counted.find("1"), 1);
  EXPECT_EQ(counted.at("bob"), 3);
  EXPECT_EQ(counted.names(), (std::vector<std::string>{"0", "1", "2", "bob"}));
  NodeIndex from_one("here");
  EXPECT_TRUE(from_one.add("1"));
  EXPECT_TRUE(from_one.add("2"));
  EXPECT_EQ(from_one.names(), (std::vector<std::string>{"1", "2"}));
  expect_input_error([&] { from_one.at("0"); }, {"node '0' is not in here"});
  expect_input_error([&] { from_one.add(""); }, {"empty"});
}

TEST(NodeIndexTest, CountsOnWithoutATextUnlessTheIdIsTaken) {
  NodeIndex index("here", 0, 1);
  EXPECT_TRUE(index.add_next());
  EXPECT_TRUE(index.add("4"));
  EXPECT_TRUE(index.add_next());
  EXPECT_FALSE(index.add_next()) << "node 3 would be called 4, as node 1 is";
  EXPECT_EQ(index.names(), (std::vector<std::string>{"1", "4", "3"}));
  EXPECT_EQ(index.at("4"), 1);
  EXPECT_EQ(index.at("3"), 2);
}

}  // namespace
}  // namespace gdkm
