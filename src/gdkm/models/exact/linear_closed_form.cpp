#include "gdkm/models/exact/linear_closed_form.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "gdkm/models/exact/gram_divergence.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
/// F ← F diag(σ^power).
void scale_columns(const std::vector<double>& sigma, double power, Dense& f) {
  std::vector<double> factor(sigma.size());
  std::transform(sigma.begin(), sigma.end(), factor.begin(), [&](double s) { return std::pow(s, power); });
  for (Index r = 0; r < f.rows; ++r) {
    for (Index j = 0; j < f.cols; ++j) f(r, j) *= factor[j];
  }
}

/// S⁻¹ Â^power R = U Σ Vᵀ: Σ and V.
RightSingular decompose(const Csr& mixing, int power, const Dense& r, const Dense& s) {
  Dense a = r;
  for (int k = 0; k < power; ++k) a = multiply(mixing, a);
  return right_singular(solve_lower(Op::none, s, std::move(a)));
}

/// A factor of the Gram matrix in the middle between R Rᵀ and S Sᵀ, which are two layers apart.
Dense middle(const Csr& mixing, const Dense& r, const Dense& s) {
  const RightSingular svd = decompose(mixing, 2, r, s);
  if (!(svd.values.back() > std::numeric_limits<double>::epsilon() * svd.values.front())) {
    throw NumericalError(
        "the adjacency is singular to working precision, and the objective infinite; use another lambda");
  }
  Dense f = multiply(mixing, multiply(r, svd.right, Op::none, Op::transpose));
  scale_columns(svd.values, -0.5, f);
  return f;
}

double objective_of(const Csr& mixing, const std::vector<Dense>& grams) {
  double sum = 0;
  for (std::size_t k = 1; k < grams.size(); ++k) {
    const Dense f = multiply(mixing, cholesky(grams[k - 1], 0, "a Gram matrix").factor);
    sum -= GramDivergence(grams[k]).value(cholesky(gram(f), 0, "a mixed Gram matrix"));
  }
  return sum;
}

double relative_change(Dense now, const Dense& before) {
  const double size = inner_product(before, before);
  add(1, now, -1, before);
  return std::sqrt(inner_product(now, now) / size);
}

/// Replaces every G_ℓ by the geometric mean of its neighbours until convergence. `chain` is G_0 … G_p.
int sweep(const Csr& mixing, std::vector<Dense>& chain) {
  constexpr int most = 500;
  constexpr double still = 1e-11;
  double change = 1;
  int sweeps = 0;
  for (; sweeps < most && change > still; ++sweeps) {
    change = 0;
    for (std::size_t k = 1; k + 1 < chain.size(); ++k) {
      Dense next = gram(middle(mixing, cholesky(chain[k - 1], 0, "a Gram matrix").factor,
                               cholesky(chain[k + 1], 0, "a Gram matrix").factor));
      change = std::max(change, relative_change(next, chain[k]));
      chain[k] = std::move(next);
    }
  }
  return sweeps;
}
}  // namespace

LinearClosedForm linear_closed_form(const Csr& mixing, const Dense& g_0, const Dense& g_p, int layers) {
  assert(layers >= 1 && g_0.rows > 0 && mixing.rows == g_0.rows && g_0.rows == g_p.rows);
  constexpr double formula_is_enough = 1e-7;  // relative to the largest σ
  const double p = layers + 1;
  LinearClosedForm out;
  const Cholesky bottom = cholesky(g_0, 0, "the input Gram matrix");
  const Cholesky top = cholesky(g_p, 0, "the output Gram matrix");
  if (top.jitter > 0) {
    throw NumericalError(
        "the output Gram matrix is singular, and the objective infinite; add to its diagonal");
  }
  out.jitter = bottom.jitter;

  RightSingular svd = decompose(mixing, layers + 1, bottom.factor, top.factor);
  const bool enough = svd.values.back() > formula_is_enough * svd.values.front();
  for (double& s : svd.values) s = std::max(s, 1e-14 * svd.values.front());
  for (const double s : svd.values) out.objective -= 0.5 * (p * std::pow(s, -2 / p) + 2 * std::log(s) - p);
  Dense f = multiply(bottom.factor, svd.right, Op::none, Op::transpose);
  for (int layer = 1; layer <= layers; ++layer) {
    f = multiply(mixing, f);
    scale_columns(svd.values, -1 / p, f);
    out.grams.push_back(gram(f));
  }
  if (enough) return out;

  std::vector<Dense> chain{gram(bottom.factor)};
  for (Dense& g : out.grams) chain.push_back(std::move(g));
  chain.push_back(g_p);
  out.sweeps = sweep(mixing, chain);
  out.objective = objective_of(mixing, chain);
  out.grams.assign(chain.begin() + 1, chain.end() - 1);
  return out;
}

}  // namespace gdkm
