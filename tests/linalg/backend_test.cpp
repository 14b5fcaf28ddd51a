#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/spmm.hpp"

namespace gdkm {
namespace {

/// Random entries; every case has its own seed.
template <class T>
std::vector<T> numbers(Index count, std::uint64_t seed) {
  Random random(Stream{seed, Purpose::initial, 0});
  std::vector<T> out;
  for (Index k = 0; k < count; ++k) out.push_back(static_cast<T>(random.normal()));
  return out;
}

template <class T>
double at(const std::vector<T>& a, Op op, Index rows, Index cols, Index r, Index c) {
  return op == Op::none ? a[r * cols + c] : a[c * rows + r];
}

TEST(Backend, GemmAgreesWithTheDefinitionForEveryWayOfSharingWork) {
  // Rows shared, columns shared, the inner sum shared, and too small to share.
  const Index sizes[][3] = {{700, 40, 33}, {40, 700, 33}, {35, 30, 3000},
                            {5, 3, 4},     {1, 1, 1},     {300, 1, 300}};
  for (const int threads : {1, 2, 3}) {
    CpuBackend<double> backend(threads);
    for (const auto& [m, n, k] : sizes) {
      for (const Op op_a : {Op::none, Op::transpose}) {
        for (const Op op_b : {Op::none, Op::transpose}) {
          const auto a = numbers<double>(m * k, 1), b = numbers<double>(k * n, 2),
                     c = numbers<double>(m * n, 3);
          const Matrix<double> ma(backend, op_a == Op::none ? m : k, op_a == Op::none ? k : m, a);
          const Matrix<double> mb(backend, op_b == Op::none ? k : n, op_b == Op::none ? n : k, b);
          const Matrix<double> mc(backend, m, n, c);
          backend.gemm(2.0, op_a, ma, op_b, mb, 0.5, mc);
          const auto got = mc.to_host();
          for (Index r = 0; r < m; r += 7) {
            for (Index j = 0; j < n; j += 5) {
              double sum = 0.5 * c[r * n + j];
              for (Index i = 0; i < k; ++i) sum += 2.0 * at(a, op_a, m, k, r, i) * at(b, op_b, k, n, i, j);
              ASSERT_NEAR(got[r * n + j], sum, 1e-10 * static_cast<double>(k + 10));
            }
          }
        }
      }
    }
  }
}

TEST(Backend, ProductsWithTriangularMatricesAgreeWithGemm) {
  for (const int threads : {1, 2, 3}) {
    CpuBackend<double> backend(threads);
    for (const auto& [n, m] : {std::pair<Index, Index>{900, 130}, {7, 5}, {1, 1}, {64, 65}}) {
      const Matrix<double> a(backend, n, m, numbers<double>(n * m, 51)),
          b(backend, n, m, numbers<double>(n * m, 52));
      const Matrix<double> l(backend, m, m, numbers<double>(m * m, 53));
      backend.keep_lower(l, 1.0);
      const auto expect_same = [&](const Matrix<double>& got, const Matrix<double>& want, bool lower) {
        const auto g = got.to_host(), w = want.to_host();
        for (Index r = 0; r < got.rows(); ++r) {
          for (Index c = 0; c < (lower ? r + 1 : got.cols()); ++c) {
            ASSERT_NEAR(g[r * got.cols() + c], w[r * got.cols() + c], 1e-11 * static_cast<double>(n + m));
          }
        }
      };
      const Matrix<double> got(backend, n, m), want(backend, n, m);
      for (const Op op : {Op::none, Op::transpose}) {
        backend.times_lower(a, op, l, got);
        backend.gemm(1, Op::none, a, op, l, 0, want);
        expect_same(got, want, false);
      }
      const Matrix<double> square(backend, m, m, numbers<double>(m * m, 54)),
          copy(backend, m, m, square.to_host());
      backend.lower_product(a, b, 0.5, square);
      backend.gemm(1, Op::transpose, a, Op::none, b, 0.5, copy);
      expect_same(square, copy, true);
      const Matrix<double> gram(backend, n, n), gram_by_gemm(backend, n, n);
      backend.gram(a, gram);
      backend.gemm(1, Op::none, a, Op::transpose, a, 0, gram_by_gemm);
      expect_same(gram, gram_by_gemm, false);
    }
  }
}

TEST(Backend, PartsOfProductsAgreeWithGemmOnAnyNumberOfThreads) {
  const Index m = 203;
  for (const int threads : {1, 2, 3}) {
    CpuBackend<double> backend(threads);
    const Matrix<double> l(backend, m, m, numbers<double>(m * m, 61)),
        b(backend, m, m, numbers<double>(m * m, 62));
    backend.keep_lower(l, 1.0);
    for (const Region wanted : {Region::all, Region::lower, Region::upper}) {
      for (const Op op : {Op::none, Op::transpose}) {
        const Matrix<double> got(backend, m, m, numbers<double>(m * m, 63)),
            want(backend, m, m, got.to_host());
        const Factor<double> left{op, l.view(), op == Op::none ? Region::lower : Region::upper};
        const Factor<double> right{Op::none, l.view(), Region::lower};
        backend.gemm_part(2.0, left, right, 0.5, got, wanted);
        backend.gemm_part(-1.0, {Op::none, b.view()}, left, 1.0, got, wanted);
        backend.gemm(2.0, op, l, Op::none, l, 0.5, want);
        backend.gemm(-1.0, Op::none, b, op, l, 1.0, want);
        const auto g = got.to_host(), w = want.to_host();
        for (Index r = 0; r < m; ++r) {
          for (Index c = 0; c < m; ++c) {
            if (wanted == Region::all || (wanted == Region::lower ? c <= r : c >= r)) {
              ASSERT_NEAR(g[r * m + c], w[r * m + c], 1e-11);
            }
          }
        }
      }
    }
  }
}

TEST(Backend, InversesOfFactorsOfAnySizeAreInverses) {
  for (const int threads : {1, 3}) {
    CpuBackend<double> backend(threads);
    for (const Index m : {1, 48, 49, 130, 257}) {
      const Matrix<double> f(backend, m, m + 9, numbers<double>(m * (m + 9), 71));
      const Matrix<double> k(backend, m, m), h(backend, m, m),
          inverse(backend, m, m, numbers<double>(m * m, 72)), product(backend, m, m), used(backend, 1, 1);
      backend.gram(f, k);
      backend.cholesky(k, 1e-6, h, inverse, used);
      backend.gemm(1, Op::none, inverse, Op::none, h, 0, product);
      const auto p = product.to_host(), i = inverse.to_host();
      for (Index r = 0; r < m; ++r) {
        for (Index c = 0; c < m; ++c) {
          ASSERT_NEAR(p[r * m + c], r == c ? 1.0 : 0.0, 1e-9);
          if (c > r) {
            ASSERT_EQ(i[r * m + c], 0.0);
          }
        }
      }
    }
  }
}

/// A product with `count` random entries in the first `used` rows.
void expect_spmm(Index rows, Index used, Index cols, int count) {
  const Index width = 70;
  Random random(Stream{5, Purpose::initial, 0});
  std::vector<Triplet> entries;
  for (int k = 0; k < count; ++k) {
    const auto r = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(used)));
    entries.push_back(
        {r, static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(cols))), random.normal()});
  }
  const Csr a = csr_from_triplets(rows, cols, entries);
  for (const int threads : {1, 2, 3}) {
    CpuBackend<double> backend(threads);
    const Sparse<double> sparse(backend, a);
    for (const Op op : {Op::none, Op::transpose}) {
      const Index from = op == Op::none ? cols : rows, to = op == Op::none ? rows : cols;
      const auto b = numbers<double>(from * width, 7), c = numbers<double>(to * width, 8);
      const Matrix<double> mb(backend, from, width, b), mc(backend, to, width, c);
      backend.spmm(1.5, op, sparse, mb, -1.0, mc);
      std::vector<double> want(c.size());
      for (std::size_t k = 0; k < c.size(); ++k) want[k] = -c[k];
      for (Index r = 0; r < rows; ++r) {
        for (Index e = a.row_start[r]; e < a.row_start[r + 1]; ++e) {
          const Index i = op == Op::none ? r : a.col[e], j = op == Op::none ? a.col[e] : r;
          for (Index w = 0; w < width; ++w) want[i * width + w] += 1.5 * a.value[e] * b[j * width + w];
        }
      }
      const auto got = mc.to_host();
      for (std::size_t k = 0; k < want.size(); ++k) ASSERT_NEAR(got[k], want[k], 1e-12);
    }
  }
}

