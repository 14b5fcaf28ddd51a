#include "gdkm/models/exact/gp_regression.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "gdkm/linalg/dense_factors.hpp"

namespace gdkm {

namespace {

/// row ← softmax(row / variance).
void to_probabilities(double variance, double* row, Index classes) {
  const double largest = *std::max_element(row, row + classes);
  double sum = 0;
  for (Index c = 0; c < classes; ++c) sum += row[c] = std::exp((row[c] - largest) / variance);
  for (Index c = 0; c < classes; ++c) row[c] /= sum;
}

}  // namespace

KernelBlocks kernel_blocks(const Dense& kernel, const std::vector<std::int32_t>& train) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(kernel.rows));
  std::iota(all.begin(), all.end(), 0);
  return {submatrix(kernel, train, train), submatrix(kernel, all, train), diagonal(kernel)};
}

KernelBlocks select_nodes(const KernelBlocks& blocks, const std::vector<std::int32_t>& nodes) {
  KernelBlocks out{blocks.train, gather_rows(blocks.cross, nodes), {}};
  for (const auto node : nodes) out.diagonal.push_back(blocks.diagonal[node]);
  return out;
}

double Posterior::predictive_variance(Index r) const {
  return std::max(scale * (variance[r] + nugget), std::numeric_limits<double>::min());
}

Posterior posterior(const KernelBlocks& blocks, const Dense& targets, double nugget, bool with_variance) {
  assert(targets.rows == blocks.train.rows);
  Dense noisy = blocks.train;
  add_to_diagonal(nugget, noisy);
  const Cholesky factor = cholesky(std::move(noisy), 0, "the kernel of the training nodes");
  Posterior out;
  out.nugget = nugget;
  const Dense weights = factor.solve(beside(blocks.train, targets));
  out.mean = to_host(multiply(blocks.cross, weights));
  if (!targets.empty()) {
    out.scale = inner_product(targets, to_host(weights)) / static_cast<double>(targets.value.size());
  }
  if (!with_variance) return out;
  const std::vector<double> explained =
      column_squares(solve_lower(Op::none, factor.factor, transpose(blocks.cross)));
  out.variance = blocks.diagonal;
  for (std::size_t r = 0; r < explained.size(); ++r) {
    out.variance[r] = std::max(out.variance[r] - explained[r], 0.0);
  }
  return out;
}

std::vector<double> column_means(const Dense& targets) {
  std::vector<double> out(static_cast<std::size_t>(targets.cols));
  for (Index r = 0; r < targets.rows; ++r) {
    for (Index c = 0; c < targets.cols; ++c) out[c] += targets(r, c) / static_cast<double>(targets.rows);
  }
  return out;
}

void shift_columns(const std::vector<double>& shift, double sign, Dense& a) {
  for (Index r = 0; r < a.rows; ++r) {
    for (Index c = 0; c < a.cols; ++c) a(r, c) += sign * shift[c];
  }
}

Dense one_hot(const std::vector<std::int32_t>& label, const std::vector<std::int32_t>& nodes, int classes) {
  Dense out(static_cast<Index>(nodes.size()), classes);
  for (Index r = 0; r < out.rows; ++r) {
    assert(label[nodes[r]] >= 0 && label[nodes[r]] < classes);
    out(r, label[nodes[r]]) = 1;
  }
  return out;
}

Dense class_probabilities(const Posterior& posterior) {
  Dense out = posterior.mean;
  for (Index r = 0; r < out.rows; ++r) {
    to_probabilities(posterior.predictive_variance(r), out.row(r), out.cols);
  }
  return out;
}

std::vector<double> class_probabilities(const std::vector<double>& rows, Index classes) {
  const auto width = static_cast<std::size_t>(classes);
  std::vector<double> out;
  out.reserve(rows.size() / 2);
  for (std::size_t at = 0; at < rows.size(); at += 2 * width) {
    const double deviation = rows[at + width];
    out.insert(out.end(), rows.begin() + static_cast<std::ptrdiff_t>(at),
               rows.begin() + static_cast<std::ptrdiff_t>(at + width));
    to_probabilities(std::max(deviation * deviation, std::numeric_limits<double>::min()),
                     out.data() + out.size() - width, classes);
  }
  return out;
}

double negative_log_density(const Posterior& posterior, const Dense& targets) {
  assert(targets.rows == posterior.mean.rows && targets.cols == posterior.mean.cols);
  constexpr double log_two_pi = 1.8378770664093453;
  double sum = 0;
  for (Index r = 0; r < targets.rows; ++r) {
    const double variance = posterior.predictive_variance(r);
    for (Index c = 0; c < targets.cols; ++c) {
      const double off = targets(r, c) - posterior.mean(r, c);
      sum += 0.5 * (off * off / variance + std::log(variance) + log_two_pi);
    }
  }
  return sum / static_cast<double>(targets.value.size());
}

double r_squared(const Dense& mean, const Dense& targets) {
  assert(targets.rows == mean.rows && targets.cols == mean.cols);
  const std::vector<double> average = column_means(targets);
  double rest = 0, total = 0;
  for (Index r = 0; r < targets.rows; ++r) {
    for (Index c = 0; c < targets.cols; ++c) {
      rest += (targets(r, c) - mean(r, c)) * (targets(r, c) - mean(r, c));
      total += (targets(r, c) - average[c]) * (targets(r, c) - average[c]);
    }
  }
  return total > 0 ? 1 - rest / total : 0;
}

}  // namespace gdkm
