#include "gdkm/training/class_weights.hpp"

#include <gtest/gtest.h>

#include "gdkm/fitting/study.hpp"
#include "gdkm/support/error.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using Items = std::vector<std::int32_t>;

TEST(ClassWeights, AreReadAndWritten) {
  for (const std::string text : {"none", "balanced", "1,2.5,0.1"})
    EXPECT_EQ(to_string(parse_class_weights(text)), text);
  for (const std::string text : {"", "1,", "1,-2", "1,nan", "1,inf", "most"})
    EXPECT_THROW(parse_class_weights(text), InputError) << text;
}

TEST(ClassWeights, BalancedClassesCountTheSame) {
  Problem problem;
  problem.classes = 4;
  problem.label = {0, 0, 0, 1, 1, 2};  // class 3 has no item
  const Items train{0, 1, 2, 3, 4, 5};
  const auto weights = weights_of_classes(parse_class_weights("balanced"), problem, train);
  ASSERT_EQ(weights.size(), 4u);
  EXPECT_NEAR(weights[0], 6.0 / (3 * 3), 1e-12);
  EXPECT_NEAR(weights[1], 6.0 / (3 * 2), 1e-12);
  EXPECT_NEAR(weights[2], 6.0 / (3 * 1), 1e-12);
  EXPECT_TRUE(weights_of_classes({}, problem, train).empty());
  EXPECT_THROW(weights_of_classes(parse_class_weights("1,2"), problem, train), OptionError);
}

/// A class of which few training items are left is found more often where classes are balanced.
TEST(ClassWeights, FindMoreOfARareClassWithEveryTrainedModel) {
  Dataset data = generate("csbm:n=400,classes=2,homophily=0.6,features=20,degree=5,signal=1");
  Split split = data.splits.at("public")[0];
  int kept = 0;
  std::erase_if(split.train,
                [&](auto node) { return data.label[static_cast<std::size_t>(node)] == 1 && ++kept > 6; });
  data.splits = {{"public", {split}}};
  struct Case {
    ModelKind model;
    Inference inference;
  };
  for (const Case each : {Case{ModelKind::dkm, Inference::natural},
                          {ModelKind::dkm, Inference::paper},
                          {ModelKind::nngp, Inference::natural},
                          {ModelKind::gcn, Inference::natural}}) {
    Settings settings = testing::small_settings();
    settings.model = each.model;
    settings.training.inference = each.inference;
    settings.training.epochs = 60;
    settings.training.select = Select::elbo;  // the same epoch
    const auto recall = [&](const std::string& weights) {
      settings.training.class_weights = parse_class_weights(weights);
      return run_study(settings, data, {}).runs.front().test->confusion->recall(1);
    };
    EXPECT_GT(recall("balanced"), recall("none") + 0.05) << name_of(each.model) << name_of(each.inference);
  }
}

}  // namespace
}  // namespace gdkm
