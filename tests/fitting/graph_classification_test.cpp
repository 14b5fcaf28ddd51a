#include <gtest/gtest.h>

#include "gdkm/fitting/study.hpp"

namespace gdkm {
namespace {

/// Two classes of graphs, of which there are none yet.
Dataset no_graphs(const std::string& name) {
  Dataset out;
  out.name = name;
  out.task = Task::graph;
  out.classes = 2;
  out.graph_start = {0};
  return out;
}

/// Rings (class 0) and chains (class 1) of 4 to 9 nodes; one chain has a single node and no edge. Features
/// are one-hot degrees, which a ring has alike.
Dataset rings_and_chains(int count) {
  Dataset out = no_graphs("rings");
  std::vector<int> degree;
  for (int g = 0; g < count; ++g) {
    const int size = g == 1 ? 1 : 4 + g % 6, first = out.graph_start.back();
    const bool ring = g % 2 == 0;
    std::vector<int> degrees(static_cast<std::size_t>(size), 0);
    for (int k = 0; k < (ring ? size : size - 1); ++k) {
      out.graph.edges.push_back({first + k, first + (k + 1) % size});
      ++degrees[k];
      ++degrees[(k + 1) % size];
    }
    degree.insert(degree.end(), degrees.begin(), degrees.end());
    out.graph_start.push_back(first + size);
    out.label.push_back(ring ? 0 : 1);
  }
  out.graph.nodes = out.graph_start.back();
  out.features.rows = out.graph.nodes;
  out.features.cols = 3;
  for (const int d : degree) {
    for (int c = 0; c < 3; ++c) out.features.dense.push_back(c == d ? 1.0f : 0.0f);
  }
  Split split;
  for (int g = 0; g < count; ++g)
    (g % 3 == 0 ? split.test : g % 3 == 1 ? split.train : split.val).push_back(g);
  out.splits["public"] = {split};
  return out;
}

Settings settings_for(ModelKind model) {
  Settings out;
  out.model = model;
  out.config.inducing = 12;
  out.training.epochs = 80;
  out.training.batches.graphs = 13;
  out.device.threads = 2;
  return out;
}

TEST(GraphClassification, EveryArchitectureTellsRingsFromChains) {
  const Dataset data = rings_and_chains(60);
  for (const Architecture arch : {Architecture::kipf, Architecture::resid, Architecture::platonov}) {
    for (const bool center : {false, true}) {
      Settings settings = settings_for(ModelKind::dkm);
      settings.config.arch = arch;
      settings.config.center = center;
      settings.config.nu = {0.01};
      const StudyResult result = run_study(settings, data, {});
      ASSERT_FALSE(result.failure) << *result.failure;
      EXPECT_GE(result.runs.front().test->accuracy, 90) << static_cast<int>(arch) << " " << center;
    }
  }
}

/// Chains of 2 to 5 nodes (class 0) and of 9 to 12 (class 1), whose nodes all have the same feature.
Dataset short_and_long_chains(int count) {
  Dataset out = no_graphs("chains");
  Split split;
  for (int g = 0; g < count; ++g) {
    const int size = (g % 2 == 0 ? 2 : 9) + g / 2 % 4, first = out.graph_start.back();
    for (int k = 0; k + 1 < size; ++k) out.graph.edges.push_back({first + k, first + k + 1});
    out.graph_start.push_back(first + size);
    out.label.push_back(g % 2);
    (g % 3 == 0 ? split.test : g % 3 == 1 ? split.train : split.val).push_back(g);
  }
  out.graph.nodes = out.features.rows = out.graph_start.back();
  out.features.cols = 1;
  out.features.dense.assign(static_cast<std::size_t>(out.graph.nodes), 1.0f);
  out.splits["public"] = {split};
  return out;
}

/// A sum over nodes grows with the graph but has one sign: classes on both sides of a size need a constant.
TEST(GraphClassification, SumsWithABiasTellLargeGraphsFromSmallOnes) {
  for (const Sampling sampling : {Sampling::node, Sampling::weights}) {
    Settings settings = settings_for(ModelKind::dkm);
    settings.config.pooling = Pooling::sum;
    settings.config.sampling = sampling;
    settings.training.inference = Inference::paper;
    settings.training.epochs = 150;
    settings.training.rate = 0.05;
    for (const bool bias : {false, true}) {
      settings.config.bias = bias;
      const StudyResult result = run_study(settings, short_and_long_chains(96), {});
      ASSERT_FALSE(result.failure) << *result.failure;
      const double accuracy = result.runs.front().test->accuracy;
      if (bias) {
        EXPECT_GE(accuracy, 95);
      } else {
        EXPECT_LE(accuracy, 75) << "there is nothing that needs the bias in this test";
      }
    }
  }
}

TEST(GraphClassification, TheGcnDoesToo) {
  Settings settings = settings_for(ModelKind::gcn);
  settings.gcn.width = 16;
  settings.gcn.dropout = 0;
  const StudyResult result = run_study(settings, rings_and_chains(60), {});
  EXPECT_GE(result.runs.front().test->accuracy, 90);
}

TEST(GraphClassification, TrainsInOneBatchAndRefusesInducingPointsOnNodes) {
  const Dataset data = rings_and_chains(40);
  Settings settings = settings_for(ModelKind::dkm);
  settings.precision = Precision::float64;
  settings.training.epochs = 3;
  settings.training.batches.graphs = 1000;
  const StudyResult one = run_study(settings, data, {});
  EXPECT_EQ(one.runs.front().epochs, 3);
  settings.config.scheme = Scheme::intra;
  EXPECT_THROW(run_study(settings, data, {}), std::runtime_error) << "many graphs have no common nodes";
}

TEST(GraphClassification, ACommitteeScalesTheFeaturesOfEachMemberByTheTrainingGraphs) {
  const Dataset data = rings_and_chains(40);
  const Split split = data.splits.at("public").front();
  Settings alone = settings_for(ModelKind::dkm);
  alone.training.epochs = 10;
  alone.preprocessing.normalise = Normalisation::standard;
  alone.config.pooling = Pooling::sum;
  Settings committee = alone;
  committee.preprocessing.normalise = Normalisation::l2;
  committee.members = parse_members("normalise=standard;normalise=standard");
  EXPECT_EQ(run_study(committee, data, {}).runs.at(0).test->nll,
            run_study(alone, data, {}).runs.at(0).test->nll);
  EXPECT_EQ(fit(data, split, committee).predict(data).values, fit(data, split, alone).predict(data).values);
}

}  // namespace
}  // namespace gdkm
