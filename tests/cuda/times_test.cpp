#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tests/cuda/cuda_test.hpp"

// How long primitives take. Information, not a check: printed where GDKM_CUDA_TIMES is set.

namespace gdkm {
namespace {

template <class T>
class CudaTimes : public CudaTest<T> {
 protected:
  void SetUp() override {
    if (std::getenv("GDKM_CUDA_TIMES") == nullptr) GTEST_SKIP() << "GDKM_CUDA_TIMES is not set";
    CudaTest<T>::SetUp();
  }
  /// Microseconds of one call, recorded `calls` at a time: the median of 15.
  double microseconds(int calls, const std::function<void()>& work) {
    const auto recording = this->gpu().record([&] {
      for (int k = 0; k < calls; ++k) work();
    });
    const Matrix<T> mark(this->gpu(), 1, 1);
    std::vector<double> all;
    for (int k = 0; k < 18; ++k) {
      mark.to_host();
      const auto start = std::chrono::steady_clock::now();
      recording->replay();
      mark.to_host();
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
      if (k > 2) all.push_back(took.count() / calls);
    }
    std::nth_element(all.begin(), all.begin() + 7, all.end());
    return all[7];
  }
  Matrix<T> random(Index rows, Index cols, double scale = 1) {
    const auto some = numbers<T>(std::min<Index>(rows * cols, 1 << 20), 90, scale);
    std::vector<T> all(static_cast<std::size_t>(rows * cols));
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<T>(some[k % some.size()]);
    return Matrix<T>(this->gpu(), rows, cols, all);
  }
  void time_gemm(const char* what, Op op_a, Index m, Index n, Index k) {
    const Matrix<T> a = op_a == Op::none ? random(m, k) : random(k, m), b = random(k, n),
                    c(this->gpu(), m, n);
    const double us = microseconds(m * n * k > 1000000000 ? 3 : 20,
                                   [&] { this->gpu().gemm(T(1), op_a, a, Op::none, b, T(0), c); });
    std::printf("  %-34s %6lld x %6lld, %6lld terms %9.1f us %6.1f TFLOP/s\n", what,
                static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k), us,
                2e-6 * static_cast<double>(m * n) * static_cast<double>(k) / us);
  }
};
TYPED_TEST_SUITE(CudaTimes, Precisions, PrecisionNames);

TYPED_TEST(CudaTimes, Factorisations) {
  using T = TypeParam;
  for (const Index m : {32, 100, 200, 400, 512, 640, 1024, 2048}) {
    const Matrix<T> f = this->random(m, 2 * m, 1 / std::sqrt(2.0 * static_cast<double>(m))),
                    k(this->gpu(), m, m), h(this->gpu(), m, m), inverse(this->gpu(), m, m),
                    used(this->gpu(), 1, 1);
    this->gpu().gram(f, k);
    std::printf("  cholesky, with inverse   m = %4lld %9.1f us\n", static_cast<long long>(m),
                this->microseconds(10, [&] { this->gpu().cholesky(k, T(1e-5), h, inverse, used); }));
    if (m > 640) continue;
    std::printf("  cholesky_of_gram, d = 2m m = %4lld %9.1f us\n", static_cast<long long>(m),
                this->microseconds(4, [&] { this->gpu().cholesky_of_gram(f, T(1e-5), h, inverse, used); }));
  }
}

TYPED_TEST(CudaTimes, Products) {
  for (const Index m : {200, 400}) {
    this->time_gemm("m x m", Op::none, m, m, m);
    this->time_gemm("(m x m)'", Op::transpose, m, m, m);
    for (const Index n : {2708, 22662, 169343}) {
      this->time_gemm("n x m times m x m", Op::none, n, m, m);
      this->time_gemm("(n x m)' times n x m", Op::transpose, m, m, n);
      this->time_gemm("n x m times m x classes", Op::none, n, 40, m);
      this->time_gemm("(n x m)' times n x classes", Op::transpose, m, 40, n);
    }
  }
  this->time_gemm("a chunk of the kernel", Op::none, 32768, 400, 400);
  this->time_gemm("(a chunk of it)' times a chunk", Op::transpose, 400, 400, 32768);
}

}  // namespace
}  // namespace gdkm
