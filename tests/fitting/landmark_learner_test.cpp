#include "gdkm/fitting/landmark_learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/fitting/fit.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/store/run_options.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::TemporaryFolder;

/// 60 nodes with more features than nodes, so that the kernel of the inputs has full rank.
Dataset small_graph(const std::string& more = "") {
  return generate("csbm:n=60,features=90,classes=3,homophily=0.3,signal=3" + more);
}

Settings landmark_settings() {
  Settings out = testing::small_settings();
  out.model = ModelKind::nngp;
  out.landmarks = true;
  out.precision = Precision::float64;
  out.config.inducing = 60;
  out.config.jitter = 0;
  return out;
}

Settings exact_settings(const Settings& like) {
  Settings out = like;
  out.landmarks = false;
  out.exact = true;
  return out;
}

/// Numbers that follow the features of a node and its neighbours.
Dataset with_numbers(Dataset data) {
  const Features mixed =
      mix(normalised_adjacency(data.graph, 0), normalise(data.features, Normalisation::l2));
  data.targets = 1;
  for (Index i = 0; i < data.graph.nodes; ++i)
    data.target.push_back(7 + 20 * mixed.dense[static_cast<std::size_t>(i * mixed.cols)]);
  data.classes = 0;
  return data;
}

TEST(Landmarks, AtEveryNodeAgreeWithTheExactModel) {
  const Dataset data = small_graph();
  for (const int layers : {1, 2}) {  // beyond, inter-domain inducing points do not see what mixing does
    for (const Init init : {Init::random, Init::kmeans}) {
      Settings settings = landmark_settings();
      settings.config.layers = layers;
      settings.training.init = init;
      Split split = data.splits.at("public")[0];
      for (const bool validates : {true, false}) {
        if (!validates) split.val.clear();
        const auto ours = fit(data, split, settings).predict(data).values,
                   exact = fit(data, split, exact_settings(settings)).predict(data).values;
        ASSERT_EQ(ours.size(), exact.size());
        for (std::size_t k = 0; k < ours.size(); ++k) EXPECT_NEAR(ours[k], exact[k], 1e-8) << layers;
      }
    }
  }
}

TEST(Landmarks, SurviveTheWayThroughAFile) {
  const TemporaryFolder folder;
  const Dataset data = small_graph(), other = small_graph(",seed=4");
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    for (const bool center : {false, true}) {
      Settings settings = landmark_settings();
      settings.precision = Precision::float32;
      settings.config.jitter = 1e-5;
      settings.config.inducing = 20;
      settings.config.scheme = scheme;
      settings.config.center = center;
      const Split& split = data.splits.at("public")[0];
      const FittedModel model = fit(data, split, settings);
      model.save(folder / "model.safetensors");
      if (center) {
        const auto mean = model.tensors().tensors.at("parameter.center1.mean").as<float>();
        EXPECT_TRUE(std::any_of(mean.begin(), mean.end(), [](float v) { return v != 0; }));
      }
      const FittedModel loaded = FittedModel::load(folder / "model.safetensors");
      const Predictions p = loaded.predict(data);
      EXPECT_EQ(p.values, model.predict(data).values);
      EXPECT_EQ(p.outputs, 3);
      EXPECT_FALSE(p.regression);
      EXPECT_TRUE(loaded.card().settings.landmarks);
      const auto test = evaluate(p.values, 3, data.label, split.test);
      EXPECT_EQ(test->nll, model.card().run.test->nll);
      EXPECT_EQ(loaded.features(data).width, 20);
      if (scheme == Scheme::inter) {
        EXPECT_EQ(loaded.predict(other).values.size(), 60u * 3);
      } else {
        EXPECT_THROW(loaded.predict(other), InputError);
      }
    }
  }
}

