#include "gdkm/fitting/fitted_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/metrics.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::small_dataset;
using testing::small_settings;
using testing::TemporaryFolder;

const Split& first_split(const Dataset& data) {
  return data.splits.at("public")[0];
}

/// What is fitted in these tests: every kind of model that can be saved.
struct SavedKind {
  std::string name;
  std::function<void(Settings&)> change;
};
const std::vector<SavedKind>& saved_kinds() {
  static const std::vector<SavedKind> kinds{
      {"inter", [](Settings& s) { s.config.lambda = 0.3; }},
      {"intra", [](Settings& s) { s.config.scheme = Scheme::intra; }},
      {"float64", [](Settings& s) { s.precision = Precision::float64; }},
      {"nngp with preprocessing",
       [](Settings& s) {
         s.model = ModelKind::nngp;
         s.preprocessing.normalise = Normalisation::sum;
         s.preprocessing.degree_features = true;
       }},
      {"structure features", [](Settings& s) { s.preprocessing.structure_features = true; }},
      {"gcn with structure features",
       [](Settings& s) {
         s.model = ModelKind::gcn;
         s.preprocessing.structure_features = true;
       }},
      {"centred platonov",
       [](Settings& s) {
         s.config.arch = Architecture::platonov;
         s.config.center = s.config.affine = true;
       }},
      {"relations", [](Settings& s) { s.config.relations = parse_relations("self,und:row,hop2"); }},
      {"h2gcn", [](Settings& s) { s.config.arch = Architecture::h2gcn; }},
      {"polynomial", [](Settings& s) { s.config.relations = parse_relations("poly:2"); }},
      {"gcn", [](Settings& s) { s.model = ModelKind::gcn; }},
      {"sage gcn",
       [](Settings& s) {
         s.model = ModelKind::gcn;
         s.config.arch = Architecture::sage;
       }},
      {"gcn with relations and batches",
       [](Settings& s) {
         s.model = ModelKind::gcn;
         s.config.relations = parse_relations("self,und,hop2:row");
         s.training.batches.batches = 3;
       }},
      {"platonov gcn",
       [](Settings& s) {
         s.model = ModelKind::gcn;
         s.config.arch = Architecture::platonov;
         s.config.layers = 3;
         s.gcn.batch_norm = true;
         s.precision = Precision::float64;
       }},
  };
  return kinds;
}

TEST(FittedModel, AReloadedModelPredictsAsTheFittedOneDid) {
  const Dataset data = small_dataset();
  const TemporaryFolder folder;
  for (const SavedKind& kind : saved_kinds()) {
    Settings settings = small_settings();
    kind.change(settings);
    const FittedModel fitted = fit(data, first_split(data), settings);
    fitted.save(folder / "model.safetensors");
    const FittedModel loaded = FittedModel::load(folder / "model.safetensors", settings.device);
    const Predictions before = fitted.predict(data), after = loaded.predict(data);
    EXPECT_EQ(before.values, after.values) << kind.name;
    // And as the run was scored.
    const auto test = evaluate(after.values, 3, data.label, first_split(data).test);
    EXPECT_EQ(test->nll, fitted.card().run.test->nll) << kind.name;
    EXPECT_EQ(loaded.card().run.test->nll, fitted.card().run.test->nll) << kind.name;
    EXPECT_EQ(loaded.card().settings.config.layers, settings.config.layers) << kind.name;
  }
}

TEST(FittedModel, SaysHowStronglyItMixesWithEveryRelation) {
  const Dataset data = small_dataset();
  Settings settings = small_settings();
  settings.config.relations = parse_relations("self,und,hop2");
  const MixingWeights learned = fit(data, first_split(data), settings).card().run.mixing;
  EXPECT_EQ(learned.names, (std::vector<std::string>{"self", "und", "hop2"}));
  ASSERT_EQ(learned.layers.size(), 2);
  for (const auto& layer : learned.layers) {
    EXPECT_NEAR(std::accumulate(layer.begin(), layer.end(), 0.0), 1, 1e-6);
    EXPECT_NE(layer[0], layer[1]);
  }
  settings.config.learned_relations = false;
  const MixingWeights fixed = fit(data, first_split(data), settings).card().run.mixing;
  ASSERT_EQ(fixed.layers.size(), 2);
  for (const auto& layer : fixed.layers) {
    for (const double weight : layer) EXPECT_EQ(weight, 1.0 / 3);
  }
  settings.config.relations = {};
  EXPECT_TRUE(fit(data, first_split(data), settings).card().run.mixing.layers.empty());
}

