#include <thread>

#include "tests/cuda/cuda_test.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaRecordings : public CudaTest<T> {};
TYPED_TEST_SUITE(CudaRecordings, Precisions, PrecisionNames);

/// Something like a step of training: products, a factorisation, random numbers, Adam; what it leaves is what
/// the next one begins with.
template <class T>
class Steps {
 public:
  explicit Steps(Backend<T>& gpu, Index m = 70)
      : gpu_(gpu),
        m_(m),
        f_(gpu, m, m + 9, numbers<T>(m * (m + 9), 80, 0.1)),
        k_(gpu, m, m),
        h_(gpu, m, m),
        inverse_(gpu, m, m),
        noise_(gpu, m, m + 9),
        gradient_(gpu, m, m + 9),
        first_(gpu, m, m + 9, std::vector<double>(m * (m + 9), 0.0)),
        second_(gpu, m, m + 9, std::vector<double>(m * (m + 9), 0.0)),
        used_(gpu, 1, 1),
        value_(gpu, 1, 1),
        clock_(gpu, 1) {}

  void set_clock(int step) {
    gpu_.set_clock({0.01 * (step + 1), step + 1, static_cast<std::uint32_t>(step)}, clock_.data());
  }
  void step() {
    gpu_.gram(f_, k_);
    gpu_.cholesky(k_, T(1e-3), h_, inverse_, used_);
    gpu_.normals(Stream{5, Purpose::sampling, 0, &clock_.data()->turn}, noise_);
    gpu_.gemm(T(1), Op::none, inverse_, Op::none, noise_, T(0), gradient_);
    gpu_.add(T(0.5), f_, T(1), gradient_);
    gpu_.dot(T(1), gradient_, gradient_, T(0), value_);
    AdamStep adam;
    adam.clock = clock_.data();
    gpu_.adam(adam, gradient_, first_, second_, f_);
  }
  std::vector<double> parameters() const { return f_.to_host(); }
  ConstView<T> value() const { return value_; }

 private:
  Backend<T>& gpu_;
  Index m_;
  Placed<T> f_, k_, h_, inverse_, noise_, gradient_, first_, second_, used_, value_;
  Buffer<Clock> clock_;
};

TYPED_TEST(CudaRecordings, ReplaysAreTheSameAsEagerRuns) {
  using T = TypeParam;
  Steps<T> eager(this->gpu()), recorded(this->gpu());
  const auto recording = this->gpu().record([&] { recorded.step(); });
  std::vector<double> before = eager.parameters();
  for (int step = 0; step < 5; ++step) {
    eager.set_clock(step);
    eager.step();
    recorded.set_clock(step);
    recording->replay();
    const auto want = eager.parameters(), got = recorded.parameters();
    ASSERT_EQ(want, got) << "step " << step;
    ASSERT_NE(want, before) << "step " << step << " changed nothing";
    for (const double x : want) ASSERT_TRUE(std::isfinite(x));
    before = want;
  }
}

TYPED_TEST(CudaRecordings, TheClockTakesEffectInAReplay) {
  using T = TypeParam;
  Steps<T> steps(this->gpu()), others(this->gpu());
  const auto recording = this->gpu().record([&] { steps.step(); });
  const auto other = this->gpu().record([&] { others.step(); });
  for (int step = 0; step < 4; ++step) {
    steps.set_clock(step);
    recording->replay();
    others.set_clock(step < 3 ? step : 7);
    other->replay();
    if (step < 3) {
      ASSERT_EQ(steps.parameters(), others.parameters()) << "step " << step;
    }
  }
  EXPECT_NE(steps.parameters(), others.parameters());
}

TYPED_TEST(CudaRecordings, ALargerPrimitiveLaterDoesNotDisturbARecording) {
  using T = TypeParam;
  Steps<T> eager(this->gpu()), recorded(this->gpu());
  const auto recording = this->gpu().record([&] { recorded.step(); });
  for (int step = 0; step < 4; ++step) {
    eager.set_clock(step);
    eager.step();
    recorded.set_clock(step);
    recording->replay();
    Steps<T> larger(this->gpu(), sanitized() ? 100 + 10 * step : 300 + 50 * step);  // workspaces grow
    larger.set_clock(0);
    larger.step();
  }
  EXPECT_EQ(eager.parameters(), recorded.parameters());
}

