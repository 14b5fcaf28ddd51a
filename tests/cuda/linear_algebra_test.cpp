#include "tests/cuda/cuda_test.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaProducts : public CudaTest<T> {};
TYPED_TEST_SUITE(CudaProducts, Precisions, PrecisionNames);

std::string name(Op op) {
  return op == Op::none ? "" : "'";
}

/// Sums of k products of normal numbers are about √k, and so many roundings of them apart.
template <class T>
double sum_tolerance(Index terms) {
  return tolerance<T>(1e-7 * (8 + std::sqrt(static_cast<double>(terms))));
}

template <class T>
void check_gemm(Backend<T>& gpu, Backend<double>& cpu, Index m, Index n, Index k, Op op_a, Op op_b, T alpha,
                T beta, Index pad, double relative) {
  const Index a_rows = op_a == Op::none ? m : k, a_cols = op_a == Op::none ? k : m;
  const Index b_rows = op_b == Op::none ? k : n, b_cols = op_b == Op::none ? n : k;
  const auto a = numbers<T>(m * k, 1), b = numbers<T>(k * n, 2), c = numbers<T>(m * n, 3);
  const Placed<T> ga(gpu, a_rows, a_cols, a, pad), gb(gpu, b_rows, b_cols, b, pad), gc(gpu, m, n, c, pad);
  const Placed<double> ca(cpu, a_rows, a_cols, a), cb(cpu, b_rows, b_cols, b), cc(cpu, m, n, c);
  gpu.gemm(alpha, op_a, ga, op_b, gb, beta, gc);
  cpu.gemm(alpha, op_a, ca, op_b, cb, beta, cc);
  const std::string what = "gemm A" + name(op_a) + " B" + name(op_b) + ", inner " + std::to_string(k) +
                           ", alpha " + std::to_string(alpha) + ", beta " + std::to_string(beta) +
                           ", padding " + std::to_string(pad);
  expect_close(what, m, n, cc.to_host(), gc.to_host(what), relative);
}

TYPED_TEST(CudaProducts, GemmAgreesForEveryShapeAndTransposition) {
  using T = TypeParam;
  const Index sizes[][3] = {{1, 1, 1},       {7, 5, 3},       {33, 65, 17},    {200, 200, 200},
                            {400, 400, 400}, {513, 129, 257}, {5000, 33, 400}, {33, 200, 5000},
                            {1, 400, 400},   {400, 1, 1433}};
  int turn = 0;
  for (const auto& [m, n, k] : sizes) {
    if (too_large(m, k) || too_large(k, n)) continue;
    for (const Op op_a : {Op::none, Op::transpose}) {
      for (const Op op_b : {Op::none, Op::transpose}) {
        const T alpha = turn % 2 == 0 ? T(1) : T(-2), beta = turn % 3 == 0   ? T(0)
                                                             : turn % 3 == 1 ? T(1)
                                                                             : T(0.5);
        check_gemm<T>(this->gpu(), this->cpu(), m, n, k, op_a, op_b, alpha, beta, turn % 4 == 3 ? 3 : 0,
                      sum_tolerance<T>(k));
        ++turn;
      }
    }
  }
}

TYPED_TEST(CudaProducts, GemmWithBetaZeroDoesNotReadWhatItOverwrites) {
  using T = TypeParam;
  const auto a = numbers<T>(40 * 50, 4), b = numbers<T>(50 * 30, 5);
  const std::vector<double> nan(40 * 30, std::numeric_limits<double>::quiet_NaN());
  const Placed<T> ga(this->gpu(), 40, 50, a), gb(this->gpu(), 50, 30, b), gc(this->gpu(), 40, 30, nan);
  const Placed<double> ca(this->cpu(), 40, 50, a), cb(this->cpu(), 50, 30, b), cc(this->cpu(), 40, 30);
  this->gpu().gemm(T(1), Op::none, ga, Op::none, gb, T(0), gc);
  this->cpu().gemm(1, Op::none, ca, Op::none, cb, 0, cc);
  expect_close("gemm over NaN", 40, 30, cc.to_host(), gc.to_host(), sum_tolerance<T>(50));
}

TYPED_TEST(CudaProducts, GemmWithoutTermsScalesAndWithoutRowsDoesNothing) {
  using T = TypeParam;
  const auto c = numbers<T>(6 * 4, 6);
  const Placed<T> kept(this->gpu(), 6, 4, c, 2), cleared(this->gpu(), 6, 4, c, 2);
  const View<const T> none(nullptr, 6, 0), nothing(nullptr, 0, 4), no_rows(nullptr, 0, 6);
  this->gpu().gemm(T(1), Op::none, none, Op::none, nothing, T(0.5), kept);
  this->gpu().gemm(T(1), Op::none, none, Op::none, nothing, T(0), cleared);
  std::vector<double> half = c;
  for (double& x : half) x *= 0.5;
  expect_close("gemm without terms, beta 0.5", 6, 4, half, kept.to_host(), 0);
  expect_close("gemm without terms, beta 0", 6, 4, std::vector<double>(24, 0.0), cleared.to_host(), 0);
  this->gpu().gemm(T(1), Op::none, no_rows, Op::none, Placed<T>(this->gpu(), 6, 4, c), T(0),
                   View<T>(nullptr, 0, 4));
}

