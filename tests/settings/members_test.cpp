#include "gdkm/settings/members.hpp"

#include <gtest/gtest.h>

#include "gdkm/settings/option.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/store/run_options.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

Settings with_members(const std::string& text) {
  Settings out;
  out.members = parse_members(text);
  return out;
}

TEST(Members, HaveTheSettingsOfAllAndTheirOwnOptions) {
  Settings settings = with_members("diffuse=8,layers=1;nu=0.1,inf;relations=self,in,out,lr=0.001");
  settings.config.inducing = 77;
  const auto members = member_settings(settings);
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0].preprocessing.diffuse, 8);
  EXPECT_EQ(members[0].config.layers, 1);
  EXPECT_EQ(members[1].config.nu.size(), 2u) << "commas of a value are its own";
  EXPECT_EQ(members[1].config.layers, 2);
  EXPECT_EQ(to_string(members[2].config.relations), "self,in,out");
  EXPECT_EQ(members[2].training.rate, 0.001);
  for (const Settings& member : members) {
    EXPECT_EQ(member.config.inducing, 77);
    EXPECT_TRUE(member.members.empty());
  }
  EXPECT_TRUE(member_settings(Settings{}).empty());
}

TEST(Members, HaveOneWayToBeWritten) {
  const auto canonical = [](const std::string& text) { return to_string(parse_members(text)); };
  EXPECT_EQ(canonical(" wl-features=1 , layers=1; layers=02"), "layers=1,wl_features=1;layers=2");
  EXPECT_EQ(canonical("epochs=auto;lr=0.0123456789"), "epochs=auto;lr=0.0123456789");
  EXPECT_EQ(canonical("nu=auto;nu=1,inf"), "nu=auto;nu=1,inf");
  EXPECT_EQ(canonical("center=true;center=false"), "center=true;center=false");
  EXPECT_EQ(canonical(""), "");
  const std::string text = canonical("diffuse=8;diffuse=16");
  EXPECT_EQ(canonical(text), text);
}

TEST(Members, MistakesAreNamedWithWhatToDo) {
  const auto refused = [](const std::string& text, std::vector<std::string> words) {
    words.insert(words.begin(), "members");
    expect_input_error([&] { parse_members(text); }, words);
  };
  refused("diffuse=8", {"two members or more", "semicolon"});
  refused("diffuse=8;", {"two members or more"});
  refused("diffuse=8;;diffuse=4", {"no option of its own"});
  refused("diffuse;diffuse=8", {"an option and its value"});
  refused("diffuse=8;=3", {"an option and its value"});
  refused("difuse=8;diffuse=4", {"difuse=8", "no option 'difuse'"});
  refused("diffuse=many;diffuse=4", {"diffuse=many", "a whole number"});
  refused("diffuse=8,diffuse=9;diffuse=4", {"'diffuse' twice"});
  refused("members=x;diffuse=4", {"no committees among its members"});
  for (const char* common : {"seed=1", "seeds=2", "device=cpu", "threads=1", "split=60/20/20",
                             "conformal=0.1", "split_set=geom", "class_weights=balanced", "precision=float64",
                             "exact=true", "landmarks=true", "largest_component=true"})
    refused(std::string(common) + ";diffuse=4", {common, "in common"});
}

TEST(Members, AreCheckedAsSettingsAre) {
  EXPECT_NO_THROW(check_settings(with_members("layers=1;layers=3")));
  expect_input_error([] { check_settings(with_members("layers=1;nu=1,2,3")); },
                     {"members = nu=1,2,3", "3 values for 2 layers"});
  expect_input_error([] { check_settings(with_members("layers=1;width=3")); },
                     {"width has no effect", "gcn"});
  DataKind nodes;
  nodes.task = Task::node;
  expect_input_error([&] { check_settings(with_members("layers=1;pool=sum"), nodes); },
                     {"pool has no effect", "this is one graph"});
  Settings exact = with_members("layers=1;layers=2");
  exact.model = ModelKind::nngp;
  exact.exact = true;
  expect_input_error([&] { check_settings(exact); }, {"members", "can be saved", "exact"});
}

TEST(Members, ArePartOfARunsIdentityAndChangeNoEarlierOne) {
  const auto options = [](const RunOptions& given) {
    return identifying_options("dkm", complete_options("dkm", given));
  };
  EXPECT_FALSE(options({}).contains("members"));
  EXPECT_EQ(options({{"members", "layers=1;layers=2"}}).at("members"), "layers=1;layers=2");
  const Settings settings = with_members("nu=0.1;nu=inf,diffuse=3");
  EXPECT_EQ(to_string(settings_from_json(to_json(settings), settings.model, "test").members),
            "nu=0.1;nu=inf,diffuse=3");
}

}  // namespace
}  // namespace gdkm
