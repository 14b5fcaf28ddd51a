#include <gtest/gtest.h>

#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

using CommitteeCommand = Program;

TEST_F(CommitteeCommand, IsTrainedSavedShownAndPredictsTheMean) {
  const auto trained = [&](const std::vector<std::string>& options, const std::string& file) {
    std::vector<std::string> all = options;
    all.insert(all.end(), {"--save", file});
    done(small_train(small_graph, all));
    return done({"predict", file, small_graph}).out;
  };
  const std::string together = trained({"--members", "layers=1;nu=0.1,diffuse=2"}, "c.safetensors");
  trained({"--layers", "1"}, "a.safetensors");
  const std::string shown = done({"inspect", "c.safetensors"}).out;
  for (const char* word : {"a committee of 2", "Members", "  layers=1\n", "nu=0.1,diffuse=2"})
    EXPECT_NE(shown.find(word), std::string::npos) << word << " not in:\n" << shown;
  EXPECT_EQ(shown.find("train_items"), std::string::npos) << "what cards list is no parameter";
  const auto card = done({"inspect", "c.safetensors", "--json"}).json();
  ASSERT_EQ(card.at("members").size(), 2u);
  const auto alone = done({"inspect", "a.safetensors", "--json"}).json();
  EXPECT_EQ(card.at("members").at(0).at("run").at("val"), alone.at("run").at("val"));
  EXPECT_EQ(card.at("members").at(1).at("options").at("diffuse"), 2);
  // The same committee once more gives the same bytes.
  EXPECT_EQ(trained({"--members", "layers=1;diffuse=2,nu=0.1"}, "d.safetensors"), together);
}

TEST_F(CommitteeCommand, HasNoFeaturesToWriteAndNoCostOfAStep) {
  done(small_train(small_graph, {"--members", "layers=1;layers=2", "--save", "c.safetensors"}));
  refused({"embed", "c.safetensors", small_graph, "-o", "x.csv"},
          {"a committee has no features", "--members"});
  refused({"predict", "c.safetensors", small_graph, "--explain"}, {"a committee has no features"});
  refused(small_train(small_graph, {"--members", "layers=1;layers=2", "--dry-run", "2"}),
          {"--members", "one model"});
}

TEST_F(CommitteeCommand, MistakesAreRefusedBeforeTheWork) {
  const auto with = [](const std::string& members) {
    return small_train(small_graph, {"--members", members});
  };
  refused(with("layers=1"), {"--members layers=1", "two members or more"});
  refused(with("layers=1;layrs=2"), {"--members", "no option 'layrs'"});
  refused(with("layers=1;seed=2"), {"'seed' in common"});
  refused(with("layers=1;pool=sum"), {"--members pool=sum", "--pool has no effect"});
  refused({"train", small_graph, "--model", "nngp", "--exact", "--members", "layers=1;layers=2"},
          {"--members", "can be saved", "--exact"});
}

}  // namespace
}  // namespace gdkm::testing
