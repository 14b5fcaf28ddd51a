#include "gdkm/linalg/cpu/blas_threads.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/cpu/linked_function.hpp"

namespace gdkm {
namespace {

/// The eigenvalues of a symmetric matrix, by two threads: thousands of small products.
std::vector<double> eigenvalues() {
  constexpr Index n = 200;
  std::vector<double> a(n * n), values(n);
  for (Index r = 0; r < n; ++r) {
    for (Index c = 0; c < n; ++c)
      a[static_cast<std::size_t>(r * n + c)] = 1.0 / static_cast<double>(1 + r + c) + (r == c ? 1 : 0);
  }
  const blas::Threads threads(2);
  EXPECT_EQ(blas::syevd({a.data(), n, n, n}, values.data()), 0);
  return values;
}

TEST(BlasThreads, ThatSleepSoonComputeTheSameAndLeaveNothingToOtherPrograms) {
  unsetenv("OPENBLAS_THREAD_TIMEOUT");
  const auto before = eigenvalues();
  blas::sleep_soon();
  EXPECT_EQ(eigenvalues(), before);
  if (auto* cycles = blas::linked_function<int()>("openblas_thread_timeout"); cycles != nullptr) {
    EXPECT_EQ(cycles(), 10) << "the logarithm";
  }
  EXPECT_EQ(std::getenv("OPENBLAS_THREAD_TIMEOUT"), nullptr);
  setenv("OPENBLAS_THREAD_TIMEOUT", "20", 1);
  blas::sleep_soon();
  EXPECT_STREQ(std::getenv("OPENBLAS_THREAD_TIMEOUT"), "20") << "what the user sets, holds";
  unsetenv("OPENBLAS_THREAD_TIMEOUT");
}

}  // namespace
}  // namespace gdkm
