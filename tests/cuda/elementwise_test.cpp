#include "tests/cuda/twin.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaElementwise : public TwinTest<T> {};
TYPED_TEST_SUITE(CudaElementwise, Precisions, PrecisionNames);

TYPED_TEST(CudaElementwise, AddScalesBothAndDoesNotReadTheOldWhereBetaIsZero) {
  using T = TypeParam;
  for (const auto& [rows, cols] : matrix_sizes) {
    for (const Index pad : this->pads) {
      for (const auto& [alpha, beta] :
           {std::pair{1.0, 0.0}, std::pair{-2.0, 0.0}, std::pair{0.5, 1.0}, std::pair{2.0, -0.25}}) {
        const auto a = this->random(rows, cols, 1, pad);
        const auto c = beta == 0 ? this->blank(rows, cols, pad) : this->random(rows, cols, 2, pad);
        this->gpu().add(static_cast<T>(alpha), a.gpu, static_cast<T>(beta), c.gpu);
        this->cpu().add(alpha, a.cpu, beta, c.cpu);
        c.expect_same(this->at("add", rows, cols, pad), tolerance<T>(5e-7));
      }
    }
  }
}

TYPED_TEST(CudaElementwise, AddMayWriteToWhatItReads) {
  using T = TypeParam;
  const auto c = this->random(70, 33, 3);
  this->gpu().add(T(0.5), c.gpu, T(0), c.gpu);
  this->cpu().add(0.5, c.cpu, 0, c.cpu);
  c.expect_same("add in place", tolerance<T>(5e-7));
}

TYPED_TEST(CudaElementwise, AddExpScaledTakesTheExponentFromTheDevice) {
  using T = TypeParam;
  for (const Index pad : this->pads) {
    for (const double beta : {0.0, 1.0}) {
      const auto exponent = this->twin(1, 1, {0.75});
      const auto a = this->random(33, 50, 4, pad);
      const auto c = beta == 0 ? this->blank(33, 50, pad) : this->random(33, 50, 5, pad);
      this->gpu().add_exp_scaled(T(0.5), exponent.gpu, a.gpu, static_cast<T>(beta), c.gpu);
      this->cpu().add_exp_scaled(0.5, exponent.cpu, a.cpu, beta, c.cpu);
      c.expect_same(this->at("add_exp_scaled", 33, 50, pad), tolerance<T>(5e-7));
    }
  }
}

TYPED_TEST(CudaElementwise, FillAndIdentityWriteEveryEntryAndNothingElse) {
  using T = TypeParam;
  for (const auto& [rows, cols] : matrix_sizes) {
    for (const Index pad : this->pads) {
      const auto a = this->blank(rows, cols, pad);
      this->gpu().fill(a.gpu, T(2.5));
      this->cpu().fill(a.cpu, 2.5);
      a.expect_same(this->at("fill", rows, cols, pad), 0);
    }
  }
  for (const Index m : {1, 7, 33, 200, 401}) {
    for (const Index pad : this->pads) {
      const auto a = this->blank(m, m, pad);
      this->gpu().identity(a.gpu);
      this->cpu().identity(a.cpu);
      a.expect_same(this->at("identity", m, m, pad), 0);
    }
  }
}

TYPED_TEST(CudaElementwise, TransposeMovesEveryEntry) {
  for (const auto& [rows, cols] : matrix_sizes) {
    for (const Index pad : this->pads) {
      const auto a = this->random(rows, cols, 6, pad), b = this->blank(cols, rows, pad);
      this->gpu().transpose(a.gpu, b.gpu);
      this->cpu().transpose(a.cpu, b.cpu);
      b.expect_same(this->at("transpose", rows, cols, pad), 0);
    }
  }
}

TYPED_TEST(CudaElementwise, KeepLowerAndSymmetrise) {
  using T = TypeParam;
  for (const Index m : {1, 7, 31, 32, 33, 64, 200, 513}) {
    for (const Index pad : this->pads) {
      const auto a = this->random(m, m, 7, pad), b = this->random(m, m, 8, pad);
      this->gpu().keep_lower(a.gpu, T(0.5));
      this->cpu().keep_lower(a.cpu, 0.5);
      a.expect_same(this->at("keep_lower", m, m, pad), 0);
      this->gpu().symmetrise(b.gpu);
      this->cpu().symmetrise(b.cpu);
      b.expect_same(this->at("symmetrise", m, m, pad), tolerance<T>(2e-7));
    }
  }
}

TYPED_TEST(CudaElementwise, DotAddsUpInOneLaunchAndComesOutTheSameEachTime) {
  using T = TypeParam;
  for (const auto& [rows, cols] : matrix_sizes) {
    for (const Index pad : this->pads) {
      for (const double beta : {0.0, 0.5}) {
        const auto a = this->random(rows, cols, 9, pad), b = this->random(rows, cols, 10, pad);
        const auto value = beta == 0 ? this->blank(1, 1) : this->twin(1, 1, {3.0});
        this->gpu().dot(T(2), a.gpu, b.gpu, static_cast<T>(beta), value.gpu);
        this->cpu().dot(2, a.cpu, b.cpu, beta, value.cpu);
        value.expect_same(this->at("dot", rows, cols, pad), tolerance<T>(2e-6));
      }
    }
  }
  const auto a = this->random(3000, 401, 11), value = this->blank(1, 1);
  this->gpu().dot(T(1), a.gpu, a.gpu, T(0), value.gpu);
  const auto first = value.gpu.to_host();
  for (int again = 0; again < 5; ++again) {
    this->gpu().dot(T(1), a.gpu, a.gpu, T(0), value.gpu);
    EXPECT_EQ(value.gpu.to_host(), first);
  }
}

TYPED_TEST(CudaElementwise, AdamFollowsItsClock) {
  using T = TypeParam;
  for (const Index count : {1, 7, 200, 5001, 600000}) {
    if (too_large(1, count)) continue;
    for (const Index pad : {0, 1}) {
      const auto gradient = this->random(1, count, 12, pad), first = this->random(1, count, 13, pad, 0.1);
      auto squares = numbers<T>(count, 14, 0.1);
      for (double& x : squares) x = static_cast<T>(x * x + 0.01);
      const auto second = this->twin(1, count, squares, pad), parameter = this->random(1, count, 15, pad);
      AdamStep step;
      step.rate = 1e-2;
      step.count = 3;
      this->gpu().adam(step, gradient.gpu, first.gpu, second.gpu, parameter.gpu);
      this->cpu().adam(step, gradient.cpu, first.cpu, second.cpu, parameter.cpu);

      // With a clock on the device, its rate and count stand for those of the step.
      const Buffer<Clock> clock(this->gpu(), 1);
      this->gpu().set_clock(Clock{3e-3, 17, 5}, clock.data());
      AdamStep timed = step;
      timed.clock = clock.data();
      step.rate = 3e-3;
      step.count = 17;
      this->gpu().adam(timed, gradient.gpu, first.gpu, second.gpu, parameter.gpu);
      this->cpu().adam(step, gradient.cpu, first.cpu, second.cpu, parameter.cpu);
      const auto name = this->at("adam", 1, count, pad);
      first.expect_same(name + ", first moment", tolerance<T>(1e-6));
      // 1 − 0.999 in float is off by 1.3e-5.
      second.expect_same(name + ", second moment", tolerance<T>(2e-5));
      parameter.expect_same(name + ", parameter", tolerance<T>(1e-6));
      EXPECT_EQ(clock.to_host()[0].turn, 5u);
    }
  }
}

}  // namespace
}  // namespace gdkm
