#include "gdkm/support/option_mention.hpp"

#include <gtest/gtest.h>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

TEST(OptionMentionTest, IsSpelledAsThePlaceSpellsIt) {
  const NumericalError error("the loss is not finite; try a smaller " + option("batch_size") + " or " +
                             option("precision", "float64"));
  EXPECT_STREQ(error.what(), "the loss is not finite; try a smaller batch_size or precision = float64");
  const auto shout = [](std::string_view name, std::string_view value) {
    return std::string(name) + "!" + std::string(value);
  };
  EXPECT_EQ(error.spelled(shout), "the loss is not finite; try a smaller batch_size! or precision!float64");
}

TEST(OptionMentionTest, SurvivesInAnErrorMadeOfAnother) {
  const InputError inner("use " + option("scheme", "inter"));
  const InputError outer("epoch 3: " + inner.message());
  EXPECT_EQ(outer.spelled([](std::string_view name, std::string_view) { return std::string(name); }),
            "epoch 3: use scheme");
}

TEST(OptionErrorTest, SaysWhichOptionWhatIsWrongAndWhatToDo) {
  const OptionError error("splits", "12", "cora has 10", "ask for at most that many");
  EXPECT_STREQ(error.what(), "splits = 12: cora has 10; ask for at most that many");
  EXPECT_EQ(error.field(), "splits");
  EXPECT_EQ(error.value(), "12");
  EXPECT_EQ(error.problem(), "cora has 10");
  EXPECT_EQ(error.remedy(), "ask for at most that many");
}

}  // namespace
}  // namespace gdkm