/// The small data set with edges of two types.
Dataset with_types(const std::vector<std::string>& names) {
  Dataset out = small_dataset();
  out.graph.type_names = names;
  for (std::size_t k = 0; k < out.graph.edges.size(); ++k)
    out.graph.type.push_back(static_cast<std::int32_t>(k % 3 == 0));
  return out;
}

TEST(FittedModel, KnowsTypesOfEdgesByTheirNames) {
  const Dataset data = with_types({"a", "b"});
  Settings settings = small_settings();
  settings.config.arch = Architecture::rgcn;
  const FittedModel model = fit(data, first_split(data), settings);
  const TemporaryFolder folder;
  model.save(folder / "model.safetensors");
  const FittedModel loaded = FittedModel::load(folder / "model.safetensors", settings.device);
  EXPECT_EQ(loaded.predict(data).values, model.predict(data).values);
  Dataset swapped = with_types({"b", "a"});
  for (auto& type : swapped.graph.type) type = 1 - type;
  EXPECT_EQ(loaded.predict(swapped).values, model.predict(data).values) << "other numbers, the same names";
  EXPECT_THROW(loaded.predict(with_types({"a", "c"})), InputError);
  EXPECT_THROW(loaded.predict(small_dataset()), InputError) << "no types";
}

TEST(FittedModel, WithStructureFeaturesBelongsToItsGraph) {
  const TemporaryFolder folder;
  const auto expect_refused = [&](const FittedModel& model, const Dataset& other) {
    testing::expect_input_error([&] { model.predict(other); },
                                {"structure features", "another", "structure_features"});
  };
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    Dataset data = small_dataset();
    data.graph.directed = true;
    Settings settings = small_settings();
    settings.config.scheme = scheme;
    settings.preprocessing.structure_features = true;
    fit(data, first_split(data), settings).save(folder / "model.safetensors");
    const FittedModel model = FittedModel::load(folder / "model.safetensors", settings.device);
    Dataset other = data;
    std::swap(other.graph.edges[0], other.graph.edges[1]);
    EXPECT_EQ(model.predict(other).values, model.predict(data).values) << "the order of edges is nothing";
    other.graph.edges.pop_back();
    expect_refused(model, other);
    other = data;
    std::swap(other.graph.edges[0].from, other.graph.edges[0].to);
    expect_refused(model, other);  // A made symmetric is the same, but not what points where
    other = data;
    ++other.features.cols;
    other.features.dense.resize(static_cast<std::size_t>(other.features.rows * other.features.cols), 1.0F);
    testing::expect_input_error([&] { model.predict(other); },
                                {"features per node", std::to_string(data.features.cols)});
  }
}

TEST(FittedModel, StructureFeaturesNeedOneGraph) {
  Dataset graphs = small_dataset();
  graphs.task = Task::graph;
  Preprocessing how;
  how.structure_features = true;
  testing::expect_input_error([&] { preprocess(graphs, how); }, {"structure_features", "many graphs"});
}

TEST(FittedModel, StructureFeaturesReachExactModels) {
  const Dataset data = small_dataset();
  Settings settings = small_settings();
  settings.model = ModelKind::nngp;
  settings.exact = true;
  const Predictions without = fit(data, first_split(data), settings).predict(data);
  settings.preprocessing.structure_features = true;
  EXPECT_NE(fit(data, first_split(data), settings).predict(data).values, without.values);
}

