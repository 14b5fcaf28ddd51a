#include "gdkm/linalg/backend.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/spmm.hpp"
#include "tests/linalg/placed.hpp"

// What the table of cases (backend_cases.hpp) does not say.

namespace gdkm {
namespace {

TEST(Backend, TheWideCaseOfSpmmGoesThroughBInBlocks) {
  EXPECT_GT(detail::sparse_block(40, 30000, 4000), 0);
}

TEST(Backend, NoiseOfALabelledRowDoesNotDependOnHowRowsAreCut) {
  const Index rows = 13, classes = 3, samples = 5;
  const std::vector<std::int32_t> label{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
  const Stream stream{7, Purpose::sampling, 3};
  const auto mean = testing::numbers<double>(rows * classes, 41);
  const std::vector<double> deviation(rows, 0.7);
  const std::vector<std::int32_t> given{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const auto run = [&](int threads, Index cut, bool by_given_numbers) {
    CpuBackend<double> backend(threads);
    const Matrix<double> m(backend, rows, classes, mean), d(backend, 1, rows, deviation),
        value(backend, 1, 1);
    const Matrix<double> m_bar(backend, rows, classes), d_bar(backend, 1, rows);
    for (const auto& [begin, count] : {std::pair<Index, Index>{0, cut}, {cut, rows - cut}}) {
      const RowNumbers number = by_given_numbers ? RowNumbers{99, given.data() + begin} : RowNumbers{begin};
      backend.node_log_likelihood(m.view().block_rows(begin, count), d.view().block_cols(begin, count),
                                  label.data() + begin, number, samples, stream, 1.0, value,
                                  m_bar.view().block_rows(begin, count),
                                  d_bar.view().block_cols(begin, count));
    }
    auto out = m_bar.to_host();
    const auto more = d_bar.to_host();
    out.insert(out.end(), more.begin(), more.end());
    return out;
  };
  EXPECT_EQ(run(1, 13, false), run(3, 4, false));
  EXPECT_EQ(run(1, 13, false), run(3, 4, true));
}

TEST(Backend, RandomStreamsAreStandardNormalAndIndependentOfThreads) {
  CpuBackend<double> one(1), three(3);
  const Matrix<double> a(one, 1, 100001), b(three, 1, 100001);
  one.normals(Stream{1, Purpose::sampling, 2}, a);
  three.normals(Stream{1, Purpose::sampling, 2}, b);
  EXPECT_EQ(a.to_host(), b.to_host());
  double sum = 0, square = 0, fourth = 0;
  for (const double v : a.to_host()) {
    sum += v;
    square += v * v;
    fourth += v * v * v * v;
  }
  EXPECT_NEAR(sum / 100001, 0, 0.015);
  EXPECT_NEAR(square / 100001, 1, 0.02);
  EXPECT_NEAR(fourth / 100001, 3, 0.15);
}

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

TEST(Relu, WhatIsDroppedDependsOnTheStream) {
  const auto run = [](const Stream& stream) {
    CpuBackend<double> backend(1);
    const Matrix<double> x(backend, 30, 37, std::vector<double>(30 * 37, 1.0));
    backend.relu(0.4, stream, x);
    return x.to_host();
  };
  const auto one = run({5, Purpose::dropout, 7});
  EXPECT_NE(one, run({5, Purpose::dropout, 8}));
  EXPECT_NE(one, run({6, Purpose::dropout, 7}));
}

}  // namespace
}  // namespace gdkm