TEST(Landmarks, AndExactModelsCalibrateTheirProbabilities) {
  const Dataset data = generate("csbm:n=300,features=32,classes=3,homophily=0.8,signal=0.5");
  const Split& split = data.splits.at("public")[0];
  for (const bool exact : {false, true}) {
    const Settings calibrated = exact ? exact_settings(landmark_settings()) : landmark_settings();
    Settings settings = calibrated;
    const FittedModel model = fit(data, split, settings);
    const auto calibration = model.card().run.calibration;
    ASSERT_TRUE(calibration);
    EXPECT_NE(calibration->temperature, 1);
    EXPECT_EQ(calibration->moderation, 1) << "there are no variances to moderate";
    settings.training.inference = Inference::uncalibrated;
    const FittedModel plain = fit(data, split, settings);
    EXPECT_FALSE(plain.card().run.calibration);
    EXPECT_LT(model.card().run.val->nll, plain.card().run.val->nll);
    EXPECT_EQ(model.card().run.test->accuracy, plain.card().run.test->accuracy);
    settings.training.inference = Inference::paper;
    const auto before = fit(data, split, settings).predict(data).values, ours = model.predict(data).values,
               p = plain.predict(data).values;
    EXPECT_EQ(before, p) << "what runs of stores from before it was an option did";
    for (std::size_t r = 0; r < p.size(); r += 3) {
      const double power = 1 / calibration->temperature;
      EXPECT_NEAR(std::log(ours[r + 1] / ours[r]), power * std::log(p[r + 1] / p[r]), 1e-9);
    }
    Split without = split;
    without.val.clear();
    EXPECT_FALSE(fit(data, without, calibrated).card().run.calibration);
  }
}

TEST(Landmarks, ExplainNumbersWithAConstant) {
  const Dataset data = with_numbers(small_graph());
  Settings settings = landmark_settings();
  settings.config.layers = 1;
  settings.config.inducing = 30;
  settings.config.jitter = 1e-5;
  const FittedModel model = fit(data, data.splits.at("public")[0], settings);
  const Predictions p = model.predict(data);
  ASSERT_TRUE(p.regression);
  ASSERT_EQ(p.values.size(), 60u * 2);
  double mean = 0;
  for (std::size_t k = 0; k < p.values.size(); k += 2) {
    mean += p.values[k] / 60;
    EXPECT_GT(p.values[k + 1], 0) << "a standard deviation";
  }
  EXPECT_NEAR(mean, 7, 1.5);
  EXPECT_GT(*model.card().run.train->r2, 0.5);
}

TEST(Landmarks, DependOnTheSeedThatChoosesThem) {
  const Dataset data = small_graph();
  Settings settings = landmark_settings();
  settings.config.inducing = 10;
  settings.config.jitter = 1e-5;
  settings.training.init = Init::random;
  const Split& split = data.splits.at("public")[0];
  const auto first = fit(data, split, settings).predict(data).values;
  EXPECT_EQ(fit(data, split, settings).predict(data).values, first);
  settings.training.seed = 1;
  EXPECT_NE(fit(data, split, settings).predict(data).values, first);
}

TEST(Landmarks, MoreThanNodesAreLoweredWithAWarning) {
  const Dataset data = small_graph();
  Settings settings = landmark_settings();
  settings.config.inducing = 61;
  std::string said;
  FitObserver observer;
  observer.warn = [&](const std::string& text) { said += text; };
  const FittedModel model = fit(data, data.splits.at("public")[0], settings, observer);
  EXPECT_NE(said.find("60"), std::string::npos) << said;
  EXPECT_EQ(model.card().settings.config.inducing, 60);
}

TEST(Landmarks, AreRefusedWhereTheyMeanNothing) {
  const auto refused = [](const std::function<void(Settings&)>& change, const std::string& word,
                          const DataKind& data = {}) {
    Settings settings = landmark_settings();
    change(settings);
    expect_input_error([&] { check_settings(settings, data); }, {"landmarks", word});
  };
  refused([](Settings& s) { s.model = ModelKind::dkm; }, "nngp");
  refused([](Settings& s) { s.model = ModelKind::gcn; }, "nngp");
  refused([](Settings& s) { s.exact = true; }, "exact");
  refused([](Settings&) {}, "graph", {Task::graph, false, false, false});
  for (const char* option : {"epochs", "lr", "select", "fixed_inducing", "fixed_scale", "batches"}) {
    expect_input_error([&] { refuse_without_effect({option}, landmark_settings()); },
                       {option, "landmarks", "leave it out"});
  }
}

TEST(Landmarks, ARunsIdentityHasWhatItDependsOnAndNoMore) {
  const auto options = effective_options(landmark_settings(), {Task::node, false, false, false});
  for (const char* name :
       {"landmarks", "inducing", "scheme", "layers", "init", "jitter", "precision", "inference"})
    EXPECT_TRUE(options.contains(name)) << name;
  for (const char* name : {"epochs", "bias", "network", "samples"})
    EXPECT_FALSE(options.contains(name)) << name;
  const auto of_numbers = effective_options(landmark_settings(), {Task::node, true, false, false});
  EXPECT_FALSE(of_numbers.contains("inference")) << "numbers have no class probabilities to calibrate";
}

}  // namespace
}  // namespace gdkm
