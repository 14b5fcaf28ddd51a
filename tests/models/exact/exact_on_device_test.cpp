#include "tests/models/exact/exact_on_device.hpp"

#include "gdkm/linalg/cpu/cpu_backend.hpp"

namespace gdkm::testing {
namespace {

/// The CPU's backend, as if its memory were not the host's.
CpuBackend<double>& device() {
  static CpuBackend<double> backend(2);
  return backend;
}

TEST(ExactOnDevice, LearnsAndPredictsAsOnTheHost) {
  for (const ExactCase& one : exact_cases) expect_same_model(device(), one, true);
}

TEST(ExactOnDevice, ChoosesTheNuggetWithoutValidationNodesAsOnTheHost) {
  for (const ExactCase& one : exact_cases) {
    if (std::string(one.name) == "gcn" || std::string(one.name) == "large")
      expect_same_model(device(), one, false);
  }
}

TEST(ExactOnDevice, GoesOnFromACheckpoint) {
  expect_same_after_restoring(device());
}

TEST(ExactOnDevice, SingularMatricesGetJitterAsOnTheHost) {
  expect_jitter_as_on_the_host(device());
}

TEST(ExactOnDevice, MatricesAreThoseOfTheHost) {
  expect_same_algebra(device());
}

}  // namespace
}  // namespace gdkm::testing
