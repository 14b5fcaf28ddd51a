#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/graph/graph.hpp"
#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/models/exact/gram_nonlinearity.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

constexpr Index nodes = 8, width = 5;

/// The properties that every kernel must have. A new kernel inherits them with its entry in kernel_kind.hpp.
class KernelProperties : public ::testing::TestWithParam<std::string> {
 protected:
  const KernelKind kind = value_named<KernelKind>(GetParam()).value();
  CpuBackend<double> backend{1};

  static Dense random(Index rows, Index cols, std::uint64_t seed) {
    Random numbers(Stream{seed, Purpose::initial, 0});
    Dense out(rows, cols);
    for (double& v : out.value) v = numbers.normal();
    return out;
  }
  static Dense random_symmetric(std::uint64_t seed) {
    Dense out = random(nodes, nodes, seed);
    for (Index r = 0; r < nodes; ++r) {
      for (Index c = 0; c < r; ++c) out(c, r) = out(r, c);
    }
    return out;
  }

  /// K = Φ(F Fᵀ) as the sparse models compute it for K_ii.
  Dense sparse(const Dense& f) {
    const Matrix<double> features(backend, f.rows, f.cols, f.value), gram(backend, f.rows, f.rows),
        k(backend, f.rows, f.rows), s(backend, 1, f.rows);
    backend.gram(features, gram);
    backend.row_norms(features, s);
    backend.kernel_matrix(kind, gram, s, k);
    return {f.rows, f.rows, k.to_host()};
  }
  /// The gradient of ⟨C, Φ(F Fᵀ)⟩ with respect to F, as the sparse models compute it.
  Dense sparse_gradient(const Dense& f, const Dense& c) {
    const Matrix<double> features(backend, f.rows, f.cols, f.value), gram(backend, f.rows, f.rows),
        s(backend, 1, f.rows), k_bar(backend, f.rows, f.rows, c.value), g_bar(backend, f.rows, f.rows),
        s_bar(backend, 1, f.rows), f_bar(backend, f.rows, f.cols);
    backend.gram(features, gram);
    backend.row_norms(features, s);
    backend.kernel_matrix_backward(kind, gram, s, k_bar, g_bar, s_bar);
    backend.gemm(2, Op::none, g_bar, Op::none, features, 0, f_bar);
    backend.row_norms_backward(features, s, s_bar, f_bar);
    return {f.rows, f.cols, f_bar.to_host()};
  }
  /// K = Φ(F Fᵀ) as the exact models compute it.
  Dense exact(const Dense& f) const {
    Dense k = gram(f);
    apply_nonlinearity(kind, k);
    return k;
  }

  static void expect_near(const Dense& got, const Dense& want, double tolerance) {
    ASSERT_EQ(got.value.size(), want.value.size());
    for (std::size_t k = 0; k < want.value.size(); ++k) {
      EXPECT_NEAR(got.value[k], want.value[k], tolerance * std::max(1.0, std::fabs(want.value[k])))
          << "entry " << k;
    }
  }
  /// Compares `gradient` with central differences of `value` as a function of x.
  template <class Value>
  static void expect_gradient(const Dense& gradient, Dense x, Value value) {
    for (std::size_t e = 0; e < x.value.size(); ++e) {
      const double before = x.value[e], step = 1e-5;
      x.value[e] = before + step;
      const double up = value(x);
      x.value[e] = before - step;
      const double down = value(x);
      x.value[e] = before;
      ASSERT_NEAR(gradient.value[e], (up - down) / (2 * step),
                  1e-7 * std::max(1.0, std::fabs(gradient.value[e])))
          << "entry " << e;
    }
  }
};

TEST_P(KernelProperties, IsSymmetric) {
  const Dense k = sparse(random(nodes, width, 61));
  expect_near(transpose(k), k, 1e-14);
}

TEST_P(KernelProperties, IsPositiveSemiDefinite) {
  const auto values = symmetric_eigen(sparse(random(3 * nodes, width, 61))).values;
  EXPECT_GE(values.front(), -1e-12 * values.back());
}

TEST_P(KernelProperties, DiagonalIsTheValueOfARowWithItself) {
  with_kernel(kind, []<template <class> class K>() {
    for (const double s : {0.3, 1.0, 2.5}) {
      EXPECT_NEAR(K<double>::diagonal(s), K<double>::value(s * s, s, s, 1 / s, 1 / s), 1e-12);
      const double step = 1e-5,
                   slope = (K<double>::diagonal(s + step) - K<double>::diagonal(s - step)) / (2 * step);
      EXPECT_NEAR(K<double>::diagonal_gradient(s), slope, 1e-7);
    }
  });
}

TEST_P(KernelProperties, GradientAgreesWithFiniteDifferencesInSparseModels) {
  const Dense f = random(nodes, width, 62), c = random_symmetric(63);
  expect_gradient(sparse_gradient(f, c), f, [&](const Dense& x) { return inner_product(c, sparse(x)); });
}

TEST_P(KernelProperties, GradientAgreesWithFiniteDifferencesInExactModels) {
  const Dense f = random(nodes, width, 64), c = random_symmetric(65);
  Dense g_bar = c;
  apply_nonlinearity_backward(kind, gram(f), g_bar);
  Dense f_bar = multiply(g_bar, f);  // G = F Fᵀ, so F̄ = 2 Ḡ F
  for (double& v : f_bar.value) v *= 2;
  expect_gradient(f_bar, f, [&](const Dense& x) { return inner_product(c, exact(x)); });
}

TEST_P(KernelProperties, GradientReturnsTheValue) {
  with_kernel(kind, []<template <class> class K>() {
    const double g = 0.4, si = 0.8, sj = 1.7;
    EXPECT_DOUBLE_EQ(K<double>::gradient(g, si, sj, 1 / si, 1 / sj).value,
                     K<double>::value(g, si, sj, 1 / si, 1 / sj));
  });
}

TEST_P(KernelProperties, ExactAndSparseModelsAgree) {
  const Dense f = random(nodes, width, 66);
  expect_near(exact(f), sparse(f), 1e-12);
}

TEST_P(KernelProperties, ProductsOfNodesWithInducingPointsAgreeWithTheMatrix) {
  const Dense f = random(nodes, width, 67), s = random(nodes, 3, 68);
  const Matrix<double> features(backend, nodes, width, f.value), norms(backend, 1, nodes),
      factor(backend, nodes, 3, s.value), out(backend, nodes, 3);
  backend.row_norms(features, norms);
  backend.kernel_times(kind, features, norms, features, norms, Fill::full, factor, out);
  // Off the diagonal and on it: the arc-cosine at θ = 0 is accurate to half the digits.
  expect_near({nodes, 3, out.to_host()}, multiply(sparse(f), s), 1e-7);
}

TEST_P(KernelProperties, OnlyTheIdentityClaimsToBeIt) {
  const Dense f = random(nodes, width, 69), g = gram(f);
  const bool claims = with_kernel(kind, []<template <class> class K>() { return K<double>::is_identity; });
  const Dense k = sparse(f);
  double off = 0;
  for (std::size_t e = 0; e < k.value.size(); ++e) off = std::max(off, std::fabs(k.value[e] - g.value[e]));
  EXPECT_EQ(off < 1e-12, claims);
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelProperties, ::testing::ValuesIn(names_of<KernelKind>()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace gdkm