TYPED_TEST(CudaRecordings, ALibraryThatIsFirstNeededWhileRecordingIsStarted) {
  using T = TypeParam;
  // A new backend, which has not started cuBLAS; the product is too large for our own kernels.
  const auto gpu = make_backend<T>({cuda_device(), 1, MathMode::strict});
  const Index n = 2000, m = 300;
  const Placed<T> a(*gpu, n, m, numbers<T>(n * m, 90)), b(*gpu, m, m, numbers<T>(m * m, 91)), c(*gpu, n, m),
      want(*gpu, n, m);
  int call = 0;
  const auto recording = gpu->record([&] {
    if (call++ > 0) gpu->gemm(1, Op::none, a, Op::none, b, 0, c);
  });
  recording->replay();
  recording->replay();
  gpu->gemm(1, Op::none, a, Op::none, b, 0, want);
  EXPECT_EQ(c.to_host(), want.to_host()) << "run directly, once cuBLAS is there";
  gpu->fill(c, 0);
  recording->replay();
  EXPECT_EQ(c.to_host(), want.to_host()) << "recorded";
}

TYPED_TEST(CudaRecordings, ReadBacksHoldWhatWasThereWhenTheyWereAskedFor) {
  using T = TypeParam;
  Backend<T>& gpu = this->gpu();
  const Index n = sanitized() ? 300 : 2000;
  const Placed<T> value(gpu, 1, 1), large(gpu, n, n, numbers<T>(n * n, 81)), product(gpu, n, n);
  std::vector<std::unique_ptr<Readback>> readbacks;
  for (int k = 0; k < 6; ++k) {
    gpu.fill(value, static_cast<T>(k));
    readbacks.push_back(gpu.make_readback(sizeof(T)));
    readbacks.back()->start(value.view().data);
    gpu.gemm(T(1), Op::none, large, Op::none, large, T(0), product);
  }
  gpu.fill(value, T(-1));
  for (int k = 5; k >= 0; --k) {
    EXPECT_EQ(*static_cast<const T*>(readbacks[k]->wait()), static_cast<T>(k));
    EXPECT_TRUE(readbacks[k]->ready());
  }
}

TYPED_TEST(CudaRecordings, BackendsOnTwoThreadsDoNotDisturbEachOther) {
  using T = TypeParam;
  const auto train = [](std::vector<double>& out) {
    const auto gpu = make_backend<T>({cuda_device(), 1});
    {
      Steps<T> steps(*gpu, sanitized() ? 50 : 130);
      const auto recording = gpu->record([&] { steps.step(); });
      for (int step = 0; step < (sanitized() ? 5 : 30); ++step) {
        steps.set_clock(step);
        recording->replay();
      }
      out = steps.parameters();
    }
  };
  std::vector<double> alone, first, second;
  train(alone);
  std::thread one([&] { train(first); }), two([&] { train(second); });
  one.join();
  two.join();
  EXPECT_EQ(alone, first);
  EXPECT_EQ(alone, second);
}

TYPED_TEST(CudaRecordings, MemoryIsZeroAndCounted) {
  using T = TypeParam;
  Backend<T>& gpu = this->gpu();
  const std::size_t before = gpu.bytes_in_use();
  for (int turn = 0; turn < 3; ++turn) {
    const Matrix<T> a(gpu, 501, 333);
    EXPECT_EQ(gpu.bytes_in_use(), before + 501 * 333 * sizeof(T));
    for (const T x : a.to_host()) ASSERT_EQ(x, T(0)) << "turn " << turn;
    gpu.fill(a, T(3));
  }
  EXPECT_EQ(gpu.bytes_in_use(), before);
}

TYPED_TEST(CudaRecordings, AskingForTooMuchNamesTheAmount) {
  using T = TypeParam;
  try {
    this->gpu().allocate(std::size_t(1) << 45);
    FAIL() << "35 TB were given";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("out of memory: 35184373 MB"), std::string::npos)
        << error.what();
  }
  const Matrix<T> still(this->gpu(), 10, 10);
  EXPECT_EQ(still.to_host().size(), 100u);
}

TYPED_TEST(CudaRecordings, AGpuThatIsNotThereIsNamed) {
  try {
    make_backend<TypeParam>({cuda_device(99), 1});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cuda:99: no such GPU"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gdkm
