#include "tests/training/readout_optimum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/linalg/dense_factors.hpp"
#include "tests/linalg/softmax_expectations.hpp"

namespace gdkm::testing {

namespace {

double deviation_of(const Dense& spread, Index t) {
  return std::sqrt(std::inner_product(spread.row(t), spread.row(t) + spread.cols, spread.row(t), 0.0));
}

}  // namespace

double elbo_of_readout(const ReadoutPosterior& q, const Dense& u, const std::vector<std::int32_t>& label) {
  const Dense mean = multiply(u, q.mu), spread = multiply(u, q.l);
  const auto classes = static_cast<double>(mean.cols);
  double out = -0.5 * inner_product(q.mu, q.mu) - 0.5 * classes * inner_product(q.l, q.l);
  for (Index i = 0; i < q.l.rows; ++i) out += classes * (std::log(q.l(i, i)) + 0.5);
  for (Index t = 0; t < u.rows; ++t)
    out += mean(t, label[static_cast<std::size_t>(t)]) -
           softmax_expectations_of(mean.row(t), mean.cols, deviation_of(spread, t)).log_sum;
  return out;
}

ReadoutPosterior improved(ReadoutPosterior q, const Dense& u, const std::vector<std::int32_t>& label,
                          int rounds) {
  double elbo = elbo_of_readout(q, u, label), rate = 1;
  for (int round = 0; round < rounds; ++round) {
    const Dense mean = multiply(u, q.mu), spread = multiply(u, q.l);
    Dense residual(u.rows, mean.cols), by_precision = u, by_curvature = u;
    for (Index t = 0; t < u.rows; ++t) {
      const SoftmaxExpectations at = softmax_expectations_of(mean.row(t), mean.cols, deviation_of(spread, t));
      for (Index c = 0; c < mean.cols; ++c)
        residual(t, c) =
            (label[static_cast<std::size_t>(t)] == c ? 1 : 0) - at.probability[static_cast<std::size_t>(c)];
      const double sum = std::accumulate(at.variance.begin(), at.variance.end(), 0.0),
                   largest = *std::max_element(at.variance.begin(), at.variance.end());
      for (Index j = 0; j < u.cols; ++j) {
        by_precision(t, j) *= sum / static_cast<double>(mean.cols);
        by_curvature(t, j) *= 2 * largest;
      }
    }
    Dense curvature = multiply(u, by_curvature, Op::transpose, Op::none),
          wanted = multiply(u, by_precision, Op::transpose, Op::none);
    add_to_diagonal(1, curvature);
    add_to_diagonal(1, wanted);
    Dense gradient = multiply(u, residual, Op::transpose, Op::none);
    add(1, gradient, -1, q.mu);
    const Dense direction = cholesky(curvature, 0, "the curvature").solve(gradient),
                present =
                    cholesky(multiply(q.l, q.l, Op::none, Op::transpose), 0, "the covariance").inverse();
    for (; rate > 1e-3; rate /= 2) {
      ReadoutPosterior next = q;
      add(1, next.mu, rate, direction);
      Dense precision = wanted;
      add(rate, precision, 1 - rate, present);
      next.l = cholesky(cholesky(precision, 0, "the precision").inverse(), 0, "the covariance").factor;
      const double value = elbo_of_readout(next, u, label);
      if (value < elbo) continue;
      q = next;
      elbo = value;
      break;
    }
    rate = std::min(1.0, 2 * rate);
  }
  return q;
}

}  // namespace gdkm::testing
