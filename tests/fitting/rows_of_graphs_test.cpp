#include <gtest/gtest.h>

#include <algorithm>

#include "gdkm/fitting/fit.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/settings/option.hpp"
#include "tests/data/files/raw_npz.hpp"

// Graphs whose features are pooled before the model, which then has a row for each of them.
namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::TemporaryFolder;

/// Rings (class 0) and chains (class 1) of 4 to 9 nodes that all have the same features: colours alone tell
/// them apart.
Dataset unlabelled_rings(int count) {
  Dataset out;
  out.name = "rings";
  out.task = Task::graph;
  out.classes = 2;
  out.graph_start = {0};
  for (int g = 0; g < count; ++g) {
    const int size = 4 + g % 6, first = out.graph_start.back();
    const bool ring = g % 2 == 0;
    for (int k = 0; k < (ring ? size : size - 1); ++k)
      out.graph.edges.push_back({first + k, first + (k + 1) % size});
    out.graph_start.push_back(first + size);
    out.label.push_back(ring ? 0 : 1);
  }
  out.graph.nodes = out.graph_start.back();
  out.features.rows = out.graph.nodes;
  out.features.cols = 1;
  out.features.dense.assign(static_cast<std::size_t>(out.graph.nodes), 1.0F);
  Split split;
  for (int g = 0; g < count; ++g)
    (g % 3 == 0 ? split.test : g % 3 == 1 ? split.train : split.val).push_back(g);
  out.splits["public"] = {split};
  return out;
}

Settings pooled_settings(ModelKind model) {
  Settings out;
  out.model = model;
  out.preprocessing.wl_features = 2;
  out.preprocessing.pool_features = FeaturePooling::root;
  out.config.inducing = 12;
  out.training.epochs = 60;
  out.device.threads = 2;
  return out;
}

TEST(RowsOfGraphs, MakeARowOfEveryGraph) {
  const Dataset data = unlabelled_rings(12);
  Preprocessing how;
  how.pool_features = FeaturePooling::sum;
  const Dataset rows = preprocess(data, how);
  EXPECT_EQ(rows.graph.nodes, 12);
  EXPECT_TRUE(rows.graph.edges.empty());
  EXPECT_EQ(rows.features.dense[0], 4.0F);
  EXPECT_EQ(rows.features.dense[5], 9.0F);
  EXPECT_EQ(rows.graph_start.back(), 12);
  EXPECT_EQ(rows.label, data.label);
}

TEST(RowsOfGraphs, LetEveryModelTellRingsFromChains) {
  const Dataset data = unlabelled_rings(60);
  const Split& split = data.splits.at("public")[0];
  for (const ModelKind model : {ModelKind::dkm, ModelKind::nngp, ModelKind::gcn}) {
    const FittedModel fitted = fit(data, split, pooled_settings(model));
    EXPECT_GE(fitted.card().run.test->accuracy, 95) << name_of(model);
  }
  Settings landmarks = pooled_settings(ModelKind::nngp);
  landmarks.landmarks = true;
  EXPECT_GE(fit(data, split, landmarks).card().run.test->accuracy, 95);
  for (const ModelKind model : {ModelKind::dkm, ModelKind::nngp}) {
    Settings exact = pooled_settings(model);
    exact.exact = true;
    EXPECT_GE(fit(data, split, exact).card().run.test->accuracy, 95) << "exact " << name_of(model);
  }
}

TEST(RowsOfGraphs, ModelsPredictOnOtherGraphs) {
  const Dataset data = unlabelled_rings(60), others = unlabelled_rings(40);
  const TemporaryFolder folder;
  for (const bool landmarks : {false, true}) {
    Settings settings = pooled_settings(ModelKind::nngp);
    settings.landmarks = landmarks;
    fit(data, data.splits.at("public")[0], settings).save(folder / "model.safetensors");
    const FittedModel model = FittedModel::load(folder / "model.safetensors");
    const Predictions predictions = model.predict(others);
    ASSERT_EQ(predictions.items, 40);
    int right = 0;
    for (Index g = 0; g < 40; ++g) right += predictions.predicted_class(g) == others.label[g] ? 1 : 0;
    EXPECT_GE(right, 38);
  }
}

TEST(RowsOfGraphs, ModelsKnowTypesOfEdgesByTheirNames) {
  // Rings whose edges are all of one type, which is the class.
  Dataset data = unlabelled_rings(60);
  data.graph.type_names = {"single", "double"};
  std::vector<std::int32_t> type;
  for (const Edge& edge : data.graph.edges) {
    const auto after = std::upper_bound(data.graph_start.begin(), data.graph_start.end(), edge.from);
    type.push_back(data.label[static_cast<std::size_t>(after - data.graph_start.begin() - 1)]);
  }
  data.graph.type = type;
  const TemporaryFolder folder;
  for (const FeaturePooling pooling : {FeaturePooling::sum, FeaturePooling::none}) {
    Settings settings = pooled_settings(ModelKind::nngp);
    settings.preprocessing.pool_features = pooling;
    fit(data, data.splits.at("public")[0], settings).save(folder / "model.safetensors");
    const FittedModel model = FittedModel::load(folder / "model.safetensors");
    const Predictions want = model.predict(data);
    Dataset other = data;  // the same types in another order
    other.graph.type_names = {"double", "single"};
    for (auto& each : type) each = 1 - each;
    other.graph.type = type;
    for (auto& each : type) each = 1 - each;
    EXPECT_EQ(model.predict(other).values, want.values) << name_of(pooling);
    other.graph.type_names = {"double", "triple"};
    expect_input_error([&] { model.predict(other); }, {"single, double", "triple", "same types"});
    other.graph.type.clear();
    other.graph.type_names.clear();
    expect_input_error([&] { model.predict(other); }, {"single, double", "no types"});
  }
}