TEST(FittedModel, KernelBlocksAreProductsOfFeatures) {
  const Dataset data = small_dataset();
  Settings settings = small_settings();
  settings.precision = Precision::float64;
  const FittedModel model = fit(data, first_split(data), settings);
  for (const int layer : {-1, 0, 1}) {
    const NodeFeatures f = model.features(data, layer);
    ASSERT_EQ(f.values.size(), static_cast<std::size_t>(150 * f.width));
    const Dense k = model.kernel(data, {3, 7}, {149, 3, 0}, layer);
    ASSERT_EQ(k.rows, 2);
    ASSERT_EQ(k.cols, 3);
    const auto product = [&](int a, int b) {
      const double *x = f.values.data() + a * f.width, *y = f.values.data() + b * f.width;
      return std::inner_product(x, x + f.width, y, 0.0);
    };
    EXPECT_DOUBLE_EQ(k(0, 0), product(3, 149));
    EXPECT_DOUBLE_EQ(k(0, 1), product(3, 3));
    EXPECT_DOUBLE_EQ(k(1, 2), product(7, 0));
  }
  EXPECT_EQ(model.features(data, -1).values, model.features(data, 1).values)
      << "kipf reads out its last layer";
  EXPECT_NE(model.features(data, 0).values, model.features(data, 1).values);
  EXPECT_THROW(model.features(data, 2), InputError);
  EXPECT_THROW(model.kernel(data, {150}, {0}), InputError);
}

TEST(FittedModel, AnEpochCallbackMayEndTheTrainingAndTheModelStaysUsable) {
  const Dataset data = small_dataset();
  for (const ModelKind kind : {ModelKind::dkm, ModelKind::gcn}) {
    Settings settings = small_settings();
    settings.model = kind;
    std::vector<int> seen;
    FitObserver observer;
    observer.epoch = [&](const Epoch& epoch) {
      seen.push_back(epoch.number);
      EXPECT_EQ(epoch.of, settings.training.epochs);
      return epoch.number < 5;
    };
    const FittedModel model = fit(data, first_split(data), settings, observer);
    EXPECT_EQ(seen, (std::vector<int>{1, 2, 3, 4, 5}));
    EXPECT_EQ(model.card().run.epochs, 5);
    EXPECT_EQ(model.predict(data).items, 150);
  }
}

TEST(FittedModel, SettingsReachEveryModel) {
  const Dataset data = small_dataset();
  Settings settings = small_settings();
  settings.model = ModelKind::gcn;
  settings.training.epochs = 2;
  const auto parameters = [&](int layers) {
    settings.config.layers = layers;
    return fit(data, first_split(data), settings).tensors().tensors.size();
  };
  EXPECT_EQ(parameters(4), parameters(2) + 4) << "two more layers, each with weights and a bias";
}

TEST(FittedModel, SplitsNumberTheNodesOfTheDataAsItIsGiven) {
  Dataset data = small_dataset();
  // A first node without edges, which the largest component leaves out, moves all numbers by one.
  erase_if(data.graph.edges, [](const Edge& e) { return e.from == 0 || e.to == 0; });
  Settings settings = small_settings();
  settings.preprocessing.largest_component = true;
  const FittedModel model = fit(data, {{5, 9}, {}, {7}}, settings);
  EXPECT_EQ(model.predict(data).names.at(0), "1");
  const RunResult& run = model.card().run;
  ASSERT_TRUE(run.train);
  const Predictions p = model.predict(data);
  const bool right = p.predicted_class(6) == data.label[7];  // node 7 is the seventh that is left
  EXPECT_EQ(run.test->accuracy, right ? 100 : 0);
}

TEST(FittedModel, AnInterDomainModelPredictsOnANewGraphAndAnIntraDomainOneRefuses) {
  const Dataset other = generate("csbm:n=90,classes=3,homophily=0.8,features=40,degree=6,signal=3,seed=0");
  Settings settings = small_settings();
  settings.training.epochs = 60;
  const Dataset data = small_dataset("signal=3");
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    settings.config.scheme = scheme;
    const FittedModel model = fit(data, first_split(data), settings);
    if (scheme == Scheme::intra) {
      EXPECT_THROW(model.predict(other), InputError);
      continue;
    }
    const Predictions p = model.predict(other);
    EXPECT_EQ(p.values.size(), 90u * 3);
    for (const double v : p.values) EXPECT_TRUE(v >= 0 && v <= 1);
  }
}

