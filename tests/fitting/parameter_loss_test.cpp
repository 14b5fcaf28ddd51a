#include "gdkm/fitting/parameter_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

Dataset graph_of_loss() {
  return generate("csbm:n=60,classes=3,features=5,signal=6");
}

Settings of_model(ModelKind model) {
  Settings out;
  out.model = model;
  out.precision = Precision::float64;
  out.config.inducing = 8;
  out.config.jitter = 0;  // counts as a constant in gradients
  out.gcn.width = 6;
  out.gcn.dropout = 0;
  out.device.threads = 1;
  return out;
}

std::vector<double> moved(std::vector<double> values, Index entry, double by) {
  values[static_cast<std::size_t>(entry)] += by;
  return values;
}

class ParameterLossOf : public ::testing::TestWithParam<ModelKind> {};

TEST_P(ParameterLossOf, GradientIsTheSlopeOfTheLoss) {
  const Dataset graph = graph_of_loss();
  ParameterLoss loss(graph, graph.splits.at("public")[0], of_model(GetParam()));
  loss.compute(3);
  for (const auto& parameter : loss.parameters()) {
    const auto start = loss.get(parameter.name);
    loss.compute(3);
    const auto gradient = loss.gradient(parameter.name);
    // The first and last rows of a matrix, at its diagonal: below it for triangular ones.
    for (const Index row : {Index{0}, parameter.rows - 1}) {
      const Index entry = row * parameter.cols;
      constexpr double step = 1e-5;
      loss.set(parameter.name, moved(start, entry, step));
      const double above = loss.compute(3);
      loss.set(parameter.name, moved(start, entry, -step));
      const double below = loss.compute(3);
      loss.set(parameter.name, start);
      EXPECT_NEAR(gradient[static_cast<std::size_t>(entry)], (above - below) / (2 * step), 1e-6)
          << parameter.name << " " << entry;
    }
  }
}

TEST_P(ParameterLossOf, TheSameTurnGivesTheSameLoss) {
  const Dataset graph = graph_of_loss();
  ParameterLoss loss(graph, graph.splits.at("public")[0], of_model(GetParam()));
  const double first = loss.compute(1);
  loss.compute(2);
  EXPECT_EQ(loss.compute(1), first);
}

INSTANTIATE_TEST_SUITE_P(Models, ParameterLossOf,
                         ::testing::Values(ModelKind::dkm, ModelKind::nngp, ModelKind::gcn),
                         [](const auto& info) { return name_of(info.param); });

TEST(ParameterLoss, StartsWithTheFirstLossOfATraining) {
  const Dataset graph = graph_of_loss();
  const Split split = graph.splits.at("public")[0];
  Settings settings = of_model(ModelKind::dkm);
  settings.training.inference = Inference::paper;
  settings.training.epochs = 1;
  ParameterLoss loss(graph, split, settings);
  EXPECT_NEAR(loss.compute(0), fit(graph, split, settings).card().run.first_loss, 1e-12);
}

TEST(ParameterLoss, RefusesModelsThatAreSolved) {
  const Dataset graph = graph_of_loss();
  Settings settings = of_model(ModelKind::nngp);
  settings.exact = true;
  EXPECT_THROW(ParameterLoss(graph, graph.splits.at("public")[0], settings), InputError);
}

TEST(ParameterLoss, NamesTheParametersItHas) {
  const Dataset graph = graph_of_loss();
  ParameterLoss loss(graph, graph.splits.at("public")[0], of_model(ModelKind::dkm));
  try {
    loss.get("weights");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("X_i"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gdkm
