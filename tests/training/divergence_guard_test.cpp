#include "gdkm/training/divergence_guard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

/// At this rate inducing points move so far in a step that the sites no longer fit, and the loss explodes.
TrainOptions far_too_fast() {
  TrainOptions out;
  out.select = Select::elbo;
  out.rate = 0.5;
  out.epochs = 60;
  return out;
}

ModelConfig config() {
  ModelConfig out;
  out.inducing = 15;
  out.nu = {INFINITY};
  return out;
}

TEST(DivergenceGuard, ARunThatDivergesGoesBackAndEndsSound) {
  const Dataset data = testing::small_dataset("signal=2");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  CpuBackend<double> backend{2};
  const auto model = make_model(backend, config(), problem);
  Trainer<double> trainer(*model, problem, data.splits.at("public")[0], far_too_fast());
  while (!trainer.finished()) trainer.step();
  const std::vector<double>& loss = trainer.history().loss;
  ASSERT_GT(*std::max_element(loss.begin(), loss.end()), loss.front() + 1) << "it did not diverge";
  EXPECT_LT(loss.back(), loss.front() + 0.1);
}

TEST(DivergenceGuard, AnInterruptedRunGoesOnAsIfItHadNotBeen) {
  const Dataset data = testing::small_dataset("signal=2");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  const Split& split = data.splits.at("public")[0];
  CpuBackend<double> backend{2};
  const auto whole = make_model(backend, config(), problem);
  Trainer<double> through(*whole, problem, split, far_too_fast());
  while (!through.finished()) through.step();
  const auto first = make_model(backend, config(), problem), second = make_model(backend, config(), problem);
  Trainer<double> before(*first, problem, split, far_too_fast());
  while (before.epoch() < 27) before.step();
  Trainer<double> after(*second, problem, split, far_too_fast());
  after.restore_state(before.save_state(), "state");
  while (!after.finished()) after.step();
  EXPECT_EQ(after.history().loss, through.history().loss);
}

}  // namespace
}  // namespace gdkm
