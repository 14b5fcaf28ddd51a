#include "gdkm/linalg/jitter.hpp"
#include "tests/cuda/cuda_test.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaCholesky : public CudaTest<T> {
 protected:
  struct Factors {
    std::vector<double> h, inverse;
    double used;
  };
  Factors factorise(Index m, const std::vector<double>& k, double jitter, Index pad = 0) {
    Backend<T>& gpu = this->gpu();
    const Placed<T> gk(gpu, m, m, k, pad), h(gpu, m, m, pad), inverse(gpu, m, m, pad), used(gpu, 1, 1);
    gpu.cholesky(gk, static_cast<T>(jitter), h, inverse, used);
    return {h.to_host("H"), inverse.to_host("the inverse"), used.to_host("used")[0]};
  }
  Factors factorise_gram(Index m, Index d, const std::vector<double>& f, double jitter, Index pad = 0) {
    Backend<T>& gpu = this->gpu();
    const Placed<T> gf(gpu, m, d, f, pad), h(gpu, m, m, pad), inverse(gpu, m, m, pad), used(gpu, 1, 1);
    gpu.cholesky_of_gram(gf, static_cast<T>(jitter), h, inverse, used);
    return {h.to_host("H"), inverse.to_host("the inverse"), used.to_host("used")[0]};
  }
  std::vector<double> product(Op op_a, const std::vector<double>& a, Index m, Index k, Op op_b,
                              const std::vector<double>& b, Index n) {
    const Placed<double> ma(this->cpu(), op_a == Op::none ? m : k, op_a == Op::none ? k : m, a),
        mb(this->cpu(), op_b == Op::none ? k : n, op_b == Op::none ? n : k, b), mc(this->cpu(), m, n);
    this->cpu().gemm(1, op_a, ma, op_b, mb, 0, mc);
    return mc.to_host();
  }
  static std::vector<double> identity(Index m) {
    std::vector<double> out(static_cast<std::size_t>(m * m), 0.0);
    for (Index r = 0; r < m; ++r) out[r * m + r] = 1;
    return out;
  }
  /// H Hᵀ = K + used · mean diagonal, H H⁻¹ = I, zeros above both diagonals.
  void check(const std::string& what, Index m, std::vector<double> k, const Factors& got,
             double product_error, double inverse_error) {
    double mean = 0;
    for (Index r = 0; r < m; ++r) mean += k[r * m + r] / static_cast<double>(m);
    for (Index r = 0; r < m; ++r) k[r * m + r] += got.used * (mean > 0 ? mean : 1);
    expect_close(what + ": H H'", m, m, k, product(Op::none, got.h, m, m, Op::transpose, got.h, m),
                 product_error);
    expect_close(what + ": H times its inverse", m, m, identity(m),
                 product(Op::none, got.h, m, m, Op::none, got.inverse, m), inverse_error);
    for (Index r = 0; r < m; ++r) {
      for (Index c = r + 1; c < m; ++c) {
        ASSERT_EQ(got.h[r * m + c], 0) << what << ": H above its diagonal at (" << r << ", " << c << ")";
        ASSERT_EQ(got.inverse[r * m + c], 0)
            << what << ": the inverse above its diagonal at (" << r << ", " << c << ")";
      }
    }
  }
  /// A Gram matrix of m points with d normal features each, as T holds it.
  std::vector<double> random_gram(Index m, Index d, std::uint64_t seed) {
    const auto f = numbers<T>(m * d, seed, 1 / std::sqrt(static_cast<double>(d)));
    auto k = product(Op::none, f, m, d, Op::transpose, f, m);
    for (double& x : k) x = static_cast<T>(x);
    return k;
  }
  /// Orthonormal rows times singular values from 1 down to 1/condition, times orthonormal columns.
  std::vector<double> with_condition(Index m, Index d, double condition) {
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
    auto out = product(Op::none, orthonormal(m, m, 32), m, m, Op::none, right, d);
    for (double& x : out) x = static_cast<T>(x);
    return out;
  }
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();
};
TYPED_TEST_SUITE(CudaCholesky, Precisions, PrecisionNames);

