#include "tests/linalg/backend_cases.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tests/cuda/cuda_test.hpp"

namespace gdkm::testing {
namespace {

/// The table of cases on the GPU, one test per primitive.
template <class T>
class CudaCases : public CudaTest<T>, public ::testing::WithParamInterface<std::string> {
 protected:
  void agree_with_the_cpu() {
    for (const Case& each : backend_cases().all()) {
      if (each.primitive != this->GetParam() || each.timed_only || (sanitized() && !each.is_small()))
        continue;
      const auto want = outputs_of<double>(each, this->cpu(), {.single = std::is_same_v<T, float>});
      // Rows that may be read 16 bytes at a time, that may not, and that may but have gaps.
      for (const Index pad : {0, 1, 4}) {
        SCOPED_TRACE("padding " + std::to_string(pad));
        const auto got = outputs_of<T>(each, this->gpu(), {.pad = pad});
        expect_same(each, want, got);
        if (pad > 0) continue;
        const auto again = outputs_of<T>(each, this->gpu(), {.pad = pad});
        for (std::size_t k = 0; k < got.size(); ++k) {
          if (got[k].part == Region::all)
            expect_close(each.name + ", run again: " + got[k].name, got[k].rows, got[k].cols, got[k].values,
                         again[k].values, 0);
        }
      }
    }
  }
};

using CudaCases32 = CudaCases<float>;
using CudaCases64 = CudaCases<double>;

TEST_P(CudaCases32, AgreeWithTheCpuAndComeOutTheSameEachTime) {
  agree_with_the_cpu();
}
TEST_P(CudaCases64, AgreeWithTheCpuAndComeOutTheSameEachTime) {
  agree_with_the_cpu();
}

const auto name_of_test = [](const auto& info) { return info.param; };
INSTANTIATE_TEST_SUITE_P(Primitives, CudaCases32, ::testing::ValuesIn(backend_cases().primitives()),
                         name_of_test);
INSTANTIATE_TEST_SUITE_P(Primitives, CudaCases64, ::testing::ValuesIn(backend_cases().primitives()),
                         name_of_test);

/// Times of primitives at the sizes of training steps, recorded and replayed. Printed where GDKM_CUDA_TIMES
/// is set; nothing is checked.
class CudaTimes : public CudaTest<float> {
 protected:
  static double median_seconds(const std::function<void()>& work) {
    const Matrix<float> one(gpu(), 1, 1);
    const auto wait = [&] { static_cast<void>(one.to_host()); };
    const auto recording = gpu().record(work);
    for (int k = 0; k < 3; ++k) recording->replay();
    wait();
    std::vector<double> seconds;
    for (int k = 0; k < 21; ++k) {
      constexpr int repeats = 4;
      const auto begin = std::chrono::steady_clock::now();
      for (int r = 0; r < repeats; ++r) recording->replay();
      wait();
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      seconds.push_back(passed.count() / repeats);
    }
    std::nth_element(seconds.begin(), seconds.begin() + 10, seconds.end());
    return seconds[10];
  }
};

TEST_F(CudaTimes, OfPrimitivesAtTheSizesOfSteps) {
  if (std::getenv("GDKM_CUDA_TIMES") == nullptr) GTEST_SKIP() << "set GDKM_CUDA_TIMES to see times";
  for (const Case& each : backend_cases().all()) {
    if (!each.timed_only) continue;
    Trial<float> trial(gpu(), {.caller = [&](const char* primitive, const Cost& cost, const auto& work) {
                         work();
                         if (std::string(primitive) == "set_clock") return;  // it cannot be recorded
                         const double seconds = median_seconds(work);
                         std::printf("[   TIME   ] %-24s (%-32s) %9.1f us  %7.0f GB/s  %7.0f GFLOP/s\n",
                                     primitive, each.name.c_str(), 1e6 * seconds,
                                     4e-9 * cost.numbers / seconds, 1e-9 * cost.operations / seconds);
                         std::fflush(stdout);
                       }});
    each.run(trial);
  }
}

}  // namespace
}  // namespace gdkm::testing