TEST(Backend, SpmmHandlesEmptyRowsAndTransposes) {
  expect_spmm(301, 100, 57, 900);
}

TEST(Backend, SpmmGoesThroughManyRowsOfBByBlocks) {
  ASSERT_GT(detail::sparse_block(40, 30000, 4000), 0);
  expect_spmm(40, 30, 30000, 4000);
}

template <class T>
class Factorisations : public ::testing::Test {
 protected:
  CpuBackend<T> backend{2};

  /// ‖H Hᵀ − (K + jitter·mean·I)‖ relative to ‖K‖, by largest entry.
  double error(const std::vector<T>& k, const Matrix<T>& h, Index m, double jitter) {
    double mean = 0, largest = 0, worst = 0;
    for (Index j = 0; j < m; ++j) mean += static_cast<double>(k[j * m + j]) / static_cast<double>(m);
    const auto host = h.to_host();
    for (Index r = 0; r < m; ++r) {
      for (Index c = 0; c < m; ++c) {
        double sum = 0;
        for (Index j = 0; j < m; ++j) sum += static_cast<double>(host[r * m + j]) * host[c * m + j];
        const double want = k[r * m + c] + (r == c ? jitter * mean : 0);
        largest = std::max(largest, std::fabs(want));
        worst = std::max(worst, std::fabs(sum - want));
      }
      for (Index c = r + 1; c < m; ++c) EXPECT_EQ(host[r * m + c], T(0)) << "above the diagonal";
      EXPECT_GT(host[r * m + r], T(0));
    }
    return worst / largest;
  }
  std::vector<T> gram(const std::vector<T>& f, Index m, Index w) {
    const Matrix<T> features(backend, m, w, f), g(backend, m, m);
    backend.gemm(T(1), Op::none, features, Op::transpose, features, T(0), g);
    return g.to_host();
  }
};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Factorisations, Scalars);