TYPED_TEST(CudaCholesky, FactorsAgreeWithTheCpuAtEverySize) {
  using T = TypeParam;
  // 640 is the last size for one cluster; the whole GPU shares larger ones.
  for (const Index m : {1, 2, 7, 31, 32, 33, 64, 65, 200, 257, 400, 512, 513, 640, 641, 1100}) {
    if (too_large(m, m)) continue;
    const Index pad = m % 2 == 0 ? 0 : 3;
    const auto k = this->random_gram(m, 2 * m + 5, 40 + static_cast<std::uint64_t>(m));
    const auto got = this->factorise(m, k, 1e-5, pad);
    EXPECT_EQ(got.used, static_cast<double>(static_cast<T>(1e-5))) << "cholesky, m = " << m;
    const Placed<double> ck(this->cpu(), m, m, k), h(this->cpu(), m, m), inverse(this->cpu(), m, m),
        used(this->cpu(), 1, 1);
    this->cpu().cholesky(ck, static_cast<double>(static_cast<T>(1e-5)), h, inverse, used);
    // These matrices have condition numbers below 50; errors are some roundings times that.
    const std::string what = "cholesky, m = " + std::to_string(m) + ", padding " + std::to_string(pad);
    expect_close(what + ": H", m, m, h.to_host(), got.h, tolerance<T>(1e-5));
    expect_close(what + ": the inverse", m, m, inverse.to_host(), got.inverse, tolerance<T>(1e-5));
    this->check(what, m, k, got, tolerance<T>(3e-6), tolerance<T>(1e-5));
  }
}

TYPED_TEST(CudaCholesky, JitterIsRaisedUntilASingularMatrixCanBeFactorised) {
  using T = TypeParam;
  for (const Index m : {2, 40, 200, 400}) {
    if (too_large(m, m)) continue;
    const auto k = this->random_gram(m, (m + 1) / 2, 50);
    const auto got = this->factorise(m, k, 0);
    const std::string what = "cholesky of a singular matrix, m = " + std::to_string(m);
    EXPECT_GE(got.used, 0) << what;
    EXPECT_LE(got.used, 1e6 * this->epsilon) << what;
    // What H⁻¹ is off by grows with the condition number, about 1 / the square root of the jitter for H.
    this->check(what, m, k, got, 200 * this->epsilon, 1e-2);
  }
  // All rows equal, and zero: the mean diagonal stands for the scale, and 1 for a mean of zero.
  const auto equal = this->factorise(70, std::vector<double>(70 * 70, 4.0), 1e-3);
  EXPECT_EQ(equal.used, static_cast<double>(static_cast<T>(1e-3)));
  this->check("cholesky of equal rows", 70, std::vector<double>(70 * 70, 4.0), equal, 1e3 * this->epsilon,
              1e-3);
  const auto zero = this->factorise(70, std::vector<double>(70 * 70, 0.0), 1e-2);
  this->check("cholesky of zero", 70, std::vector<double>(70 * 70, 0.0), zero, 1e3 * this->epsilon, 1e-5);
}

TYPED_TEST(CudaCholesky, SaysWhenItFailsAndLeavesIdentities) {
  for (const Index m : {1, 33, 200, 700}) {
    if (too_large(m, m)) continue;
    auto negative = this->identity(m);
    for (double& x : negative) x = -x;
    const auto refused = this->factorise(m, negative, 1e-5);
    EXPECT_EQ(refused.used, std::numeric_limits<double>::infinity()) << "negative definite, m = " << m;
    expect_close("H of a negative matrix", m, m, this->identity(m), refused.h, 0);
    expect_close("the inverse of a negative matrix", m, m, this->identity(m), refused.inverse, 0);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      auto broken = this->identity(m);
      broken[(m - 1) * m + m / 2] = bad;
      broken[m / 2 * m + m - 1] = bad;
      const auto unknown = this->factorise(m, broken, 1e-5, 1);
      EXPECT_TRUE(std::isnan(unknown.used)) << "entry " << bad << ", m = " << m << ": used " << unknown.used;
      expect_close("H of a broken matrix", m, m, this->identity(m), unknown.h, 0);
      expect_close("the inverse of a broken matrix", m, m, this->identity(m), unknown.inverse, 0);
    }
  }
}

