#include "gdkm/fitting/study.hpp"
#include "tests/cuda/cuda_test.hpp"
#include "tests/models/exact/exact_on_device.hpp"

namespace gdkm {
namespace {

using CudaExact = CudaTest<double>;

TEST_F(CudaExact, LearnsAndPredictsAsOnTheHost) {
  for (const testing::ExactCase& one : testing::exact_cases) {
    if (sanitized() && std::string(one.name).ends_with("large")) continue;
    testing::expect_same_model(gpu(), one, true);
  }
}

TEST_F(CudaExact, ChoosesTheNuggetWithoutValidationNodesAsOnTheHost) {
  for (const testing::ExactCase& one : testing::exact_cases) {
    const std::string name = one.name;
    if (name == "gcn" || (name == "large" && !sanitized())) testing::expect_same_model(gpu(), one, false);
  }
}

TEST_F(CudaExact, GoesOnFromACheckpoint) {
  testing::expect_same_after_restoring(gpu());
}

TEST_F(CudaExact, SingularMatricesGetJitterAsOnTheHost) {
  testing::expect_jitter_as_on_the_host(gpu());
}

TEST_F(CudaExact, MatricesAreThoseOfTheHost) {
  testing::expect_same_algebra(gpu());
}

/// What `gdkm train` does.
TEST_F(CudaExact, StudiesScoreAsOnTheCpu) {
  for (const ModelKind model : {ModelKind::nngp, ModelKind::dkm}) {
    Settings settings = testing::exact_settings({"", testing::exact_graph, [](Settings&) {}});
    settings.model = model;
    const Dataset data = generate(testing::exact_graph);
    const RunResult here = run_study(settings, data, {}).runs.at(0);
    settings.device.device = cuda_device();
    const RunResult there = run_study(settings, data, {}).runs.at(0);
    EXPECT_NEAR(there.last_loss, here.last_loss, 1e-9 * std::fabs(here.last_loss));
    EXPECT_NEAR(there.test->nll, here.test->nll, 1e-9 * here.test->nll);
    EXPECT_EQ(there.test->accuracy, here.test->accuracy);
  }
}

TEST_F(CudaExact, WhatDoesNotFitIsRefusedBeforehand) {
  const auto nodes = static_cast<Index>(std::sqrt(static_cast<double>(gpu().bytes_free()) / 8.0) * 1.1);
  try {
    const Dense matrix(nodes, nodes, &gpu());
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(" GB are free"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gdkm
