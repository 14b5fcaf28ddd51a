#pragma once

#include "tests/linalg/placed.hpp"

// Tests of the two factorisations that any backend has to pass. A program instantiates them for its devices:
//
//     struct Cpu {
//       using Scalar = double;
//       static constexpr double gram_roundings = 100;  // by which H Hᵀ may be off in cholesky_of_gram
//       static Backend<double>* backend();             // null: the tests are skipped
//     };
//     INSTANTIATE_TYPED_TEST_SUITE_P(OnCpu, Cholesky, ::testing::Types<Cpu>);

namespace gdkm::testing {

template <class Where>
class Cholesky : public ::testing::Test {
 protected:
  using T = typename Where::Scalar;
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  struct Factors {
    std::vector<double> h, inverse;
    double used;
  };

  void SetUp() override {
    backend_ = Where::backend();
    if (backend_ == nullptr) GTEST_SKIP() << "the device is not here";
  }
  Factors factorise(Index m, const std::vector<double>& k, double jitter, Index pad = 0) {
    const Placed<T> placed(*backend_, m, m, k, pad), h(*backend_, m, m, pad), inverse(*backend_, m, m, pad),
        used(*backend_, 1, 1);
    backend_->cholesky(placed, static_cast<T>(jitter), h, inverse, used);
    return {h.to_host("H"), inverse.to_host("the inverse"), used.to_host("used")[0]};
  }
  Factors factorise_gram(Index m, Index d, const std::vector<double>& f, double jitter, Index pad = 0) {
    const Placed<T> placed(*backend_, m, d, f, pad), h(*backend_, m, m, pad), inverse(*backend_, m, m, pad),
        used(*backend_, 1, 1);
    backend_->cholesky_of_gram(placed, static_cast<T>(jitter), h, inverse, used);
    return {h.to_host("H"), inverse.to_host("the inverse"), used.to_host("used")[0]};
  }
  /// op(A) is m×k, B or Bᵀ k×n.
  static std::vector<double> product(const std::vector<double>& a, Index m, Index k, Op op_b,
                                     const std::vector<double>& b, Index n) {
    std::vector<double> out(static_cast<std::size_t>(m * n), 0.0);
    for (Index r = 0; r < m; ++r) {
      for (Index j = 0; op_b == Op::transpose && j < n; ++j) {
        double sum = 0;
        for (Index c = 0; c < k; ++c) sum += a[r * k + c] * b[j * k + c];
        out[r * n + j] = sum;
      }
      for (Index c = 0; op_b == Op::none && c < k; ++c) {
        for (Index j = 0; j < n; ++j) out[r * n + j] += a[r * k + c] * b[c * n + j];
      }
    }
    return out;
  }
  static std::vector<double> identity(Index m, double value = 1) {
    std::vector<double> out(static_cast<std::size_t>(m * m), 0.0);
    for (Index r = 0; r < m; ++r) out[r * m + r] = value;
    return out;
  }
  /// H Hᵀ = K + used · mean diagonal, H H⁻¹ = I, zeros above both diagonals.
  void check(const std::string& what, Index m, std::vector<double> k, const Factors& got,
             double product_error, double inverse_error) {
    double mean = 0;
    for (Index r = 0; r < m; ++r) mean += k[r * m + r] / static_cast<double>(m);
    for (Index r = 0; r < m; ++r) k[r * m + r] += got.used * (mean > 0 ? mean : 1);
    expect_close(what + ": H H'", m, m, k, product(got.h, m, m, Op::transpose, got.h, m), product_error);
    expect_close(what + ": H times its inverse", m, m, identity(m),
                 product(got.h, m, m, Op::none, got.inverse, m), inverse_error);
    for (Index r = 0; r < m; ++r) {
      ASSERT_GT(got.h[r * m + r], 0) << what;
      for (Index c = r + 1; c < m; ++c) {
        ASSERT_EQ(got.h[r * m + c], 0) << what << ": H above its diagonal at " << r << ", " << c;
        ASSERT_EQ(got.inverse[r * m + c], 0) << what << ": inverse above its diagonal at " << r << ", " << c;
      }
    }
  }
  /// A Gram matrix of m points with d normal features each, as T holds it.
  static std::vector<double> random_gram(Index m, Index d, std::uint64_t seed) {
    const auto f = numbers<T>(m * d, seed, 1 / std::sqrt(static_cast<double>(d)));
    auto k = product(f, m, d, Op::transpose, f, m);
    for (double& x : k) x = static_cast<T>(x);
    return k;
  }
  /// Orthonormal rows times singular values from 1 down to 1/condition, times orthonormal columns.
  static std::vector<double> with_condition(Index m, Index d, double condition) {
    const auto orthonormal = [](Index rows, Index cols, std::uint64_t seed) {
      auto q = numbers<double>(rows * cols, seed);
      for (int twice = 0; twice < 2; ++twice) {
        for (Index r = 0; r < rows; ++r) {
          for (Index o = 0; o <= r; ++o) {
            double dot = 0;
            for (Index c = 0; c < cols; ++c) dot += q[r * cols + c] * q[o * cols + c];
            for (Index c = 0; c < cols; ++c) {
              if (o < r) q[r * cols + c] -= dot * q[o * cols + c];
              if (o == r) q[r * cols + c] /= std::sqrt(dot);
            }
          }
        }
      }
      return q;
    };
    auto right = orthonormal(m, d, 31);
    for (Index r = 0; r < m; ++r) {
      const double s = std::pow(condition, -static_cast<double>(r) / static_cast<double>(m - 1));
      for (Index c = 0; c < d; ++c) right[r * d + c] *= s;
    }
    auto out = product(orthonormal(m, m, 32), m, m, Op::none, right, d);
    for (double& x : out) x = static_cast<T>(x);
    return out;
  }

