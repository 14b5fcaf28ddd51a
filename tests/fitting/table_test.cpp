#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/fitting/study_remarks.hpp"
#include "gdkm/support/random.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::TemporaryFolder;

/// Customers as a spreadsheet has them: age in years, income in a currency, a colour. Who leaves is a little
/// younger, much poorer, and knows others who leave.
Dataset customers() {
  Random random({5, Purpose::generator});
  Dataset out;
  out.name = "customers";
  out.classes = 2;
  const Index nodes = 300;
  out.graph.nodes = out.features.rows = nodes;
  out.features.cols = 5;
  out.columns.kind = FeatureColumns::Kind::table;
  out.columns.table = {{"age"}, {"income"}, {"colour", ColumnType::category, {"blue", "green", "red"}}};
  for (Index i = 0; i < nodes; ++i) {
    const bool leaves = random.uniform() < 0.4;
    out.label.push_back(leaves ? 1 : 0);
    out.features.dense.push_back(static_cast<float>(45 - 8 * leaves + 10 * random.normal()));
    out.features.dense.push_back(static_cast<float>(50000 - 3000 * leaves + 9000 * random.normal()));
    const auto colour = random.below(3);
    for (std::uint64_t c = 0; c < 3; ++c) out.features.dense.push_back(c == colour ? 1.0F : 0.0F);
  }
  while (out.graph.edges.size() < 1200) {
    const auto a = static_cast<std::int32_t>(random.below(300)),
               b = static_cast<std::int32_t>(random.below(300));
    if (a != b && (out.label[a] == out.label[b]) == (random.uniform() < 0.8))
      out.graph.edges.push_back({a, b});
  }
  Split split;
  for (std::int32_t i = 0; i < 300; ++i)
    (i < 100 ? split.train : i < 180 ? split.val : split.test).push_back(i);
  out.splits["public"] = {split};
  return out;
}

Settings settings() {
  Settings out;
  out.config.inducing = 30;
  out.training.epochs = 60;
  out.device.threads = 2;
  return out;
}

/// Columns 0 and 1 in the other order.
Dataset with_income_first(Dataset data) {
  std::swap(data.columns.table[0], data.columns.table[1]);
  for (Index r = 0; r < data.features.rows; ++r)
    std::swap(data.features.dense[r * 5], data.features.dense[r * 5 + 1]);
  return data;
}

TEST(TableTest, RawColumnsOfDifferentUnitsAreLearnedFrom) {
  const Dataset data = customers();
  const FittedModel model = fit(data, data.splits.at("public")[0], settings());
  EXPECT_GT(model.card().run.test->accuracy, model.card().run.majority + 12);
  Settings rows = settings();
  rows.preprocessing.normalise = Normalisation::l2;
  EXPECT_LT(fit(data, data.splits.at("public")[0], rows).card().run.test->accuracy,
            model.card().run.majority + 5);
}

TEST(TableTest, ASavedModelKeepsColumnsAndScalesAndFindsReorderedColumns) {
  const TemporaryFolder folder;
  const Dataset data = customers();
  for (const bool structure : {false, true}) {
    Settings chosen = settings();
    chosen.training.epochs = 5;
    chosen.preprocessing.degree_features = true;
    chosen.preprocessing.structure_features = structure;
    const FittedModel model = fit(data, data.splits.at("public")[0], chosen);
    model.save(folder / "model.safetensors");
    const FittedModel loaded = FittedModel::load(folder / "model.safetensors");
    EXPECT_EQ(loaded.card().columns.table, data.columns.table);
    EXPECT_EQ(loaded.card().settings.preprocessing.scales, model.card().settings.preprocessing.scales);
    EXPECT_EQ(loaded.predict(data).values, model.predict(data).values);
    EXPECT_EQ(loaded.predict(with_income_first(data)).values, model.predict(data).values);
  }
}

TEST(TableTest, OneRowPredictedAloneIsScaledAsTheTrainingDataWas) {
  const Dataset data = customers();
  Settings chosen = settings();
  chosen.config.relations = parse_relations("self");  // so that neighbours do not matter
  chosen.training.epochs = 5;
  const FittedModel model = fit(data, data.splits.at("public")[0], chosen);
  Dataset one = data;
  one.graph = {};
  one.graph.nodes = one.features.rows = 1;
  one.features.dense.resize(5);
  one.label = {-1};
  one.splits.clear();
  const Predictions all = model.predict(data), alone = model.predict(one);
  EXPECT_NEAR(alone.row(0)[0], all.row(0)[0], 1e-5);
}

TEST(TableTest, AColumnThatIsMissingOrUnknownIsNamed) {
  const Dataset data = customers();
  Settings chosen = settings();
  chosen.training.epochs = 1;
  const FittedModel model = fit(data, data.splits.at("public")[0], chosen);
  Dataset other = data;
  other.columns.table[1].name = "salary";
  expect_input_error([&] { model.predict(other); }, {"needs the column 'income'", "'salary'"});
  Dataset wider = data;
  wider.columns.table.push_back({"hat size"});
  wider.features.cols = 6;
  wider.features.dense.clear();
  for (Index r = 0; r < data.features.rows; ++r) {
    wider.features.dense.insert(wider.features.dense.end(), data.features.dense.begin() + r * 5,
                                data.features.dense.begin() + (r + 1) * 5);
    wider.features.dense.push_back(7);
  }
  const Predictions found = model.predict(wider);
  EXPECT_EQ(found.values, model.predict(data).values);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_NE(found.remarks[0].find("'hat size'"), std::string::npos);
}