TEST(FittedModel, PredictsOnAGraphWithoutLabelsWhichCannotBeTrainedOn) {
  Dataset unlabelled = small_dataset("seed=5");
  std::fill(unlabelled.label.begin(), unlabelled.label.end(), -1);
  unlabelled.classes = 0;
  unlabelled.splits.clear();
  const TemporaryFolder folder;
  write_graph_npz(unlabelled, folder / "unlabelled.npz");
  const Dataset read = read_graph_npz(folder / "unlabelled.npz");
  EXPECT_THROW(choose_splits({}, read), InputError);
  const Dataset data = small_dataset();
  EXPECT_EQ(fit(data, first_split(data), small_settings()).predict(read).values.size(), 150u * 3);
}

TEST(FittedModel, ExactModelsPredictTheirOwnDataHaveAKernelAndAreNotSaved) {
  const Dataset data = small_dataset();
  const TemporaryFolder folder;
  for (const ModelKind kind : {ModelKind::nngp, ModelKind::dkm}) {
    Settings settings = small_settings();
    settings.model = kind;
    settings.exact = true;
    settings.training.epochs = 3;
    const FittedModel model = fit(data, first_split(data), settings);
    const auto test = evaluate(model.predict(data).values, 3, data.label, first_split(data).test);
    EXPECT_EQ(test->nll, model.card().run.test->nll);
    const Dense k = model.kernel(data, {0, 1}, {1, 0});
    EXPECT_DOUBLE_EQ(k(0, 0), k(1, 1));
    EXPECT_GT(k(0, 1), 0);
    EXPECT_THROW(model.predict(small_dataset("seed=9")), InputError);
    EXPECT_THROW(model.features(data), InputError);
    EXPECT_THROW(model.save(folder / "model.safetensors"), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder / "model.safetensors"));
  }
}

TEST(FittedModel, RefusesSplitsThatNameNoItem) {
  const Dataset data = small_dataset();
  EXPECT_THROW(fit(data, {{150}, {}, {}}, small_settings()), InputError);
  EXPECT_THROW(fit(data, {{}, {1}, {}}, small_settings()), InputError);
}

TEST(FittedModel, RefusesAGraphWithOtherFeatures) {
  const Dataset data = small_dataset();
  const FittedModel model = fit(data, first_split(data), small_settings());
  try {
    model.predict(generate("csbm:n=50,features=41"));
    FAIL();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("40"), std::string::npos) << message;
    EXPECT_NE(message.find("41"), std::string::npos) << message;
  }
}

TEST(FittedModel, RefusesToGoOnWithALostFactorisation) {
  const Dataset data = small_dataset();
  TensorFile file = fit(data, first_split(data), small_settings()).tensors();
  auto& x_i = file.tensors.at("parameter.X_i");
  auto values = x_i.as<float>();
  values[7] = NAN;
  x_i = Tensor::make<float>(x_i.shape, std::span<const float>(values));
  EXPECT_THROW(fitted_model(file, {}, "model").predict(data), NumericalError);
}

TEST(FittedModel, RefusesDamagedFilesInOneLine) {
  const Dataset data = small_dataset();
  const TensorFile good = fit(data, first_split(data), small_settings()).tensors();
  const auto refused = [&](const TensorFile& file) {
    try {
      fitted_model(file, {}, "m").predict(data);
      ADD_FAILURE() << "it should have been refused";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  };
  TensorFile missing = good, shape = good, format = good, options = good, model = good;
  missing.tensors.erase("parameter.X_i");
  refused(missing);
  shape.tensors.at("parameter.X_i").shape[0] += 1;
  refused(shape);
  format.metadata["format"] = "other";
  refused(format);
  options.metadata["options"] = "{\"nu\": 1}";
  refused(options);
  model.metadata["model"] = "mlp";
  refused(model);
}

}  // namespace
}  // namespace gdkm
