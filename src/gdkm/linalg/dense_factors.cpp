#include "gdkm/linalg/dense_factors.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/device_dense.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

void check_finite(const Dense& a, const std::string& what) {
  const bool finite = a.device() != nullptr ? on_device::all_finite(a)
                                            : std::all_of(a.value.begin(), a.value.end(),
                                                          [](double v) { return std::isfinite(v); });
  if (finite) return;
  throw NumericalError(what + " has entries that are not finite; check the input for huge or missing values");
}

namespace {
/// The factor of K with jitter on its diagonal, or an empty matrix if that is not positive definite. On the
/// host it takes the place of K, of which the upper triangle stays: DPOTRF writes only on and below the
/// diagonal. So K is complete again after a failure.
class Attempts {
 public:
  explicit Attempts(Dense k) : plain_(diagonal(k)), k_(std::move(k)) {}

  double mean_diagonal() const {
    double mean = 0;
    for (const double v : plain_) mean += v / static_cast<double>(k_.rows);
    return mean > 0 ? mean : 1;
  }
  Dense factor(double jitter) {
    return k_.device() != nullptr ? factor_on_device(jitter) : factor_on_host(jitter);
  }

 private:
  Dense factor_on_device(double jitter) {
    Dense noisy = k_;
    if (jitter > 0) add_to_diagonal(jitter, noisy);
    return on_device::cholesky(std::move(noisy)).value_or(Dense());
  }
  Dense factor_on_host(double jitter) {
    for (Index j = 0; j < k_.rows; ++j) k_(j, j) = plain_[j] + jitter;
    if (blas::potrf(k_.view()) == 0) {
      keep_lower(k_);
      return std::move(k_);
    }
    for (Index r = 0; r < k_.rows; ++r) {
      for (Index c = 0; c < r; ++c) k_(r, c) = k_(c, r);
    }
    return {};
  }

  std::vector<double> plain_;
  Dense k_;
};
}  // namespace

double Cholesky::log_det() const {
  double sum = 0;
  for (const double v : diagonal(factor)) sum += std::log(v);
  return 2 * sum;
}

Dense Cholesky::solve(Dense b) const {
  return solve_lower(Op::transpose, factor, solve_lower(Op::none, factor, std::move(b)));
}

Dense Cholesky::inverse() const {
  if (factor.device() != nullptr) {
    Dense out = solve(beside(factor, identity(factor.rows)));
    symmetrise(out);
    return out;
  }
  Dense out = factor;
  if (out.rows > 0) blas::potri(out.view());
  mirror_lower(out);
  return out;
}

Cholesky cholesky(Dense k, double jitter, const char* what) {
  assert(k.rows == k.cols);
  if (k.rows == 0) return {};
  check_finite(k, what);
  Attempts attempts(std::move(k));
  const double mean = attempts.mean_diagonal();
  for (;; jitter = std::max(10 * jitter, 100 * std::numeric_limits<double>::epsilon())) {
    if (jitter > max_jitter) {
      throw NumericalError(std::string(what) + " is not positive definite, even with a jitter of " +
                           std::to_string(max_jitter) + " times its mean diagonal; raise " +
                           option("lambda") + " or " + option("noise"));
    }
    Dense factor = attempts.factor(jitter * mean);
    if (!factor.empty()) return {std::move(factor), jitter * mean};
  }
}

Dense solve_lower(Op op, const Dense& l, Dense b) {
  assert(l.rows == l.cols && l.rows == b.rows);
  if (l.device() != nullptr) return on_device::solve_lower(op, l, std::move(b));
  if (!b.empty()) blas::trsm(op, l.view(), b.view());
  return b;
}

SymmetricEigen symmetric_eigen(Dense k) {
  assert(k.rows == k.cols && k.device() == nullptr);
  check_finite(k, "a kernel");
  SymmetricEigen out{std::vector<double>(static_cast<std::size_t>(k.rows)), std::move(k)};
  if (out.vectors.rows > 0 && blas::syevd(out.vectors.view(), out.values.data()) != 0) {
    throw NumericalError("the eigenvalues of a kernel did not converge; add a larger jitter to its diagonal");
  }
  return out;
}

RightSingular right_singular(Dense a) {
  assert(a.rows == a.cols && a.device() == nullptr);
  check_finite(a, "a matrix to decompose");
  RightSingular out{std::vector<double>(static_cast<std::size_t>(a.rows)), Dense(a.rows, a.rows)};
  if (a.rows > 0 && blas::gesdd(a.view(), out.values.data(), out.right.view()) != 0) {
    throw NumericalError("the singular values of a matrix did not converge; raise " + option("lambda") +
                         " or " + option("jitter"));
  }
  return out;
}

}  // namespace gdkm
