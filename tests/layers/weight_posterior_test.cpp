#include "gdkm/layers/weight_posterior.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/dense_factors.hpp"
#include "tests/linalg/placed.hpp"

namespace gdkm {
namespace {

constexpr Index items = 300, width = 10, outputs = 2;

/// Features of an output kernel of 1e9, nearly all of it in one direction, as uncentred kernels have them.
Dense large_features() {
  const auto noise = testing::numbers<double>(items * width, 5);
  Dense out(items, width);
  for (Index r = 0; r < items; ++r) {
    for (Index j = 0; j < width; ++j) {
      const double size = std::pow(10.0, -0.25 * static_cast<double>(j));
      out(r, j) = static_cast<double>(
          static_cast<float>(1e4 + 30 * size * noise[static_cast<std::size_t>(r * width + j)]));
    }
  }
  return out;
}
double precision_of(Index r) {
  return static_cast<double>(static_cast<float>(0.02 + 0.001 * static_cast<double>(r % 50)));
}

/// Σ as a WeightPosterior<float> makes it, by rows or by sums.
Dense covariance(const Dense& u, bool by_rows) {
  CpuBackend<float> backend{2};
  Parameters<float> parameters(backend);
  parameters.declare("readout.mu", width, outputs);
  parameters.declare("readout.L_sigma", width, width);
  parameters.allocate();
  WeightPosterior<float> posterior(backend, parameters, 1.0);
  std::vector<float> sums(static_cast<std::size_t>(width * width)),
      rows(static_cast<std::size_t>(width * items));
  for (Index r = 0; r < items; ++r) {
    for (Index j = 0; j < width; ++j) {
      rows[static_cast<std::size_t>((width - 1 - j) * items + r)] =
          static_cast<float>(std::sqrt(precision_of(r)) * u(r, j));
      for (Index k = 0; k <= j; ++k)
        sums[static_cast<std::size_t>(j * width + k)] +=
            static_cast<float>(precision_of(r) * u(r, j) * u(r, k));
    }
  }
  const Matrix<float> evidence(backend, width, width, sums), none(backend, width, outputs),
      given(backend, width, items, rows);
  backend.fill(none, 0.0f);
  Sites<float> sites;
  sites.covariance_evidence = sites.mean_evidence = evidence.view();
  sites.linear_evidence = sites.residual_evidence = none.view();
  posterior.add(sites);
  if (by_rows) {
    posterior.use_rows(items);
    backend.add(1.0f, given, 0.0f, posterior.covariance_rows().of_items);
    backend.fill(posterior.mean_rows().of_items, 0.0f);
  }
  posterior.move(true);
  const std::vector<float> raw = parameters.get("readout.L_sigma");
  Dense l(width, width);
  for (Index j = 0; j < width; ++j) {
    for (Index k = 0; k <= j; ++k) {
      const auto value = static_cast<double>(raw[static_cast<std::size_t>(j * width + k)]);
      l(j, k) = j == k ? std::exp(value) : value;
    }
  }
  return multiply(l, l, Op::none, Op::transpose);
}

double largest_difference(const Dense& a, const Dense& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.value.size(); ++k) out = std::max(out, std::abs(a.value[k] - b.value[k]));
  return out;
}

TEST(WeightPosterior, ByRowsTheCovarianceHasItsDigitsWhereSumsLoseTheIdentity) {
  const Dense u = large_features();
  Dense weighted = u;
  for (Index r = 0; r < items; ++r) {
    for (Index j = 0; j < width; ++j) weighted(r, j) *= precision_of(r);
  }
  Dense precision = multiply(u, weighted, Op::transpose, Op::none);
  add_to_diagonal(1, precision);
  const Dense exact = cholesky(precision, 0, "the precision").inverse();
  double size = 0;
  for (const double each : exact.value) size = std::max(size, std::abs(each));
  EXPECT_LT(largest_difference(covariance(u, true), exact), 1e-3 * size);
  EXPECT_GT(largest_difference(covariance(u, false), exact), 0.1 * size) << "sums would do";
}

}  // namespace
}  // namespace gdkm
