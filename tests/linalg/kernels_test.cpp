#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gdkm/kernels/arccos.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/cka.hpp"
#include "tests/golden.hpp"

namespace gdkm {
namespace {

using testing::Golden;

struct KernelOfGram {
  std::vector<double> value;
  std::vector<double> gradient;  // of Σ K_ij over i ≠ j with respect to G_ij: dK_ij/dG_ij
};

KernelOfGram kernel_of(const std::vector<double>& g, Index m, KernelKind kind) {
  CpuBackend<double> backend(2);
  const Matrix<double> gram(backend, m, m, g), k(backend, m, m), g_bar(backend, m, m);
  std::vector<double> norms(m);
  for (Index j = 0; j < m; ++j) norms[j] = std::sqrt(g[j * m + j]);
  const Matrix<double> s(backend, 1, m, norms), s_bar(backend, 1, m);
  const Matrix<double> k_bar(backend, m, m, std::vector<double>(m * m, 1.0));
  backend.kernel_matrix(kind, gram, s, k);
  backend.kernel_matrix_backward(kind, gram, s, k_bar, g_bar, s_bar);
  return {k.to_host(), g_bar.to_host()};
}

TEST(Kernels, AgreeWithTheGoldenCase) {
  Golden golden("kernels");
  const Index m = golden.shape("G")[0];
  const auto g = golden.array("G");
  for (const auto& [name, kind] : {std::pair<std::string, KernelKind>{"arccos", KernelKind::arccos},
                                   {"rbf", KernelKind::rbf},
                                   {"linear", KernelKind::linear}}) {
    const auto got = kernel_of(g, m, kind).value;
    const auto want = golden.array(name);
    for (std::size_t k = 0; k < want.size(); ++k)
      EXPECT_NEAR(got[k], want[k], 1e-12) << name << " entry " << k;
  }
  std::vector<std::int32_t> rows;
  for (Index r = 0; r < m; ++r) rows.push_back(static_cast<std::int32_t>(r));
  EXPECT_NEAR(cka(g, golden.array("other"), m, rows), golden.number("cka"), 1e-12);
}

TEST(Kernels, ArcCosineIsBoundedWhereRowsAreZeroEqualOrOpposite) {
  Golden golden("kernels_edge");
  const Index m = golden.shape("G")[0];
  const auto got = kernel_of(golden.array("G"), m, KernelKind::arccos);
  const auto value = golden.array("arccos"), gradient = golden.array("dK_dG");
  for (Index r = 0; r < m; ++r) {
    for (Index c = 0; c < m; ++c) {
      EXPECT_NEAR(got.value[r * m + c], value[r * m + c], 1e-9) << r << "," << c;
      if (r != c) {
        EXPECT_NEAR(got.gradient[r * m + c], gradient[r * m + c], 1e-7) << r << "," << c;
      }
    }
  }
}

/// What every kernel must have; a new one joins the list at the end.
class EveryKernel : public ::testing::TestWithParam<KernelKind> {
 protected:
  static constexpr Index m = 8, width = 5;

  /// K = Φ(F Fᵀ) and, for weights C, the gradient of Σ C∘K with respect to F.
  std::pair<std::vector<double>, std::vector<double>> kernel(const std::vector<double>& f,
                                                             const std::vector<double>& c) {
    CpuBackend<double> backend(1);
    const Matrix<double> features(backend, m, width, f), gram(backend, m, m), k(backend, m, m),
        s(backend, 1, m);
    const Matrix<double> k_bar(backend, m, m, c), g_bar(backend, m, m), s_bar(backend, 1, m),
        f_bar(backend, m, width);
    backend.gram(features, gram);
    backend.row_norms(features, s);
    backend.kernel_matrix(GetParam(), gram, s, k);
    backend.kernel_matrix_backward(GetParam(), gram, s, k_bar, g_bar, s_bar);
    backend.gemm(2, Op::none, g_bar, Op::none, features, 0, f_bar);
    backend.row_norms_backward(features, s, s_bar, f_bar);
    return {k.to_host(), f_bar.to_host()};
  }
  std::vector<double> random(Index count, std::uint64_t seed, bool symmetric) {
    Random numbers(Stream{seed, Purpose::initial, 0});
    std::vector<double> out(count);
    for (double& v : out) v = numbers.normal();
    for (Index r = 0; symmetric && r < m; ++r) {
      for (Index q = 0; q < r; ++q) out[q * m + r] = out[r * m + q];
    }
    return out;
  }
};

TEST_P(EveryKernel, IsSymmetricPositiveDefiniteAndKeepsTheDiagonalItPromises) {
  const auto f = random(m * width, 61, false);
  const auto k = kernel(f, std::vector<double>(m * m, 0)).first;
  for (Index r = 0; r < m; ++r) {
    double square = 0;
    for (Index j = 0; j < width; ++j) square += f[r * width + j] * f[r * width + j];
    EXPECT_NEAR(k[r * m + r], GetParam() == KernelKind::rbf ? 1.0 : square, 1e-12);
    for (Index q = 0; q < m; ++q) EXPECT_NEAR(k[r * m + q], k[q * m + r], 1e-14);
  }
  CpuBackend<double> backend(1);
  const Matrix<double> h(backend, m, m), inverse(backend, m, m), used(backend, 1, 1);
  backend.cholesky(Matrix<double>(backend, m, m, k), 1e-10, h, inverse, used);
  EXPECT_EQ(used.to_host()[0], 1e-10) << "it is positive semi-definite";
}

TEST_P(EveryKernel, GradientAgreesWithFiniteDifferences) {
  auto f = random(m * width, 62, false);
  const auto c = random(m * m, 63, true);
  const auto gradient = kernel(f, c).second;
  const auto value = [&] {
    const auto k = kernel(f, c).first;
    double sum = 0;
    for (std::size_t e = 0; e < k.size(); ++e) sum += c[e] * k[e];
    return sum;
  };
  for (std::size_t e = 0; e < f.size(); ++e) {
    const double before = f[e], step = 1e-5;
    f[e] = before + step;
    const double up = value();
    f[e] = before - step;
    const double down = value();
    f[e] = before;
    ASSERT_NEAR(gradient[e], (up - down) / (2 * step), 1e-7 * std::max(1.0, std::fabs(gradient[e])))
        << "entry " << e;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKernel,
                         ::testing::Values(KernelKind::arccos, KernelKind::rbf, KernelKind::linear));

TEST(Kernels, Float32AngleIsWithinFourRoundingsOfTheExactOne) {
  for (int k = -100000; k <= 100000; ++k) {
    const float c = static_cast<float>(k) / 100000.0f;
    float sine;
    const float theta = angle_of(c, sine);
    const double exact = std::acos(static_cast<double>(c));
    const double rounding = std::numeric_limits<float>::epsilon() * std::max(exact, 1e-3);
    ASSERT_NEAR(theta, exact, 4 * rounding) << c;
    ASSERT_NEAR(sine, std::sin(exact), 4 * std::numeric_limits<float>::epsilon()) << c;
  }
}

}  // namespace
}  // namespace gdkm