TYPED_TEST(CudaCholesky, OneBadPivotInTheMiddleIsFound) {
  for (const Index bad : {0, 31, 32, 100, 199}) {
    auto k = this->identity(200);
    k[bad * 200 + bad] = -0.02;  // the mean diagonal is about 1: 0.1 of it helps, 0.01 does not
    const auto got = this->factorise(200, k, 1e-4);
    EXPECT_NEAR(got.used, 0.1, 1e-6) << "pivot " << bad;
    this->check("cholesky with one negative pivot", 200, k, got, 1e-5, 1e-5);
  }
}

TYPED_TEST(CudaCholesky, OfGramAgreesWithTheProductItself) {
  using T = TypeParam;
  for (const auto& [m, d] : {std::pair<Index, Index>{1, 1},
                             {7, 3},
                             {33, 100},
                             {32, 33},
                             {200, 1433},
                             {400, 450},
                             {400, 200},
                             {513, 700}}) {
    if (too_large(m, d)) continue;
    const Index pad = m % 2 == 0 ? 0 : 3;
    const auto f = numbers<T>(m * d, 60, 1 / std::sqrt(static_cast<double>(d)));
    const auto got = this->factorise_gram(m, d, f, 1e-3, pad);
    const std::string what =
        "cholesky_of_gram, " + std::to_string(m) + " points of " + std::to_string(d) + " columns";
    EXPECT_EQ(got.used, static_cast<double>(static_cast<T>(1e-3))) << what;
    this->check(what, m, this->product(Op::none, f, m, d, Op::transpose, f, m), got, 8 * this->epsilon,
                1e4 * this->epsilon);
  }
}

TYPED_TEST(CudaCholesky, OfGramDoesNotSquareTheConditionNumber) {
  using T = TypeParam;
  const double condition = std::is_same_v<T, float> ? 1e5 : 1e12;
  for (const auto& [m, d] : {std::pair<Index, Index>{60, 80}, {130, 200}}) {
    const auto f = this->with_condition(m, d, condition);
    const auto got = this->factorise_gram(m, d, f, 0);
    const std::string what = "cholesky_of_gram, condition " + std::to_string(condition);
    EXPECT_EQ(got.used, 0) << what << ": F has full rank, no jitter is needed";
    // H⁻¹F has orthonormal rows, as exactly as numbers of this precision can say it: rounding · condition.
    const auto q = this->product(Op::none, got.inverse, m, m, Op::none, f, d);
    expect_close(what + ": H^-1 F has orthonormal rows", m, m, this->identity(m),
                 this->product(Op::none, q, m, d, Op::transpose, q, m), 20 * this->epsilon * condition);
  }
}

TYPED_TEST(CudaCholesky, OfGramRaisesJitterWhereRowsRepeat) {
  const Index m = 90, d = 40;
  auto f = numbers<TypeParam>(m * d, 61);
  for (Index c = 0; c < d; ++c) f[50 * d + c] = f[10 * d + c];
  const auto got = this->factorise_gram(m, d, f, 0);
  EXPECT_GT(got.used, 0);
  EXPECT_LE(got.used, 1e5 * this->epsilon);
  this->check("cholesky_of_gram of repeated rows", m, this->product(Op::none, f, m, d, Op::transpose, f, m),
              got, 100 * this->epsilon, 1e-2);
  f[3] = std::numeric_limits<double>::quiet_NaN();
  const auto broken = this->factorise_gram(m, d, f, 1e-5);
  EXPECT_TRUE(std::isnan(broken.used)) << broken.used;
  expect_close("H of a broken Gram matrix", m, m, this->identity(m), broken.h, 0);
}

TYPED_TEST(CudaCholesky, IsTheSameBitForBitInEveryRun) {
  const Index m = sanitized() ? 100 : 400;
  const auto k = this->random_gram(m, 500, 70);
  const auto first = this->factorise(m, k, 1e-5);
  for (int run = 0; run < 20; ++run) {
    const auto again = this->factorise(m, k, 1e-5);
    ASSERT_EQ(first.h, again.h) << "run " << run;
    ASSERT_EQ(first.inverse, again.inverse) << "run " << run;
  }
}

}  // namespace
}  // namespace gdkm