TYPED_TEST(CudaProducts, GramIsExactlySymmetric) {
  using T = TypeParam;
  for (const auto& [m, d] :
       {std::pair<Index, Index>{1, 1}, {7, 20}, {33, 5}, {200, 1433}, {400, 400}, {513, 64}}) {
    if (too_large(m, d)) continue;
    for (const Index pad : {0, 3}) {
      const auto f = numbers<T>(m * d, 7);
      const Placed<T> gf(this->gpu(), m, d, f, pad), gg(this->gpu(), m, m, pad);
      const Placed<double> cf(this->cpu(), m, d, f), cg(this->cpu(), m, m);
      this->gpu().gram(gf, gg);
      this->cpu().gram(cf, cg);
      const auto got = gg.to_host("gram");
      expect_close("gram of " + std::to_string(d) + " columns", m, m, cg.to_host(), got, sum_tolerance<T>(d));
      for (Index r = 0; r < m; ++r) {
        for (Index c = 0; c < r; ++c)
          ASSERT_EQ(got[r * m + c], got[c * m + r])
              << "gram " << m << "x" << d << " at (" << r << ", " << c << ")";
      }
    }
  }
}

TYPED_TEST(CudaProducts, ProductsWithTriangularMatricesAgree) {
  using T = TypeParam;
  // From 15,000 rows and 256 columns on by strips, in float.
  const std::pair<Index, Index> sizes[] = {{1, 1},       {900, 130},   {7, 33},      {5000, 200},
                                           {64, 513},    {14999, 256}, {15000, 255}, {15000, 256},
                                           {15001, 257}, {15000, 330}};
  for (const auto& [n, m] : sizes) {
    if (too_large(n, m)) continue;
    for (const Index pad : {0, 5}) {
      const auto a = numbers<T>(n * m, 8), b = numbers<T>(n * m, 9), c = numbers<T>(m * m, 11);
      auto l = numbers<T>(m * m, 10);
      for (Index r = 0; r < m; ++r) {
        for (Index k = r + 1; k < m; ++k) l[r * m + k] = 0;
      }
      const Placed<T> ga(this->gpu(), n, m, a, pad), gb(this->gpu(), n, m, b, pad),
          gl(this->gpu(), m, m, l, pad);
      const Placed<double> ca(this->cpu(), n, m, a), cb(this->cpu(), n, m, b), cl(this->cpu(), m, m, l);
      for (const Op op : {Op::none, Op::transpose}) {
        const Placed<T> got(this->gpu(), n, m, pad);
        const Placed<double> want(this->cpu(), n, m);
        this->gpu().times_lower(ga, op, gl, got);
        this->cpu().times_lower(ca, op, cl, want);
        expect_close("times_lower L" + name(op), n, m, want.to_host(), got.to_host("times_lower"),
                     sum_tolerance<T>(m));
      }
      for (const double beta : {0.0, 1.0, 0.5}) {
        const Placed<T> got(this->gpu(), m, m, c, pad);
        const Placed<double> want(this->cpu(), m, m, c);
        this->gpu().lower_product(ga, gb, static_cast<T>(beta), got);
        this->cpu().lower_product(ca, cb, beta, want);
        expect_close("lower_product of " + std::to_string(n) + " rows, beta " + std::to_string(beta), m, m,
                     want.to_host(), got.to_host("lower_product"), sum_tolerance<T>(n), true);
      }
    }
  }
}

class CudaTf32 : public CudaTest<float> {};

TEST_F(CudaTf32, RoundsProductsOverNodesAndNoOthers) {
  const auto gpu = make_backend<float>({cuda_device(), 1, true});
  EXPECT_NE(gpu->description().find("float32/TF32"), std::string::npos) << gpu->description();
  const auto worst = [&](Index m, Index n, Index k) {
    const auto a = numbers<float>(m * k, 21), b = numbers<float>(k * n, 22);
    const Placed<float> ga(*gpu, m, k, a), gb(*gpu, k, n, b), gc(*gpu, m, n);
    const Placed<double> ca(cpu(), m, k, a), cb(cpu(), k, n, b), cc(cpu(), m, n);
    gpu->gemm(1, Op::none, ga, Op::none, gb, 0, gc);
    cpu().gemm(1, Op::none, ca, Op::none, cb, 0, cc);
    const auto want = cc.to_host(), got = gc.to_host();
    double error = 0, largest = 0;
    for (std::size_t e = 0; e < want.size(); ++e) {
      error = std::max(error, std::fabs(want[e] - got[e]));
      largest = std::max(largest, std::fabs(want[e]));
    }
    return error / largest;
  };
  // TF32 has 11 bits: half a unit of the last is 5e-4 of a factor, less on average over a sum.
  const double over_nodes = worst(3000, 256, 256), small = worst(256, 256, 256);
  EXPECT_LT(over_nodes, 1e-3);
  EXPECT_GT(over_nodes, 5e-6) << "TF32 was asked for and not used";
  EXPECT_LT(small, 3e-6) << "an m x m product was rounded to TF32";
}

}  // namespace
}  // namespace gdkm
