#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/models/gcn/gcn.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

TEST(Gcn, RefusesArchitecturesThatOnlyKernelsHave) {
  CpuBackend<double> backend(1);
  GcnConfig config;
  config.arch = Architecture::resid;
  EXPECT_THROW(Gcn<double>(backend, config, 6, 3), InputError);
}

TEST(Gcn, InitialWeightsAreGlorotsAndFollowTheSeed) {
  CpuBackend<double> backend(1);
  GcnConfig config;
  config.width = 50;
  Gcn<double> model(backend, config, 400, 3);
  model.initialise(1);
  const auto first = model.parameters().get("layer1.W");
  const double bound = std::sqrt(6.0 / 450);
  double square = 0;
  for (const double v : first) {
    ASSERT_LE(std::fabs(v), bound);
    square += v * v / static_cast<double>(first.size());
  }
  EXPECT_NEAR(square, bound * bound / 3, 0.02 * bound * bound);
  model.initialise(2);
  EXPECT_NE(first, model.parameters().get("layer1.W"));
  model.initialise(1);
  EXPECT_EQ(first, model.parameters().get("layer1.W"));
}

}  // namespace
}  // namespace gdkm
