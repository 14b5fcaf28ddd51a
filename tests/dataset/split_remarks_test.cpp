#include "gdkm/dataset/split_remarks.hpp"

#include <gtest/gtest.h>

#include "gdkm/dataset/split_spec.hpp"

namespace gdkm {
namespace {

Dataset labelled(const std::vector<int>& sizes) {
  Dataset out;
  out.classes = static_cast<int>(sizes.size());
  for (std::size_t c = 0; c < sizes.size(); ++c)
    out.label.insert(out.label.end(), static_cast<std::size_t>(sizes[c]), static_cast<std::int32_t>(c));
  return out;
}

TEST(SplitRemarksTest, SmallPartsAndAbsentClassesAreNamed) {
  const Dataset good = labelled({60, 60});
  EXPECT_TRUE(split_remarks(good, random_splits(good.label, 0.6, 0.2, 3, 0)).empty());
  Dataset rare = labelled({30, 1});
  rare.class_names = {"many", "few"};
  const auto lines = split_remarks(rare, random_splits(rare.label, 0.9, 0.05, 1, 0));
  std::string all;
  for (const auto& line : lines) all += line + "\n";
  EXPECT_NE(all.find("test part has only"), std::string::npos) << all;
  EXPECT_NE(all.find("of class 'few'"), std::string::npos) << all;
}

TEST(SplitRemarksTest, ClassesThatTrainingHardlySeesAreNamed) {
  Dataset data = labelled({6, 2, 3});
  data.class_names = {"many", "two", "none"};
  const Split split{{0, 1, 2, 6, 7}, {3}, {4, 5, 8, 9, 10}};
  const auto lines = training_remarks(data, split);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "1 class has no training node: 'none'; it will hardly be predicted");
  EXPECT_EQ(lines[1], "1 class has fewer than 3 training nodes: 'two' (2); what is said of them is a guess");
  EXPECT_EQ(test_remark(data, split), "5 nodes are tested: a score of so few says little");
  data.task = Task::graph;
  EXPECT_EQ(test_remark(data, {{}, {}, {1}}), "1 graph is tested: a score of so few says little");
  EXPECT_EQ(test_remark(data, {{1}, {}, {}}), "");
  data = labelled({60, 60});
  EXPECT_TRUE(training_remarks(data, random_splits(data.label, 0.6, 0.2, 1, 0)[0]).empty());
}

TEST(SplitRemarksTest, TwoNumbersAreTrainAndTest) {
  const Dataset data = labelled({50, 50});
  const Split split = make_splits(parse_split_spec("67/33"), data.label, 0, 1)[0];
  EXPECT_EQ(split.test.size(), 33u);
  EXPECT_EQ(split.val.size(), 13u) << "a fifth of the training part";
  EXPECT_EQ(split.train.size(), 54u);
  EXPECT_EQ(to_string(parse_split_spec("0.8/0.2")), "64/16/20");
}

}  // namespace
}  // namespace gdkm
