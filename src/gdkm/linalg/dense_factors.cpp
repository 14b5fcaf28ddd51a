#include "gdkm/linalg/dense_factors.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
void check_finite(const Dense& a, const std::string& what) {
  if (!std::all_of(a.value.begin(), a.value.end(), [](double v) { return std::isfinite(v); })) {
    throw NumericalError(what +
                         " has entries that are not finite; check the input for huge or missing values");
  }
}
}  // namespace

double Cholesky::log_det() const {
  double sum = 0;
  for (Index j = 0; j < factor.rows; ++j) sum += std::log(factor(j, j));
  return 2 * sum;
}

Dense Cholesky::solve(Dense b) const {
  return solve_lower(Op::transpose, factor, solve_lower(Op::none, factor, std::move(b)));
}

Dense Cholesky::inverse() const {
  Dense out = factor;
  if (out.rows > 0) blas::potri(out.view());
  mirror_lower(out);
  return out;
}

Cholesky cholesky(Dense k, double jitter, const char* what) {
  assert(k.rows == k.cols);
  if (k.rows == 0) return {};
  check_finite(k, what);
  const std::vector<double> plain = diagonal(k);
  double mean = 0;
  for (const double v : plain) mean += v / static_cast<double>(k.rows);
  if (!(mean > 0)) mean = 1;
  Dense h = std::move(k);
  // DPOTRF writes only on and below the diagonal, so the upper triangle keeps K for another attempt.
  for (;; jitter = std::max(10 * jitter, 100 * std::numeric_limits<double>::epsilon())) {
    if (jitter > max_jitter) {
      throw NumericalError(std::string(what) + " is not positive definite, even with a jitter of " +
                           std::to_string(max_jitter) + " times its mean diagonal; raise " +
                           option("lambda") + " or " + option("noise"));
    }
    for (Index j = 0; j < h.rows; ++j) h(j, j) = plain[j] + jitter * mean;
    if (blas::potrf(h.view()) == 0) break;
    for (Index r = 0; r < h.rows; ++r) {
      for (Index c = 0; c < r; ++c) h(r, c) = h(c, r);
    }
  }
  keep_lower(h);
  return {std::move(h), jitter * mean};
}

Dense solve_lower(Op op, const Dense& l, Dense b) {
  assert(l.rows == l.cols && l.rows == b.rows);
  if (!b.value.empty()) blas::trsm(op, l.view(), b.view());
  return b;
}

SymmetricEigen symmetric_eigen(Dense k) {
  assert(k.rows == k.cols);
  check_finite(k, "a kernel");
  SymmetricEigen out{std::vector<double>(static_cast<std::size_t>(k.rows)), std::move(k)};
  if (out.vectors.rows > 0 && blas::syevd(out.vectors.view(), out.values.data()) != 0) {
    throw NumericalError("the eigenvalues of a kernel did not converge; add a larger jitter to its diagonal");
  }
  return out;
}

RightSingular right_singular(Dense a) {
  assert(a.rows == a.cols);
  check_finite(a, "a matrix to decompose");
  RightSingular out{std::vector<double>(static_cast<std::size_t>(a.rows)), Dense(a.rows, a.rows)};
  if (a.rows > 0 && blas::gesdd(a.view(), out.values.data(), out.right.view()) != 0) {
    throw NumericalError("the singular values of a matrix did not converge; raise " + option("lambda") +
                         " or " + option("jitter"));
  }
  return out;
}

}  // namespace gdkm
