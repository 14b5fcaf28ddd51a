#include "gdkm/dataset/split_spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

/// 30 nodes of class 0, 20 of class 1, none of class 2, 10 of class 3, 5 without a class.
std::vector<std::int32_t> labels() {
  std::vector<std::int32_t> out(30, 0);
  out.insert(out.end(), 20, 1);
  out.insert(out.end(), 10, 3);
  out.insert(out.end(), 5, -1);
  return out;
}

TEST(SplitSpecTest, FractionsMayBePercentOrParts) {
  for (const char* text : {"60/20/20", "0.6/0.2/0.2", "60%/20%/20%"}) {
    const SplitSpec spec = parse_split_spec(text);
    EXPECT_DOUBLE_EQ(spec.train, 0.6) << text;
    EXPECT_DOUBLE_EQ(spec.val, 0.2) << text;
    EXPECT_EQ(spec.per_class, 0) << text;
    EXPECT_EQ(to_string(spec), "60/20/20");
  }
  const auto splits = make_splits(parse_split_spec("60/20/20"), labels(), 3, 2);
  const auto same = random_splits(labels(), 0.6, 0.2, 2, 3);
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[1].train, same[1].train);
  EXPECT_EQ(splits[1].train.size(), 36u);
  EXPECT_EQ(splits[1].test.size(), 12u);
  EXPECT_TRUE(make_splits(parse_split_spec("70/30/0"), labels(), 0, 1)[0].test.empty());
}

TEST(SplitSpecTest, PerClassTrainsOnEqualNumbers) {
  const SplitSpec spec = parse_split_spec("per-class=4,val=10,test=20");
  EXPECT_EQ(to_string(spec), "per-class=4,val=10,test=20");
  const auto label = labels();
  const auto splits = make_splits(spec, label, 0, 3);
  ASSERT_EQ(splits.size(), 3u);
  for (const Split& split : splits) {
    std::vector<int> count(4, 0);
    for (const auto i : split.train) ++count[static_cast<std::size_t>(label[static_cast<std::size_t>(i)])];
    EXPECT_EQ(count, (std::vector<int>{4, 4, 0, 4}));
    EXPECT_EQ(split.val.size(), 10u);
    EXPECT_EQ(split.test.size(), 20u);
    std::vector<std::int32_t> all;
    for (const auto* part : {&split.train, &split.val, &split.test}) {
      EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
      all.insert(all.end(), part->begin(), part->end());
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
    EXPECT_LT(all.back(), 60);
  }
  EXPECT_NE(splits[0].train, splits[1].train);
  EXPECT_EQ(make_splits(spec, label, 0, 1)[0].train, splits[0].train);
  EXPECT_NE(make_splits(spec, label, 1, 1)[0].train, splits[0].train);
  const auto rest = make_splits(parse_split_spec("per-class=10"), label, 0, 1)[0];
  EXPECT_EQ(rest.test.size(), 30u);
  EXPECT_TRUE(rest.val.empty());
}

TEST(SplitSpecTest, ImpossibleOnesAreRefused) {
  const auto bad = [](const std::string& text, const std::vector<std::string>& words) {
    expect_input_error([&] { parse_split_spec(text); }, words);
  };
  bad("", {"two or three"});
  bad("60", {"two or three"});
  bad("60/20/10/10", {"two or three"});
  bad("60/x/20", {"'x'"});
  bad("60/-20/60", {"'-20'"});
  bad("nan/20/20", {"'nan'"});
  bad("80/30", {"110"});
  bad("60/20", {"sum to 80", "train and test"});
  bad("6/2/2", {"sum to 10", "100"});
  bad("0/50/50", {"training part is empty"});
  bad("per-class=0", {"at least 1"});
  bad("per-class=x", {"'per-class=x'"});
  bad("per-class=5,vel=3", {"'vel'"});
  bad("val=5", {"per-class"});
  const auto impossible = [](const std::string& text, const std::vector<std::string>& words) {
    expect_input_error([&] { make_splits(parse_split_spec(text), labels(), 0, 1); }, words);
  };
  impossible("per-class=11", {"class 3 has 10 labelled nodes", "smaller"});
  impossible("per-class=10,val=31", {"30 nodes", "fewer"});
  impossible("per-class=10,val=9223372036854775807,test=9223372036854775807", {"30 nodes"});
  impossible("0.001/0.001/0.998", {"no labelled node"});
  expect_input_error(
      [] {
        make_splits(parse_split_spec("60/20/20"), {-1, -1}, 0, 1);
      },
      {"no node has a class"});
}

TEST(SplitSpecTest, TheTextOfASpecificationCanBeReadAgain) {
  for (const char* text : {"14.2857/85.7143", "33.3333/33.3333/33.3334", "60/20/20", "0.7/0.1/0.2"})
    EXPECT_NO_THROW(parse_split_spec(to_string(parse_split_spec(text)))) << text;
}

}  // namespace
}  // namespace gdkm