TEST(RowsOfGraphs, ModelsKnowTheDataThatTheyWereTrainedOn) {
  const Dataset data = unlabelled_rings(40);
  Dataset others = data;  // as many graphs, and the last of them with an edge less
  others.graph.edges.pop_back();
  Dataset unlabelled = data;
  std::fill(unlabelled.label.begin(), unlabelled.label.end(), -1);
  const TemporaryFolder folder;
  for (const Normalisation normalise : {Normalisation::l2, Normalisation::standard}) {
    Settings settings = pooled_settings(ModelKind::nngp);
    settings.preprocessing.normalise = normalise;
    settings.landmarks = true;
    fit(data, data.splits.at("public")[0], settings).save(folder / "model.safetensors");
    const FittedModel model = FittedModel::load(folder / "model.safetensors");
    EXPECT_TRUE(model.was_trained_on(data)) << name_of(normalise);
    EXPECT_TRUE(model.was_trained_on(unlabelled)) << name_of(normalise);
    EXPECT_FALSE(model.was_trained_on(others)) << name_of(normalise);
    EXPECT_TRUE(model.predict(others).seen.empty()) << name_of(normalise);
  }
}

TEST(RowsOfGraphs, LandmarksAtEveryGraphAgreeWithTheExactKernel) {
  Dataset data = unlabelled_rings(30);
  Split split = data.splits.at("public")[0];
  split.train.insert(split.train.end(), split.test.begin(), split.test.end());  // landmarks are among these
  split.train.insert(split.train.end(), split.val.begin(), split.val.end());
  std::sort(split.train.begin(), split.train.end());
  split.test.clear();
  split.val.clear();
  // Sizes, which no two graphs of a class share, keep the kernel from being singular.
  for (std::size_t k = 0; k < data.features.dense.size(); ++k)
    data.features.dense[k] = 1 + 0.01F * static_cast<float>(k);
  Settings settings = pooled_settings(ModelKind::nngp);
  settings.precision = Precision::float64;
  settings.config.jitter = 0;
  settings.config.inducing = 30;
  settings.preprocessing.wl_features = 0;
  settings.training.init = Init::random;
  settings.landmarks = true;
  const auto by_landmarks = fit(data, split, settings).predict(data);
  settings.landmarks = false;
  settings.exact = true;
  const auto exact = fit(data, split, settings).predict(data);
  for (std::size_t k = 0; k < exact.values.size(); ++k)
    EXPECT_NEAR(by_landmarks.values[k], exact.values[k], 1e-4) << k;
}

TEST(RowsOfGraphs, AreForSetsOfGraphs) {
  Dataset node = unlabelled_rings(12);
  node.task = Task::node;
  Preprocessing how;
  how.pool_features = FeaturePooling::mean;
  expect_input_error([&] { preprocess(node, how); }, {"pool_features", "many graphs"});
}

TEST(RowsOfGraphs, LeaveNothingToMixOrToPool) {
  const Dataset data = unlabelled_rings(12);
  Settings settings = pooled_settings(ModelKind::dkm);
  settings.config.lambda = 0.5;
  for (const char* name : {"lambda", "pool", "relations", "diffuse"})
    expect_input_error([&] { refuse_without_effect({name}, settings, kind_of(data)); },
                       {name, "pool_features", "no edges"});
  settings.preprocessing.adjacency.keep_direction = true;
  settings.preprocessing.adjacency.keep_self_loops = true;
  settings.preprocessing.adjacency.use_weights = false;
  const std::set<std::string> of_edges{"directed", "keep_self_loops", "ignore_weights"};
  EXPECT_NO_THROW(refuse_without_effect(of_edges, settings, kind_of(data))) << "colours look at edges";
  settings.preprocessing.wl_features = 0;
  for (const std::string& name : of_edges)
    expect_input_error([&] { refuse_without_effect({name}, settings, kind_of(data)); },
                       {name, "pool_features", "no edges"});
  settings.config.arch = Architecture::sage;
  expect_input_error([&] { check_settings(settings, kind_of(data)); }, {"pool_features", "sage", "use"});
  settings.config.arch = Architecture::kipf;
  settings.config.relations = parse_relations("self,und");
  expect_input_error([&] { check_settings(settings, kind_of(data)); },
                     {"pool_features", "leave", "relations"});
}

