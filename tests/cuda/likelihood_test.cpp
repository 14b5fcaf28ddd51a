#include "tests/cuda/twin.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaLikelihood : public TwinTest<T> {};
TYPED_TEST_SUITE(CudaLikelihood, Precisions, PrecisionNames);

constexpr std::pair<Index, Index> sizes[] = {{1, 1},   {7, 1},    {33, 2},  {200, 3}, {513, 7},
                                             {64, 8},  {1000, 9}, {31, 16}, {77, 17}, {200, 41},
                                             {5, 600}, {5000, 4}, {0, 3}};

/// Labels on both devices.
template <class T>
struct Labels {
  Buffer<std::int32_t> gpu, cpu;
  template <class Test>
  Labels(Test& test, Index rows, Index classes) {
    Random random(Stream{70, Purpose::generator, 0});
    std::vector<std::int32_t> label;
    for (Index r = 0; r < rows; ++r) label.push_back(static_cast<std::int32_t>(random.below(classes)));
    gpu = Buffer<std::int32_t>(test.gpu(), label);
    cpu = Buffer<std::int32_t>(test.cpu(), label);
  }
};

template <class T>
std::vector<double> positive(Index count, std::uint64_t seed) {
  auto x = numbers<T>(count, seed);
  for (double& e : x) e = std::fabs(e);
  return x;
}

TYPED_TEST(CudaLikelihood, NormalsAreTheSameStreamAsOnTheCpu) {
  using T = TypeParam;
  for (const Index count : {1, 3, 4, 7, 1025, 50001}) {
    for (const Index pad : {0, 1}) {
      const auto out = this->blank(1, count, pad);
      const Stream stream{123456789012345, Purpose::prediction, 7};
      this->gpu().normals(stream, out.gpu);
      this->cpu().normals(stream, out.cpu);
      out.expect_same(this->at("normals", 1, count, pad), tolerance<T>(1e-6));
    }
  }
}

TYPED_TEST(CudaLikelihood, AStreamFollowsItsClock) {
  using T = TypeParam;
  const Buffer<Clock> clock(this->gpu(), 1);
  Stream timed{5, Purpose::sampling, 2}, later{5, Purpose::sampling, 11};
  timed.clock = &clock.data()->turn;
  this->gpu().set_clock(Clock{0, 1, 9}, clock.data());
  const auto out = this->blank(1, 999);
  this->gpu().normals(timed, out.gpu);
  this->cpu().normals(later, out.cpu);
  out.expect_same("normals by the clock", tolerance<T>(1e-6));
}

TYPED_TEST(CudaLikelihood, OfNodes) {
  using T = TypeParam;
  for (const auto& [rows, classes] : sizes) {
    for (const Index samples : {1, 4, 7}) {
      for (const Index pad : {0, 1}) {
        const Labels<T> labels(*this, rows, classes);
        const auto mean = this->random(rows, classes, 71, pad, 2),
                   deviation = this->twin(1, rows, positive<T>(rows, 72));
        const auto value = this->twin(1, 1, {0.5}), mean_bar = this->blank(rows, classes, pad),
                   deviation_bar = this->blank(1, rows);
        const Stream stream{99, Purpose::sampling, 3};
        this->gpu().node_log_likelihood(mean.gpu, deviation.gpu, labels.gpu.data(), 40, samples, stream,
                                        T(0.5), value.gpu, mean_bar.gpu, deviation_bar.gpu);
        this->cpu().node_log_likelihood(mean.cpu, deviation.cpu, labels.cpu.data(), 40, samples, stream, 0.5,
                                        value.cpu, mean_bar.cpu, deviation_bar.cpu);
        const auto what =
            this->at("node_log_likelihood", rows, classes, pad) + ", samples " + std::to_string(samples);
        value.expect_same(what, tolerance<T>(2e-6));
        mean_bar.expect_same(what + ": mean_bar", tolerance<T>(5e-6));
        deviation_bar.expect_same(what + ": deviation_bar", tolerance<T>(5e-6));
      }
    }
  }
}

TYPED_TEST(CudaLikelihood, OfLogits) {
  using T = TypeParam;
  for (const auto& [rows, classes] : sizes) {
    for (const Index samples : {1, 4}) {
      for (const Index pad : {0, 1}) {
        const Labels<T> labels(*this, rows, classes);
        const auto logits = this->random(rows, classes * samples, 73, pad, 3),
                   value = this->twin(1, 1, {-2.0});
        this->gpu().softmax_log_likelihood(logits.gpu, labels.gpu.data(), samples, T(0.5), value.gpu);
        this->cpu().softmax_log_likelihood(logits.cpu, labels.cpu.data(), samples, 0.5, value.cpu);
        const auto what =
            this->at("softmax_log_likelihood", rows, classes, pad) + ", samples " + std::to_string(samples);
        value.expect_same(what, tolerance<T>(2e-6));
        logits.expect_same(what + ": gradient", tolerance<T>(5e-6));
      }
    }
  }
}

TYPED_TEST(CudaLikelihood, OfTargetsUnderGaussianNoise) {
  using T = TypeParam;
  for (const auto& [rows, outputs] : sizes) {
    for (const Index pad : {0, 1}) {
      const auto mean = this->random(rows, outputs, 74, pad), target = this->random(rows, outputs, 75, pad);
      const auto deviation = this->twin(1, rows, positive<T>(rows, 76)),
                 log_noise = this->twin(1, 1, {-0.75});
      const auto value = this->twin(1, 1, {0.25}), log_noise_bar = this->twin(1, 1, {0.125});
      const auto mean_bar = this->blank(rows, outputs, pad), deviation_bar = this->blank(1, rows);
      this->gpu().gaussian_log_likelihood(mean.gpu, deviation.gpu, target.gpu, log_noise.gpu, T(0.5),
                                          value.gpu, mean_bar.gpu, deviation_bar.gpu, log_noise_bar.gpu);
      this->cpu().gaussian_log_likelihood(mean.cpu, deviation.cpu, target.cpu, log_noise.cpu, 0.5, value.cpu,
                                          mean_bar.cpu, deviation_bar.cpu, log_noise_bar.cpu);
      const auto what = this->at("gaussian_log_likelihood", rows, outputs, pad);
      value.expect_same(what, tolerance<T>(1e-6));
      mean_bar.expect_same(what + ": mean_bar", tolerance<T>(1e-6));
      deviation_bar.expect_same(what + ": deviation_bar", tolerance<T>(1e-6));
      log_noise_bar.expect_same(what + ": log_noise_bar", tolerance<T>(1e-6));
    }
  }
}

TYPED_TEST(CudaLikelihood, MeanSoftmaxAveragesProbabilities) {
  using T = TypeParam;
  for (const auto& [rows, classes] : sizes) {
    for (const Index samples : {1, 65}) {
      for (const Index pad : {0, 1}) {
        const auto mean = this->random(rows, classes, 77, pad, 2),
                   noise = this->random(samples, classes, 78, pad);
        const auto deviation = this->twin(1, rows, positive<T>(rows, 79)),
                   out = this->blank(rows, classes, pad);
        this->gpu().mean_softmax(mean.gpu, deviation.gpu, noise.gpu, out.gpu);
        this->cpu().mean_softmax(mean.cpu, deviation.cpu, noise.cpu, out.cpu);
        out.expect_same(this->at("mean_softmax", rows, classes, pad) + ", samples " + std::to_string(samples),
                        tolerance<T>(2e-6));
      }
    }
  }
}

}  // namespace
}  // namespace gdkm
