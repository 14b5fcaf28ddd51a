#include "gdkm/data/formats/matlab/facebook100.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "raw_mat.hpp"
#include "tests/data/formats/same_dataset.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

const testing::RawMat raw_facebook;

/// Four people; columns: status, gender, major, second major, dorm, year, high school.
const std::vector<std::uint8_t> info = {1, 2, 1, 5,  //
                                        2, 1, 0, 2,  //
                                        7, 7, 0, 9,  // three values
                                        4, 4, 4, 4,  // one
                                        3, 8, 8, 3,  // two
                                        6, 6, 5, 6,  //
                                        0, 0, 0, 1};

std::string friends() {
  return raw_facebook.sparse("A", 4, 4, {1, 0}, {0, 1, 2, 2, 2}, {1, 1});
}
Text file_of(const std::string& local_info) {
  return raw_facebook.file(raw_facebook.compressed(friends()) + raw_facebook.compressed(local_info));
}
void expect_bad(const Text& text, std::vector<std::string> words) {
  words.push_back("small.mat");
  expect_input_error([&] { read_facebook100(text, "small"); }, words);
}

TEST(Facebook100Test, GenderIsTheClassAndTheRestAreOneHot) {
  const Dataset data = read_facebook100(file_of(raw_facebook.full("local_info", 4, 7, info)), "small");
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{1, 0, -1, 1}));
  EXPECT_EQ(data.classes, 2);
  ASSERT_EQ(data.graph.edges.size(), 1u);
  EXPECT_FALSE(data.graph.directed);
  // status 1, 2, 5 | major 0, 7, 9 | second major, always 0 | dorm 8 | year 6 | high school 1
  EXPECT_EQ(data.features.cols, 10);
  EXPECT_EQ(data.features.sparse.row_start, (std::vector<Index>{0, 3, 7, 10, 14}));
  EXPECT_EQ(data.features.sparse.col, (std::vector<std::int32_t>{0, 4, 8,     //
                                                                 1, 4, 7, 8,  //
                                                                 0, 3, 7,     //
                                                                 2, 5, 8, 9}));
  EXPECT_EQ(data.features.sparse.value, std::vector<double>(14, 1.0));
  ASSERT_EQ(data.splits.at("public").size(), 5u);
  for (const Split& split : data.splits.at("public"))
    EXPECT_EQ(split.train.size() + split.val.size() + split.test.size(), 3u) << "the labelled ones";
}

TEST(Facebook100Test, ItIsKnownByItsVariables) {
  const Text whole = file_of(raw_facebook.full("local_info", 4, 7, info)),
             part = raw_facebook.file(friends());
  EXPECT_TRUE(is_facebook100(MatFile(whole)));
  EXPECT_FALSE(is_facebook100(MatFile(part)));
  expect_bad(part, {"'local_info'", "missing"});
}

TEST(Facebook100Test, WhatDoesNotFitIsRefused) {
  expect_bad(file_of(raw_facebook.full("local_info", 7, 4, info)), {"'local_info'", "7 x 4", "7 columns"});
  auto changed = info;
  changed[5] = 3;
  expect_bad(file_of(raw_facebook.full("local_info", 4, 7, changed)), {"row 2", "gender", "got 3"});
  for (const std::size_t person : {4, 5}) changed[person] = 0;
  changed[7] = 0;
  expect_bad(file_of(raw_facebook.full("local_info", 4, 7, changed)), {"gender", "fewer than two"});
  for (const double bad : {-1.0, 0.5, 1e10, double{NAN}}) {
    std::vector<double> values(info.begin(), info.end());
    values[9] = bad;
    expect_bad(file_of(raw_facebook.matrix(6, {4, 7}, "local_info",
                                           raw_facebook.element(9, raw_facebook.numbers(values)))),
               {"row 2, column 3", "integer"});
  }
  const std::vector<std::uint8_t> fewer(21, 1);
  expect_bad(file_of(raw_facebook.full("local_info", 3, 7, fewer)), {"'A'", "4 rows", "has 3"});
  expect_bad(file_of(raw_facebook.full("local_info", 0, 7, {})), {"fewer than two"});
}

struct Published {
  const char *folder, *file;
};
class PublishedFacebook100Test : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedFacebook100Test, EqualsItsNpzFile) {
  const std::string name = GetParam().folder;
  const auto folder = testing::shared_folder() / "datasets" / name;
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  testing::expect_same_dataset(read_facebook100(read_text(folder / GetParam().file), name),
                               read_graph_npz(folder / (name + ".npz")));
}

INSTANTIATE_TEST_SUITE_P(All, PublishedFacebook100Test,
                         ::testing::Values(Published{"cornell5", "Cornell5.mat"},
                                           Published{"johnshopkins55", "Johns_Hopkins55.mat"}),
                         [](const auto& set) { return std::string(set.param.folder); });

}  // namespace
}  // namespace gdkm
