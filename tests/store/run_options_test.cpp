#include "gdkm/store/run_options.hpp"

#include <gtest/gtest.h>

#include "gdkm/store/configuration.hpp"

namespace gdkm {
namespace {

Configuration run_of(const std::string& model, const RunOptions& given) {
  return {"csbm:n=90,classes=3,features=12,degree=6",
          "1e7b8ab54518e642",
          model,
          complete_options(model, given),
          0,
          0};
}

const RunOptions dkm_options{{"nu", 0.1}, {"epochs", 400}, {"inducing", 10}};

/// The hashes are of a store of version 0.2. They change when an option without a default for earlier runs is
/// added.
TEST(RunOptions, RunsKeepTheirIdentityWhenOptionsAreAdded) {
  RunOptions as_before = dkm_options;
  as_before["inference"] = "paper";
  EXPECT_EQ(run_of("dkm", as_before).hash(),
            "d1cffb4abfb221c5df89f1c509ddd24b51c94a1d09cc044050d3e2270b0a4b9a");
  EXPECT_EQ(run_of("gcn", {{"width", 8}, {"epochs", 400}, {"inference", "uncalibrated"}}).hash(),
            "8a7e1ab3e630f9d21c7d4f351403b7adfea44112b217109c4c5f4c01ceaa44ae");
}

TEST(RunOptions, AddedOptionsCountOnceTheyAreUsed) {
  const Configuration plain = run_of("dkm", dkm_options);
  for (const std::string key : {"bias", "degree_features"}) {
    RunOptions options = dkm_options;
    options[key] = false;
    EXPECT_EQ(run_of("dkm", options).hash(), plain.hash()) << "its default";
    options[key] = true;
    EXPECT_NE(run_of("dkm", options).hash(), plain.hash());
    EXPECT_EQ(configuration_from(run_of("dkm", options).canonical()).option(key), "true");
  }
}

TEST(RunOptions, AddedOptionsAreThereWhenARunIsRead) {
  const Configuration dkm = run_of("dkm", dkm_options), read = configuration_from(dkm.canonical());
  EXPECT_EQ(read.options, dkm.options);
  EXPECT_EQ(read.option("bias"), "false");
  EXPECT_EQ(read.hash(), dkm.hash());
  const Configuration gcn = configuration_from(run_of("gcn", {}).canonical());
  EXPECT_EQ(gcn.option("degree_features"), "false");
  EXPECT_FALSE(gcn.options.contains("bias")) << "a gcn has none";
}

TEST(RunOptions, AddedOptionsAreNotThereWhereTheDataLeavesThemNoEffect) {
  DataKind numbers;
  numbers.regression = true;
  Configuration exact = run_of("nngp", {{"exact", true}});
  exact.options = complete_options("nngp", {{"exact", true}}, numbers);
  EXPECT_FALSE(exact.options.contains("inference")) << "there are no class probabilities to calibrate";
  const Configuration read = configuration_from(exact.canonical(), numbers);
  EXPECT_FALSE(read.options.contains("inference"));
  EXPECT_EQ(read.hash(), exact.hash());
}

}  // namespace
}  // namespace gdkm