 private:
  Backend<T>* backend_ = nullptr;
};
TYPED_TEST_SUITE_P(Cholesky);

TYPED_TEST_P(Cholesky, TakesNoMoreJitterThanAskedForWhereItNeedsNone) {
  for (const double jitter : {0.0, 1e-5}) {
    const auto k = this->random_gram(30, 60, 11);
    const auto got = this->factorise(30, k, jitter);
    EXPECT_EQ(got.used, static_cast<double>(static_cast<typename TypeParam::Scalar>(jitter)));
    this->check("cholesky", 30, k, got, 100 * this->epsilon, 1000 * this->epsilon);
  }
}

TYPED_TEST_P(Cholesky, RaisesJitterUntilASingularMatrixCanBeFactorised) {
  for (const auto& [m, rank] : {std::pair<Index, Index>{2, 1}, {40, 3}, {40, 20}, {200, 100}, {400, 200}}) {
    const auto k = this->random_gram(m, rank, 50);
    const auto got = this->factorise(m, k, 0);
    const std::string what = "cholesky of rank " + std::to_string(rank) + ", m = " + std::to_string(m);
    EXPECT_GE(got.used, 0) << what;
    EXPECT_LE(got.used, 1e6 * this->epsilon) << what;
    // The error of H⁻¹ grows with the condition number, about 1 / the square root of the jitter for H.
    this->check(what, m, k, got, 200 * this->epsilon, 1e-2);
  }
  EXPECT_GT(this->factorise(40, this->random_gram(40, 3, 12), 0).used, 0) << "rank 3 of 40 needs jitter";
  // All rows equal, and zero: the mean diagonal stands for the scale, and 1 for a mean of zero.
  for (const double value : {4.0, 0.0}) {
    const std::vector<double> k(70 * 70, value);
    const auto got = this->factorise(70, k, 1e-2);
    this->check("cholesky of equal rows", 70, k, got, 1e3 * this->epsilon, 1e-3);
  }
}

TYPED_TEST_P(Cholesky, SaysWhenItFailsAndLeavesIdentities) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto expect_identities = [&](Index m, const auto& got) {
    expect_close("H after a failure", m, m, this->identity(m), got.h, 0);
    expect_close("the inverse after a failure", m, m, this->identity(m), got.inverse, 0);
  };
  for (const Index m : {1, 33, 200, 700}) {
    const auto refused = this->factorise(m, this->identity(m, -1), 1e-5);
    EXPECT_EQ(refused.used, infinity) << "negative definite, m = " << m;
    expect_identities(m, refused);
    for (const double bad : {std::nan(""), infinity}) {
      auto broken = this->identity(m);
      broken[(m - 1) * m + m / 2] = broken[m / 2 * m + m - 1] = bad;
      const auto unknown = this->factorise(m, broken, 1e-5, 1);
      EXPECT_TRUE(std::isnan(unknown.used)) << "entry " << bad << ", m = " << m << ": used " << unknown.used;
      expect_identities(m, unknown);
    }
  }
  const auto indefinite = this->factorise(2, {1, 5, 5, 1}, 1e-5);
  EXPECT_EQ(indefinite.used, infinity);
  expect_identities(2, indefinite);
}

