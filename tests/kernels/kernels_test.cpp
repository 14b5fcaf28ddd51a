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

/// What every kernel must have. Its value and gradient are cases of kernel_matrix and kernel_times
/// (tests/linalg/kernel_cases.cpp).
class EveryKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, IsSymmetricPositiveDefiniteAndKeepsTheDiagonalItPromises) {
  const KernelKind kind = *value_named<KernelKind>(GetParam());
  const Index m = 8, width = 5;
  CpuBackend<double> backend(1);
  const Matrix<double> f(backend, m, width), gram(backend, m, m), s(backend, 1, m), k(backend, m, m),
      h(backend, m, m), inverse(backend, m, m), used(backend, 1, 1);
  backend.normals(Stream{61, Purpose::initial, 0}, f);
  backend.gram(f, gram);
  backend.row_norms(f, s);
  backend.kernel_matrix(kind, gram, s, k);
  for (Index r = 0; r < m; ++r) {
    EXPECT_NEAR(k.view().row(r)[r], kind == KernelKind::rbf ? 1.0 : gram.view().row(r)[r], 1e-12);
    for (Index q = 0; q < m; ++q) EXPECT_NEAR(k.view().row(r)[q], k.view().row(q)[r], 1e-14);
  }
  backend.cholesky(k, 1e-10, h, inverse, used);
  EXPECT_EQ(used.to_host()[0], 1e-10) << "it is positive semi-definite";
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKernel, ::testing::ValuesIn(names_of<KernelKind>()),
                         [](const auto& info) { return info.param; });

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