TYPED_TEST(Factorisations, CholeskyTakesNoMoreJitterThanAskedForWhereItNeedsNone) {
  const Index m = 30;
  const auto k = this->gram(numbers<TypeParam>(m * 60, 11), m, 60);
  const Matrix<TypeParam> matrix(this->backend, m, m, k), h(this->backend, m, m),
      inverse(this->backend, m, m), used(this->backend, 1, 1);
  this->backend.cholesky(matrix, TypeParam(0), h, inverse, used);
  EXPECT_EQ(used.to_host()[0], TypeParam(0));
  EXPECT_LT(this->error(k, h, m, 0), 100 * std::numeric_limits<TypeParam>::epsilon());
}

TYPED_TEST(Factorisations, CholeskyComesWithTheInverseOfItsFactor) {
  const Index m = 45, w = 70;
  const auto f = numbers<TypeParam>(m * w, 14);
  const Matrix<TypeParam> features(this->backend, m, w, f), k(this->backend, m, m, this->gram(f, m, w)),
      h(this->backend, m, m), inverse(this->backend, m, m), product(this->backend, m, m),
      used(this->backend, 1, 1);
  for (const bool of_gram : {false, true}) {
    this->backend.fill(inverse, TypeParam(7));
    if (of_gram) {
      this->backend.cholesky_of_gram(features, TypeParam(0), h, inverse, used);
    } else {
      this->backend.cholesky(k, TypeParam(0), h, inverse, used);
    }
    this->backend.gemm(TypeParam(1), Op::none, h, Op::none, inverse, TypeParam(0), product);
    const auto got = product.to_host(), host = inverse.to_host();
    for (Index r = 0; r < m; ++r) {
      for (Index c = 0; c < m; ++c) {
        ASSERT_NEAR(got[r * m + c], r == c ? 1 : 0, 1000 * std::numeric_limits<TypeParam>::epsilon());
        if (c > r) {
          ASSERT_EQ(host[r * m + c], TypeParam(0)) << "above the diagonal";
        }
      }
    }
  }
}

