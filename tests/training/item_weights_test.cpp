#include "gdkm/training/item_weights.hpp"

#include <gtest/gtest.h>

#include "gdkm/fitting/fit.hpp"
#include "gdkm/support/error.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using Items = std::vector<std::int32_t>;

TEST(ItemWeights, ItemsThatWeighTheSameStayInTheirOrder) {
  Batch batch;
  batch.item = {10, 11, 12, 13, 14};
  batch.whole = {0, 1, 2, 3, 4};
  batch.label = {1, 0, 2, 0, 1};
  const std::vector<double> weight{1, 3, 3, 3, 1};
  order_by_weight(weight, batch);
  EXPECT_EQ(batch.item, (Items{10, 14, 11, 12, 13}));
  EXPECT_EQ(batch.whole, (Items{0, 4, 1, 2, 3}));
  EXPECT_EQ(batch.label, (Items{1, 1, 0, 2, 0}));
  const auto runs = weight_runs(weight, batch.whole);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].count, 2);
  EXPECT_EQ(runs[1].count, 3);
  EXPECT_EQ(runs[1].weight, 3);
}

TEST(ItemWeights, AreThoseOfTheItemTimesThoseOfItsClass) {
  Problem problem;
  problem.label = {0, 1, -1};
  EXPECT_TRUE(weights_of_items({}, problem).empty());
  EXPECT_EQ(weights_of_items({2, 3}, problem), (std::vector<double>{2, 3, 1}));
  problem.item_weight = {1, 5, 7};
  EXPECT_EQ(weights_of_items({2, 3}, problem), (std::vector<double>{2, 15, 7}));
  const auto scaled = mean_weights_of_items({}, problem, {0, 1});  // those of items 0 and 1 have mean 1
  ASSERT_EQ(scaled.size(), 3u);
  EXPECT_DOUBLE_EQ(scaled[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(scaled[1], 5.0 / 3);
  EXPECT_DOUBLE_EQ(scaled[2], 7.0 / 3);
}

/// Weights by item that are those of its class are the same run, bit for bit.
TEST(ItemWeights, OfClassesAreTheWeightsOfClasses) {
  const Dataset data = testing::small_dataset();
  const Split split = data.splits.at("public")[0];
  for (const Inference inference : {Inference::natural, Inference::paper}) {
    Settings settings = testing::small_settings();
    settings.training.inference = inference;
    settings.training.select = Select::elbo;  // validation items are weighed by class alone
    std::vector<double> weight;
    for (const auto label : data.label) weight.push_back(label == 1 ? 3.0 : 1.0);
    Split without = split;
    without.val.clear();
    const auto by_item = fit(data, without, settings, {}, weight).predict(data).values;
    settings.training.class_weights = parse_class_weights("1,3,1");
    const auto by_class = fit(data, without, settings).predict(data).values;
    EXPECT_EQ(by_item, by_class) << name_of(inference);
  }
}

TEST(ItemWeights, AreRefusedWhereTheyHaveNoMeaning) {
  const Dataset data = testing::small_dataset();
  const Split split = data.splits.at("public")[0];
  Settings settings = testing::small_settings();
  EXPECT_THROW(fit(data, split, settings, {}, {1, 2}), InputError);
  EXPECT_THROW(fit(data, split, settings, {}, std::vector<double>(data.label.size(), -1)), InputError);
  settings.model = ModelKind::nngp;
  settings.exact = true;
  EXPECT_THROW(fit(data, split, settings, {}, std::vector<double>(data.label.size(), 1)), InputError);
}

}  // namespace
}  // namespace gdkm