TEST(TableTest, NpzKeepsNamesAndTypes) {
  const TemporaryFolder folder;
  const Dataset data = customers();
  write_graph_npz(data, folder / "customers.npz");
  const Dataset found = read_graph_npz(folder / "customers.npz");
  EXPECT_EQ(found.columns.kind, FeatureColumns::Kind::table);
  EXPECT_EQ(found.columns.table, data.columns.table);
  EXPECT_EQ(found.features.dense, data.features.dense);
}

/// Graphs of other splits say nothing to the model of this one.
TEST(TableTest, ScalesOfManyGraphsComeFromTheTrainingGraphs) {
  Dataset data;
  data.name = "pairs";
  data.task = Task::graph;
  data.classes = 2;
  data.graph_start = {0};
  data.features.cols = 1;
  Random random({2, Purpose::generator});
  for (std::int32_t g = 0; g < 30; ++g) {
    data.graph.edges.push_back({2 * g, 2 * g + 1});
    data.graph_start.push_back(2 * g + 2);
    data.label.push_back(g % 2);
    for (int k = 0; k < 2; ++k)
      data.features.dense.push_back(static_cast<float>(g < 20 ? g % 2 + 0.1 * random.normal() : 1e6));
  }
  data.graph.nodes = data.features.rows = 60;
  data.columns.kind = FeatureColumns::Kind::table;
  data.columns.table = {{"charge"}};
  Split split;
  for (std::int32_t g = 0; g < 30; ++g) (g < 14 ? split.train : g < 20 ? split.val : split.test).push_back(g);
  Settings chosen = settings();
  chosen.config.inducing = 8;
  const FittedModel model = fit(data, split, chosen);
  EXPECT_LT(std::fabs(model.card().settings.preprocessing.scales->mean[0]), 2);
  EXPECT_EQ(model.card().run.val->accuracy, 100);
  data.splits["public"] = {split};
  const StudyResult study = run_study(chosen, data, {});
  EXPECT_EQ(study.best_model->card().settings.preprocessing.scales,
            model.card().settings.preprocessing.scales);
}

TEST(StudyRemarksTest, TellWhatATableConsistsOf) {
  EXPECT_EQ(described(customers().columns), "2 numbers (age, income), 1 category (colour: 3 values)");
}

TEST(StudyRemarksTest, NameAColumnThatDrownsTheOthersWhereRowsAreScaled) {
  const Dataset data = customers();
  Settings chosen = settings();
  EXPECT_TRUE(remarks_on_data(data, data.splits.at("public")[0], chosen).empty());
  chosen.preprocessing.normalise = Normalisation::l2;
  const auto remarks = remarks_on_data(data, data.splits.at("public")[0], chosen);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("column 'income' drowns the others"), std::string::npos);
}

TEST(StudyRemarksTest, WarnOfClassesAndPartsWithHardlyAnItem) {
  Dataset data = customers();
  Split split = data.splits.at("public")[0];
  for (const auto i : split.train) data.label[i] = 0;
  data.label[split.train[0]] = 1;
  split.val.clear();
  const auto remarks = remarks_on_data(data, split, settings());
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_NE(remarks[0].find("1 (1)"), std::string::npos) << remarks[0];
  EXPECT_NE(remarks[1].find("no nodes validate"), std::string::npos) << remarks[1];
}

TEST(StudyRemarksTest, TellHowManySplitsWereUsedAndWhetherTheMajorityIsBeaten) {
  Dataset data = customers();
  Split split = data.splits.at("public")[0];
  data.splits["public"].push_back(split);
  RunResult run;
  run.majority = 60;
  run.test = Metrics{};
  run.test->accuracy = 60;
  auto remarks = remarks_on_scores(data, {split}, {run}, settings());
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_NE(remarks[0].find("1 of 2 splits was used"), std::string::npos);
  EXPECT_NE(remarks[1].find("not better than always predicting"), std::string::npos);
  run.test->accuracy = 61;
  split.test.resize(1);
  remarks = remarks_on_scores(data, {split}, {run}, settings());
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_NE(remarks[1].find("1 node is tested"), std::string::npos);
}

TEST(StudyRemarksTest, TellWhetherTheMeanIsBeatenInRegression) {
  Dataset data = customers();
  const Split split = data.splits.at("public")[0];
  data.classes = 0;
  data.targets = 1;
  data.target.assign(data.label.size(), 1.0f);
  RunResult run;
  run.mean_rmse = 2;
  run.test = Metrics{};
  run.test->rmse = 2.5;
  const auto remarks = remarks_on_scores(data, {split}, {run}, settings());
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("always predicting the mean"), std::string::npos);
  run.test->rmse = 1.5;
  EXPECT_TRUE(remarks_on_scores(data, {split}, {run}, settings()).empty());
}

}  // namespace
}  // namespace gdkm