TYPED_TEST(Factorisations, CholeskyOfASingularMatrixRaisesJitterAndSaysHowFar) {
  const Index m = 40;
  const auto k = this->gram(numbers<TypeParam>(m * 3, 12), m, 3);  // rank 3
  const Matrix<TypeParam> matrix(this->backend, m, m, k), h(this->backend, m, m),
      inverse(this->backend, m, m), used(this->backend, 1, 1);
  this->backend.cholesky(matrix, TypeParam(0), h, inverse, used);
  const double jitter = used.to_host()[0];
  EXPECT_GT(jitter, 0);
  EXPECT_LE(jitter, 1e-3);
  EXPECT_LT(this->error(k, h, m, jitter), 100 * std::numeric_limits<TypeParam>::epsilon());
}

TYPED_TEST(Factorisations, CholeskyReportsAnIndefiniteMatrixAndANaNInsteadOfThrowing) {
  const Matrix<TypeParam> h(this->backend, 2, 2), inverse(this->backend, 2, 2), used(this->backend, 1, 1);
  const Matrix<TypeParam> indefinite(this->backend, 2, 2, std::vector<TypeParam>{1, 5, 5, 1});
  this->backend.cholesky(indefinite, TypeParam(1e-5), h, inverse, used);
  EXPECT_TRUE(std::isinf(used.to_host()[0]));
  EXPECT_EQ(h.to_host(), (std::vector<TypeParam>{1, 0, 0, 1}));
  EXPECT_EQ(inverse.to_host(), (std::vector<TypeParam>{1, 0, 0, 1}));
  const Matrix<TypeParam> lost(this->backend, 2, 2, std::vector<TypeParam>{1, 0, 0, NAN});
  this->backend.cholesky(lost, TypeParam(1e-5), h, inverse, used);
  EXPECT_TRUE(std::isnan(used.to_host()[0]));
}

TYPED_TEST(Factorisations, CholeskyOfGramKeepsSmallDirectionsThatSquaringLoses) {
  // Two nearly parallel rows: in K = F Fᵀ their difference is below rounding, in F it is not.
  const TypeParam small = std::sqrt(std::numeric_limits<TypeParam>::epsilon()) / 8;
  const std::vector<TypeParam> f{1, 0, 0, 1, small, 0};
  const Matrix<TypeParam> features(this->backend, 2, 3, f), h(this->backend, 2, 2),
      inverse(this->backend, 2, 2), used(this->backend, 1, 1);
  this->backend.cholesky_of_gram(features, TypeParam(0), h, inverse, used);
  EXPECT_EQ(used.to_host()[0], TypeParam(0));
  EXPECT_NEAR(h.to_host()[3] / small, 1.0, 1e-3);
}

