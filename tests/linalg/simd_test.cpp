#include "gdkm/linalg/cpu/simd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gdkm/kernels/arccos.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

/// |a − exact| in units in the last place of a number of size `scale`.
double ulps(float a, double exact, double scale) {
  const auto size = static_cast<float>(std::fabs(scale));
  const double unit = static_cast<double>(std::nextafter(size, std::numeric_limits<float>::infinity())) -
                      static_cast<double>(size);
  return std::fabs(static_cast<double>(a) - exact) / unit;
}

/// Cosines from −1 to 1, more of them towards the ends, where arccos is steep.
std::vector<float> cosines() {
  std::vector<float> out{-1, 1, 0};
  for (int k = 1; k < 20000; ++k) out.push_back(std::cos(3.14159265f * static_cast<float>(k) / 20000));
  for (float gap = 1e-7f; gap < 0.1f; gap *= 1.1f) {
    out.push_back(1 - gap);
    out.push_back(gap - 1);
    out.push_back(gap);
  }
  return out;
}

TEST(Simd, ArcCosineIsWithinTwoUnitsOfTheSizeOfItsRows) {
  const auto c = cosines();
  const auto count = static_cast<Index>(c.size());
  const std::vector<float> ones(c.size(), 1.0f);
  std::vector<float> k = c, g = c, k_bar = ones, sj_bar(c.size(), 0.0f);
  simd::arccos_row(k.data(), 1, 1, ones.data(), ones.data(), count);
  simd::arccos_row_backward(g.data(), k_bar.data(), 1, 1, ones.data(), ones.data(), sj_bar.data(), count);
  double value = 0, gradient = 0, by_norm = 0;
  for (std::size_t j = 0; j < c.size(); ++j) {
    const auto exact = ArcCos<double>::gradient(static_cast<double>(c[j]), 1, 1, 1, 1);
    value = std::max({value, ulps(k[j], exact.value, 1), ulps(g[j], exact.value, 1)});
    gradient = std::max(gradient, ulps(k_bar[j], exact.d_g, 1));
    by_norm = std::max(by_norm, ulps(sj_bar[j], exact.d_sj, 1));
  }
  EXPECT_LE(value, 2);
  EXPECT_LE(gradient, 2);
  EXPECT_LE(by_norm, 2);
}

TEST(Simd, ExponentialIsWithinTwoUnitsInTheLastPlace) {
  std::vector<float> x;
  for (float at = -87; at < 88; at += 0.00171f) x.push_back(at);
  x.insert(x.end(), {0.0f, -0.0f, -87.0f, 0.34657f, -0.34658f});
  std::vector<float> y = x;
  simd::exp_row(y.data(), static_cast<Index>(y.size()));
  double worst = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double exact = std::exp(static_cast<double>(x[j]));
    worst = std::max(worst, ulps(y[j], exact, exact));
  }
  EXPECT_LE(worst, 2);
}

TEST(Simd, ExponentialOfWhatIsTooSmallOrNoNumberIsHarmless) {
  std::vector<float> x{-88, -1000, -std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()};
  simd::exp_row(x.data(), 4);
  for (int j = 0; j < 3; ++j) {
    EXPECT_GE(x[j], 0);
    EXPECT_LE(x[j], 1e-37f);
  }
  EXPECT_TRUE(std::isnan(x[3]));
}

/// Widths that need every kind of panel, and rests; B in blocks of `block` rows.
template <class T>
void sparse_times_agrees(Index block, double tolerance) {
  const Index rows = 9, terms = 13;
  Random random(Stream{5});
  std::vector<Index> start{0};
  std::vector<std::int32_t> col;
  std::vector<T> value;
  for (Index r = 0; r < rows; ++r) {
    for (Index e = 0; e < (r == 4 ? 0 : r); ++e) {
      col.push_back(static_cast<std::int32_t>(random.below(terms)));
      value.push_back(static_cast<T>(random.normal()));
    }
    std::sort(col.begin() + start.back(), col.end());
    start.push_back(static_cast<Index>(col.size()));
  }
  std::vector<Index> cursor(static_cast<std::size_t>(rows));
  for (const Index width : {1, 7, 8, 16, 31, 64, 100, 200, 215}) {
    const Index stride = width + 3;
    std::vector<T> b, c;
    for (Index k = 0; k < terms * stride; ++k) b.push_back(static_cast<T>(random.normal()));
    for (Index k = 0; k < rows * stride; ++k) c.push_back(static_cast<T>(random.normal()));
    for (const T beta : {T(0), T(1), T(-0.5)}) {
      std::vector<T> got = c;
      simd::sparse_times(T(2), simd::SparseRows<T>{start.data(), col.data(), value.data()}, 1, rows,
                         ConstView<T>(b.data(), terms, width, stride), beta,
                         View<T>(got.data(), rows, width, stride), {block, cursor.data()});
      for (Index r = 0; r < rows; ++r) {
        for (Index j = 0; j < stride; ++j) {
          double expected = static_cast<double>(c[r * stride + j]);
          if (r >= 1 && j < width) {
            expected *= static_cast<double>(beta);
            for (Index e = start[r]; e < start[r + 1]; ++e)
              expected += 2.0 * static_cast<double>(value[e]) * static_cast<double>(b[col[e] * stride + j]);
          }
          ASSERT_NEAR(static_cast<double>(got[r * stride + j]), expected, tolerance)
              << width << " " << r << " " << j;
        }
      }
    }
  }
}

TEST(Simd, SparseTimesAgreesWithTheDefinitionForEveryWidth) {
  sparse_times_agrees<double>(0, 1e-12);
  sparse_times_agrees<float>(0, 1e-4);
}

TEST(Simd, SparseTimesByBlocksAgreesToo) {
  for (const Index block : {1, 5, 13, 20}) {
    sparse_times_agrees<double>(block, 1e-12);
    sparse_times_agrees<float>(block, 1e-4);
  }
}

}  // namespace
}  // namespace gdkm
