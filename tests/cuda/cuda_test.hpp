#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/support/error.hpp"
#include "tests/linalg/placed.hpp"

namespace gdkm {

using testing::expect_close;
using testing::numbers;
using testing::Placed;
using testing::tolerance;

/// A test of one precision on the GPU, with the CPU in double precision beside it. Without a GPU it is
/// skipped, or fails where GDKM_CUDA_REQUIRED is set.
template <class T>
class CudaTest : public ::testing::Test {
 public:
  static Backend<T>& gpu() { return *gpu_; }
  static CpuBackend<double>& cpu() { return *cpu_; }

 protected:
  void SetUp() override {
    try {
      if (!gpu_) gpu_ = make_backend<T>({cuda_device(), 1});
      if (!cpu_) cpu_ = std::make_unique<CpuBackend<double>>(1);
    } catch (const InputError& error) {
      if (std::getenv("GDKM_CUDA_REQUIRED") != nullptr) FAIL() << error.what();
      GTEST_SKIP() << error.what();
    }
  }
  static void TearDownTestSuite() {
    gpu_.reset();
    cpu_.reset();
  }

 private:
  static inline std::unique_ptr<Backend<T>> gpu_;
  static inline std::unique_ptr<CpuBackend<double>> cpu_;
};

using Precisions = ::testing::Types<float, double>;

/// Under compute-sanitizer (GDKM_CUDA_SANITIZED is set) a kernel takes a hundred times longer; then tests
/// leave out large cases and trainings are short.
inline bool sanitized() {
  return std::getenv("GDKM_CUDA_SANITIZED") != nullptr;
}

struct PrecisionNames {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, float> ? "float32" : "float64";
  }
};

}  // namespace gdkm