TYPED_TEST(Factorisations, CholeskyOfGramAgreesWithCholeskyAndSurvivesDuplicateRows) {
  const Index m = 20, w = 33;
  auto f = numbers<TypeParam>(m * w, 13);
  std::copy_n(f.begin(), w, f.begin() + w);  // rows 0 and 1 are the same
  const auto k = this->gram(f, m, w);
  const Matrix<TypeParam> features(this->backend, m, w, f), h(this->backend, m, m),
      inverse(this->backend, m, m), used(this->backend, 1, 1);
  this->backend.cholesky_of_gram(features, TypeParam(1e-5), h, inverse, used);
  EXPECT_EQ(used.to_host()[0], TypeParam(1e-5));
  EXPECT_LT(this->error(k, h, m, 1e-5), 100 * std::numeric_limits<TypeParam>::epsilon());
}

TEST(Backend, AdamFollowsItsDefinition) {
  CpuBackend<double> backend(2);
  const Index size = 40000;
  const auto start = numbers<double>(size, 21);
  const Matrix<double> parameter(backend, 1, size, start), first(backend, 1, size), second(backend, 1, size);
  double m = 0, v = 0, x = start[39999];
  for (int t = 1; t <= 3; ++t) {
    const auto g = numbers<double>(size, 30 + t);
    AdamStep step{.rate = 0.1};
    step.count = t;
    backend.adam(step, Matrix<double>(backend, 1, size, g), first, second, parameter);
    m = 0.9 * m + 0.1 * g[39999];
    v = 0.999 * v + 0.001 * g[39999] * g[39999];
    x -= 0.1 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
  EXPECT_NEAR(parameter.to_host()[39999], x, 1e-12);
}

TEST(Backend, NoiseOfALabelledRowDoesNotDependOnHowRowsAreCut) {
  const Index rows = 13, classes = 3, samples = 5;
  const std::vector<std::int32_t> label{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
  const Stream stream{7, Purpose::sampling, 3};
  const auto mean = numbers<double>(rows * classes, 41);
  const std::vector<double> deviation(rows, 0.7);
  const auto run = [&](int threads, Index cut) {
    CpuBackend<double> backend(threads);
    const Matrix<double> m(backend, rows, classes, mean), d(backend, 1, rows, deviation),
        value(backend, 1, 1);
    const Matrix<double> m_bar(backend, rows, classes), d_bar(backend, 1, rows);
    for (const auto& [begin, count] : {std::pair<Index, Index>{0, cut}, {cut, rows - cut}}) {
      backend.node_log_likelihood(m.view().block_rows(begin, count), d.view().block_cols(begin, count),
                                  label.data() + begin, begin, samples, stream, 1.0, value,
                                  m_bar.view().block_rows(begin, count),
                                  d_bar.view().block_cols(begin, count));
    }
    auto out = m_bar.to_host();
    const auto more = d_bar.to_host();
    out.insert(out.end(), more.begin(), more.end());
    return out;
  };
  EXPECT_EQ(run(1, 13), run(3, 4));
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

TEST(Random, PhiloxAgreesWithThePublishedTestVectors) {
  // Salmon et al.'s known-answer tests: all-zero and all-one counters and keys.
  const Random4 zero = random_block(Stream{0, static_cast<Purpose>(0), 0}, 0);
  EXPECT_EQ(zero.v[0], 0x6627e8d5u);
  EXPECT_EQ(zero.v[1], 0xe169c58du);
  EXPECT_EQ(zero.v[2], 0xbc57ac4cu);
  EXPECT_EQ(zero.v[3], 0x9b00dbd8u);
  const Random4 ones = random_block(Stream{~std::uint64_t{0}, static_cast<Purpose>(0xffffffffu), 0xffffffffu},
                                    ~std::uint64_t{0});
  EXPECT_EQ(ones.v[0], 0x408f276du);
  EXPECT_EQ(ones.v[1], 0x41c83b0eu);
  EXPECT_EQ(ones.v[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.v[3], 0x6d5451fdu);
}

}  // namespace
}  // namespace gdkm
