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