TYPED_TEST_P(Cholesky, FindsOneBadPivotInTheMiddle) {
  for (const Index bad : {0, 31, 32, 100, 199}) {
    auto k = this->identity(200);
    k[bad * 200 + bad] = -0.02;  // the mean diagonal is about 1: 0.1 of it helps, 0.01 does not
    const auto got = this->factorise(200, k, 1e-4);
    EXPECT_NEAR(got.used, 0.1, 1e-6) << "pivot " << bad;
    this->check("cholesky with one negative pivot", 200, k, got, 1e-5, 1e-5);
  }
}

TYPED_TEST_P(Cholesky, OfGramAgreesWithTheProductItself) {
  using T = typename TypeParam::Scalar;
  for (const auto& [m, d] :
       {std::pair<Index, Index>{1, 1}, {7, 3}, {32, 33}, {33, 100}, {200, 1433}, {400, 450}, {400, 200}}) {
    const auto f = numbers<T>(m * d, 60, 1 / std::sqrt(static_cast<double>(d)));
    const auto got = this->factorise_gram(m, d, f, 1e-3, m % 2 == 0 ? 0 : 3);
    const std::string what = "cholesky_of_gram " + std::to_string(m) + "x" + std::to_string(d);
    EXPECT_EQ(got.used, static_cast<double>(static_cast<T>(1e-3))) << what;
    this->check(what, m, this->product(f, m, d, Op::transpose, f, m), got,
                TypeParam::gram_roundings * this->epsilon, 1e4 * this->epsilon);
  }
}

TYPED_TEST_P(Cholesky, OfGramDoesNotSquareTheConditionNumber) {
  using T = typename TypeParam::Scalar;
  const double condition = std::is_same_v<T, float> ? 1e5 : 1e12;
  for (const auto& [m, d] : {std::pair<Index, Index>{60, 80}, {130, 200}}) {
    const auto f = this->with_condition(m, d, condition);
    const auto got = this->factorise_gram(m, d, f, 0);
    EXPECT_EQ(got.used, 0) << "F has full rank, no jitter is needed";
    // H⁻¹F has orthonormal rows, as exactly as numbers of this precision can say it: rounding · condition.
    const auto q = this->product(got.inverse, m, m, Op::none, f, d);
    expect_close("H^-1 F has orthonormal rows", m, m, this->identity(m),
                 this->product(q, m, d, Op::transpose, q, m), 20 * this->epsilon * condition);
  }
  // Two nearly parallel rows: in K = F Fᵀ their difference is below rounding, in F it is not.
  const double small = std::sqrt(this->epsilon) / 8;
  const auto got = this->factorise_gram(2, 3, {1, 0, 0, 1, small, 0}, 0);
  EXPECT_EQ(got.used, 0);
  EXPECT_NEAR(got.h[3] / small, 1.0, 1e-3);
}

TYPED_TEST_P(Cholesky, OfGramRaisesJitterWhereRowsRepeat) {
  const Index m = 90, d = 40;
  auto f = numbers<typename TypeParam::Scalar>(m * d, 61);
  std::copy_n(f.begin() + 10 * d, d, f.begin() + 50 * d);
  const auto k = this->product(f, m, d, Op::transpose, f, m);
  const auto got = this->factorise_gram(m, d, f, 0);
  EXPECT_GT(got.used, 0);
  EXPECT_LE(got.used, 1e5 * this->epsilon);
  this->check("cholesky_of_gram of repeated rows", m, k, got, 100 * this->epsilon, 1e-2);
  f[3] = std::nan("");
  const auto broken = this->factorise_gram(m, d, f, 1e-5);
  EXPECT_TRUE(std::isnan(broken.used)) << broken.used;
  expect_close("H of a broken Gram matrix", m, m, this->identity(m), broken.h, 0);
}

TYPED_TEST_P(Cholesky, IsTheSameBitForBitInEveryRun) {
  const auto k = this->random_gram(200, 300, 70);
  const auto first = this->factorise(200, k, 1e-5);
  for (int run = 0; run < 20; ++run) {
    const auto again = this->factorise(200, k, 1e-5);
    ASSERT_EQ(first.h, again.h) << "run " << run;
    ASSERT_EQ(first.inverse, again.inverse) << "run " << run;
  }
}

REGISTER_TYPED_TEST_SUITE_P(Cholesky, TakesNoMoreJitterThanAskedForWhereItNeedsNone,
                            RaisesJitterUntilASingularMatrixCanBeFactorised,
                            SaysWhenItFailsAndLeavesIdentities, FindsOneBadPivotInTheMiddle,
                            OfGramAgreesWithTheProductItself, OfGramDoesNotSquareTheConditionNumber,
                            OfGramRaisesJitterWhereRowsRepeat, IsTheSameBitForBitInEveryRun);

}  // namespace gdkm::testing
