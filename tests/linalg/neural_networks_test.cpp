#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/dropout.hpp"

namespace gdkm {
namespace {

template <class T>
std::vector<T> numbers(Index count, std::uint64_t seed) {
  Random random(Stream{seed, Purpose::initial, 0});
  std::vector<T> out;
  for (Index k = 0; k < count; ++k) out.push_back(static_cast<T>(random.normal()));
  return out;
}

/// Large enough for several threads, with a last strip of columns that is not full.
constexpr Index rows = 700, cols = 37;

TEST(Relu, DropsTheAskedShareAndKeepsTheMean) {
  CpuBackend<double> backend(2);
  for (const double dropout : {0.0, 0.1, 0.5, 0.9}) {
    const Matrix<double> x(backend, 400, 100, std::vector<double>(40000, 2.0));
    backend.relu(dropout, Stream{3, Purpose::dropout, 1}, x);
    double kept = 0, sum = 0;
    for (const double v : x.to_host()) {
      kept += v > 0 ? 1 : 0;
      sum += v;
    }
    EXPECT_NEAR(kept / 40000, 1 - dropout, 0.01) << dropout;
    EXPECT_NEAR(sum / 80000, 1, 0.04) << dropout;
  }
}

TEST(Relu, WhatIsDroppedDependsOnStreamAndPlaceAlone) {
  const auto host = numbers<float>(rows * cols, 4);
  const auto run = [&](int threads, const Stream& stream) {
    CpuBackend<float> backend(threads);
    const Matrix<float> x(backend, rows, cols, host);
    backend.relu(0.4, stream, x);
    return x.to_host();
  };
  const Stream stream{5, Purpose::dropout, 7};
  const auto one = run(1, stream);
  EXPECT_EQ(one, run(3, stream));
  EXPECT_NE(one, run(1, Stream{5, Purpose::dropout, 8}));
  EXPECT_NE(one, run(1, Stream{6, Purpose::dropout, 7}));
  const Dropout drop(0.4);
  for (Index k = 0; k < rows * cols; ++k) {
    const Random4 block = random_block(stream, static_cast<std::uint64_t>(k / 8));
    const bool kept = drop.keeps(block, static_cast<int>(k % 8)) && host[k] > 0;
    ASSERT_EQ(one[k], kept ? host[k] * static_cast<float>(drop.scale) : 0.0f) << k;
  }
}

TEST(ColumnMoments, AgreeWithAPlainLoopOnAnyNumberOfThreads) {
  const auto host = numbers<double>(rows * cols, 6);
  for (const int threads : {1, 2, 3}) {
    CpuBackend<double> backend(threads);
    const Matrix<double> x(backend, rows, cols, host), mean(backend, 1, cols), variance(backend, 1, cols);
    backend.column_moments(x, mean, variance);
    backend.standardise(mean, variance, 1e-3, x);
    for (Index c = 0; c < cols; ++c) {
      double m = 0, v = 0;
      for (Index r = 0; r < rows; ++r) m += host[r * cols + c] / rows;
      for (Index r = 0; r < rows; ++r) v += (host[r * cols + c] - m) * (host[r * cols + c] - m) / rows;
      EXPECT_NEAR(mean.to_host()[c], m, 1e-13);
      EXPECT_NEAR(variance.to_host()[c], v, 1e-13);
      for (Index r = 0; r < rows; r += 97) {
        EXPECT_NEAR(x.to_host()[r * cols + c], (host[r * cols + c] - m) / std::sqrt(v + 1e-3), 1e-12);
      }
    }
  }
}

TEST(NormaliseRows, HaveUnitMeanSquareAndZeroRowsStayZero) {
  CpuBackend<double> backend(2);
  auto host = numbers<double>(rows * cols, 7);
  std::fill_n(host.begin() + 5 * cols, cols, 0.0);
  const Matrix<double> x(backend, rows, cols, host), length(backend, 1, rows);
  backend.normalise_rows(1e-12, x, length);
  for (Index r = 0; r < rows; ++r) {
    double square = 0;
    for (Index c = 0; c < cols; ++c) square += std::pow(x.to_host()[r * cols + c], 2);
    ASSERT_NEAR(square / cols, r == 5 ? 0 : 1, 1e-9) << r;
  }
}

/// Compares what `backward` makes of a random gradient with central differences of Σ weight ∘ forward(x).
void expect_gradient(Index n, Index w, const std::function<void(CpuBackend<double>&, View<double>)>& forward,
                     const std::function<void(CpuBackend<double>&, View<double>)>& backward) {
  CpuBackend<double> backend(2);
  auto x = numbers<double>(n * w, 8);
  const auto weight = numbers<double>(n * w, 9);
  const auto value = [&] {
    const Matrix<double> y(backend, n, w, x);
    forward(backend, y);
    double sum = 0;
    for (std::size_t k = 0; k < weight.size(); ++k) sum += weight[k] * y.view().data[k];
    return sum;
  };
  value();
  const Matrix<double> bar(backend, n, w, weight);
  backward(backend, bar);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double at = x[k], step = 1e-6;
    x[k] = at + step;
    const double up = value();
    x[k] = at - step;
    const double down = value();
    x[k] = at;
    ASSERT_NEAR(bar.view().data[k], (up - down) / (2 * step), 1e-7) << "entry " << k;
  }
}

TEST(NeuralNetworkGradients, AgreeWithFiniteDifferences) {
  const Index n = 9, w = 19;
  CpuBackend<double> memory(1);
  const Matrix<double> out(memory, n, w), mean(memory, 1, w), variance(memory, 1, w), length(memory, 1, n);
  const auto keep = [&](CpuBackend<double>& b, View<double> y) { b.add(1, y, 0, out); };
  expect_gradient(
      n, w,
      [&](auto& b, View<double> y) {
        b.relu(0.3, Stream{1, Purpose::dropout, 0}, y);
        keep(b, y);
      },
      [&](auto& b, View<double> bar) { b.relu_backward(out, 0.3, bar); });
  expect_gradient(
      n, w,
      [&](auto& b, View<double> y) {
        b.column_moments(y, mean, variance);
        b.standardise(mean, variance, 0.01, y);
        keep(b, y);
      },
      [&](auto& b, View<double> bar) {
        Matrix<double> moments(b, n, w, numbers<double>(n * w, 8));
        b.column_moments(moments, mean, variance);
        b.standardise_backward(out, variance, 0.01, bar);
      });
  expect_gradient(
      n, w,
      [&](auto& b, View<double> y) {
        b.normalise_rows(0.01, y, length);
        keep(b, y);
      },
      [&](auto& b, View<double> bar) { b.normalise_rows_backward(out, length, bar); });
}

TEST(CountCorrect, CountsTheFirstLargestScore) {
  CpuBackend<float> backend(3);
  const Matrix<float> scores(backend, 4, 3, std::vector<float>{1, 2, 0, 5, 5, 1, 0, 0, 3, 1, 0, 0});
  const Buffer<std::int32_t> label(backend, std::vector<std::int32_t>{1, 1, 2, 0});
  const Matrix<float> count(backend, 1, 1);
  backend.count_correct(scores, label.data(), count);
  EXPECT_EQ(count.to_host()[0], 3.0f);
}

}  // namespace
}  // namespace gdkm