TEST(RowsOfGraphs, NetworksThatMixAreRefused) {
  const DataKind data = kind_of(unlabelled_rings(12));
  Settings settings = pooled_settings(ModelKind::nngp);
  settings.exact = true;
  for (const ExactNetwork network : {ExactNetwork::sage, ExactNetwork::gpr, ExactNetwork::dirgnn}) {
    settings.network = network;
    expect_input_error([&] { check_settings(settings, data); },
                       {"pool_features", name_of(network), "no edge is left", "gcn"});
  }
  for (const ExactNetwork network : {ExactNetwork::gcn, ExactNetwork::gcnii, ExactNetwork::rbf}) {
    settings.network = network;
    EXPECT_NO_THROW(check_settings(settings, data)) << name_of(network);
  }
}

TEST(RowsOfGraphs, HaveAtMostOneInducingPointPerGraph) {
  Settings settings = pooled_settings(ModelKind::dkm);
  settings.config.inducing = 100;
  std::string said;
  const PreparedData prepared =
      prepare(unlabelled_rings(12), settings, [&](const std::string& remark) { said += remark; });
  EXPECT_EQ(prepared.settings.config.inducing, 12);
  EXPECT_NE(said.find("the number of graphs"), std::string::npos) << said;
}

TEST(RowsOfGraphs, KeepMissingNumbersAsTheyWereFilledIn) {
  // Two graphs of two nodes; the number is missing at one node of the second, where it was filled in.
  Dataset data = unlabelled_rings(2);
  data.graph = {};
  data.graph.nodes = data.features.rows = 4;
  data.graph_start = {0, 2, 4};
  data.columns.kind = FeatureColumns::Kind::table;
  data.columns.table = {{"charge", ColumnType::number}};
  data.columns.table[0].has_missing = true;
  data.features.cols = 2;
  data.features.dense = {3, 0, 3, 0, 1, 0, 1, 1};
  Preprocessing how;
  how.pool_features = FeaturePooling::sum;
  how.normalise = Normalisation::none;
  const Dataset rows = preprocess(data, how);
  EXPECT_EQ(rows.features.dense, (std::vector<float>{6, 0, 2, 1}));
  const ColumnScales scales = column_scales(rows.features, rows.columns);
  EXPECT_DOUBLE_EQ(scales.mean[0], 4) << "the row with a missing number counts, too";
  const Features scaled = standardise(rows.features, rows.columns, scales);
  EXPECT_LT(scaled.dense[static_cast<std::size_t>(scaled.cols)], 0)
      << "pooled numbers are not replaced by the mean";
  EXPECT_DOUBLE_EQ(column_scales(data.features, data.columns).mean[0], 7.0 / 3) << "of nodes it does not";
}

TEST(RowsOfGraphs, DoNotFillANodeWithMeansOfGraphs) {
  Dataset data = unlabelled_rings(30);
  data.columns.kind = FeatureColumns::Kind::table;
  data.columns.table = {{"colour", ColumnType::category, {"blue", "red"}}};
  data.features.cols = 2;
  data.features.dense.clear();
  for (Index node = 0; node < data.graph.nodes; ++node) {
    const float red = node % 3 == 0 ? 1.0F : 0.0F;
    data.features.dense.insert(data.features.dense.end(), {1 - red, red});
  }
  Settings settings = pooled_settings(ModelKind::nngp);
  settings.preprocessing.pool_features = FeaturePooling::sum;
  settings.training.epochs = 5;
  const FittedModel model = fit(data, data.splits.at("public")[0], settings);
  ASSERT_TRUE(model.card().settings.preprocessing.scales);
  // The first node is green, a colour that the model does not know: none of those that it does.
  Dataset green = data, none = data;
  green.columns.table[0].values.push_back("green");
  green.features.cols = 3;
  green.features.dense.clear();
  for (Index node = 0; node < data.graph.nodes; ++node) {
    const bool first = node == 0;
    green.features.dense.insert(
        green.features.dense.end(),
        {first ? 0.0F : data.features.dense[static_cast<std::size_t>(2 * node)],
         first ? 0.0F : data.features.dense[static_cast<std::size_t>(2 * node + 1)], first ? 1.0F : 0.0F});
  }
  none.features.dense[0] = none.features.dense[1] = 0;
  EXPECT_EQ(model.predict(green).values, model.predict(none).values);
}

TEST(RowsOfGraphs, HaveNoFeaturesOfNodes) {
  const Dataset data = unlabelled_rings(12);
  Settings settings = pooled_settings(ModelKind::nngp);
  settings.training.epochs = 2;
  const FittedModel model = fit(data, data.splits.at("public")[0], settings);
  EXPECT_NO_THROW(model.features(data, -1, FeatureRows::items));
  expect_input_error([&] { model.features(data); }, {"no features of nodes", "pool_features", "of graphs"});
}

TEST(RowsOfGraphs, ExactModelsOfGraphsNeedThem) {
  Settings settings = pooled_settings(ModelKind::nngp);
  settings.exact = true;
  settings.preprocessing.pool_features = FeaturePooling::none;
  expect_input_error([&] { check_settings(settings, kind_of(unlabelled_rings(12))); },
                     {"exact", "rows of features", "pool_features = root"});
}

}  // namespace
}  // namespace gdkm
