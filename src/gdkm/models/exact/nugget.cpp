#include "gdkm/models/exact/nugget.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/linalg/shifted_solves.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
double accuracy(const Dense& mean, const Dense& targets) {
  Index right = 0;
  for (Index r = 0; r < mean.rows; ++r) {
    const auto predicted = std::max_element(mean.row(r), mean.row(r) + mean.cols) - mean.row(r);
    right += targets(r, predicted) == 1 ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(mean.rows);
}

/// The posterior at the validation nodes for any nugget, from the eigenvectors of K_tt.
class PosteriorPath {
 public:
  PosteriorPath(const KernelBlocks& blocks, const Dense& targets)
      : targets_(&targets),
        eigen_(symmetric_eigen(blocks.train)),
        cross_(multiply(blocks.cross, eigen_.vectors, Op::none, Op::transpose)),
        rotated_(multiply(eigen_.vectors, targets)),
        diagonal_(blocks.diagonal) {}

  Posterior at(double nugget, bool with_variance) const {
    Posterior out;
    out.nugget = nugget;
    Dense weights = rotated_;
    std::vector<double> shrink(eigen_.values.size());
    for (Index k = 0; k < weights.rows; ++k) {
      shrink[k] = 1 / (std::max(eigen_.values[k], 0.0) + nugget);
      for (Index c = 0; c < weights.cols; ++c) weights(k, c) *= shrink[k];
    }
    out.mean = multiply(cross_, weights);
    if (!with_variance) return out;
    out.scale = inner_product(rotated_, weights) / static_cast<double>(targets_->value.size());
    out.variance = diagonal_;
    for (Index r = 0; r < cross_.rows; ++r) {
      for (Index k = 0; k < cross_.cols; ++k) out.variance[r] -= cross_(r, k) * cross_(r, k) * shrink[k];
      out.variance[r] = std::max(out.variance[r], 0.0);
    }
    return out;
  }

 private:
  const Dense* targets_;
  SymmetricEigen eigen_;
  Dense cross_, rotated_;
  std::vector<double> diagonal_;
};

/// Whether every nugget gets a factorisation of its own in place of one eigendecomposition for all: on a
/// device, for which there is no eigendecomposition. A few training nodes come to the host instead.
bool by_factors(const KernelBlocks& blocks) {
  constexpr Index few = 512;
  return blocks.train.device() != nullptr && blocks.train.rows > few;
}

/// The choice by the means at the validation nodes alone, for which no eigenvectors are needed. Nothing if
/// rounding has left K_tt with an eigenvalue below minus some nugget.
std::optional<NuggetChoice> choose_by_means(const KernelBlocks& judged, const Dense& targets,
                                            const Dense& val_targets, NuggetScore score) {
  constexpr Index columns_at_once = 512;
  const std::vector<double> grid = nugget_grid(judged);
  const std::size_t some = static_cast<std::size_t>(std::max<Index>(1, columns_at_once / targets.cols));
  const ShiftedSolves solves(judged.train, targets);
  NuggetChoice best;
  for (std::size_t first = 0; first < grid.size(); first += some) {
    const std::span<const double> nuggets(grid.data() + first, std::min(some, grid.size() - first));
    const auto weights = solves.at(nuggets);
    if (!weights) return std::nullopt;
    const Dense means = multiply(judged.cross, *weights, Op::none, Op::transpose);
    for (std::size_t k = 0; k < nuggets.size(); ++k) {
      const Index begin = static_cast<Index>(k) * targets.cols;
      Dense mean(means.rows, targets.cols);
      for (Index r = 0; r < means.rows; ++r) std::copy_n(means.row(r) + begin, mean.cols, mean.row(r));
      best.add(nuggets[k], score_of_means(score, mean, val_targets));
    }
  }
  return best;
}

/// M = (K_tt + nugget I)⁻¹: MY, and the diagonal of M.
struct Inverted {
  Dense weights;
  std::vector<double> diagonal;
};
Inverted invert(const Dense& train, const Dense& targets, double nugget) {
  Dense noisy = train;
  add_to_diagonal(nugget, noisy);
  const Cholesky factor = cholesky(std::move(noisy), 0, "the kernel of the training nodes");
  return {to_host(factor.solve(beside(train, targets))),
          column_squares(solve_lower(Op::none, factor.factor, beside(train, identity(train.rows))))};
}
}  // namespace

std::vector<double> nugget_grid(double mean_diagonal) {
  const double unit = mean_diagonal > 0 ? mean_diagonal : 1;
  std::vector<double> out;
  for (int k = 0; k <= 100; ++k) out.push_back(unit * std::pow(10.0, -5 + 0.1 * k));
  return out;
}

std::vector<double> nugget_grid(const KernelBlocks& blocks) {
  double mean = 0;
  for (const double v : diagonal(blocks.train)) mean += v / static_cast<double>(blocks.train.rows);
  return nugget_grid(mean);
}

void NuggetChoice::add(double nugget_, double score_) {
  if (scores.empty() || score_ >= score) {
    nugget = nugget_;
    score = score_;
  }
  scores.push_back(score_);
}

void break_ties(const std::vector<double>& grid, const std::function<std::vector<double>(double)>& log_p,
                NuggetChoice& choice) {
  constexpr std::size_t most = 16;
  std::vector<double> tied;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    if (choice.scores[k] == choice.score) tied.push_back(grid[k]);
  }
  const std::size_t count = std::min(most, tied.size());
  if (count < 2) return;
  std::vector<double> looked_at;
  std::vector<std::vector<double>> found;
  for (std::size_t k = 0; k < count; ++k) {
    looked_at.push_back(tied[k * (tied.size() - 1) / (count - 1)]);
    found.push_back(log_p(looked_at.back()));
  }
  const auto sum = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  const auto& best = *std::max_element(found.begin(), found.end(),
                                       [&](const auto& a, const auto& b) { return sum(a) < sum(b); });
  for (std::size_t k = 0; k < count; ++k) {
    const auto n = static_cast<double>(best.size()), mean = (sum(best) - sum(found[k])) / n;
    double square = 0;  // sum of squared deviations of the differences
    for (std::size_t i = 0; i < best.size(); ++i) square += std::pow(best[i] - found[k][i] - mean, 2);
    const double error = n > 1 ? std::sqrt(square / (n - 1) / n) : 0;
    if (mean <= error) choice.nugget = looked_at[k];
  }
}

std::vector<double> log_probabilities(const Dense& probabilities, const Dense& targets) {
  std::vector<double> out;
  for (std::size_t k = 0; k < targets.value.size(); ++k) {
    if (targets.value[k] == 1) out.push_back(std::log(std::max(probabilities.value[k], 1e-300)));
  }
  return out;
}

double score_of_means(NuggetScore score, const Dense& mean, const Dense& targets) {
  assert(score != NuggetScore::density);
  return score == NuggetScore::accuracy ? accuracy(mean, targets) : r_squared(mean, targets);
}

double leave_one_out_density(const Dense& weights, const std::vector<double>& precision, double scale) {
  double density = 0;
  for (Index i = 0; i < weights.rows; ++i) {
    const double each = precision[static_cast<std::size_t>(i)], variance = scale / each;
    for (Index c = 0; c < weights.cols; ++c) {
      const double residual = weights(i, c) / each;
      density -= 0.5 * (std::log(2 * 3.141592653589793 * variance) + residual * residual / variance);
    }
  }
  return density / static_cast<double>(weights.value.size());
}

NuggetChoice choose_nugget(const KernelBlocks& blocks, const Dense& targets,
                           const std::vector<std::int32_t>& val, const Dense& val_targets,
                           NuggetScore score) {
  assert(static_cast<Index>(val.size()) == val_targets.rows && targets.cols == val_targets.cols);
  if (targets.rows == 0) throw InputError("no training node has a target; give a split that has some");
  if (val.empty()) throw InputError("no validation node has a target to choose the nugget by; give a nugget");
  const bool with_variance = score == NuggetScore::density;
  KernelBlocks judged = select_nodes(blocks, val);
  std::optional<PosteriorPath> path;
  if (!by_factors(blocks)) {
    judged.train = to_host(std::move(judged.train));
    judged.cross = to_host(std::move(judged.cross));
  }
  std::optional<NuggetChoice> best;
  if (!by_factors(blocks) && !with_variance) best = choose_by_means(judged, targets, val_targets, score);
  if (!best) {
    if (!by_factors(blocks)) path.emplace(judged, targets);
    best.emplace();
    for (const double nugget : nugget_grid(blocks)) {
      const Posterior posterior =
          path ? path->at(nugget, with_variance) : gdkm::posterior(judged, targets, nugget, with_variance);
      best->add(nugget, with_variance ? -negative_log_density(posterior, val_targets)
                                      : score_of_means(score, posterior.mean, val_targets));
    }
  }
  const auto log_p = [&](double nugget) {
    return log_probabilities(class_probabilities(posterior(judged, targets, nugget)), val_targets);
  };
  if (score == NuggetScore::accuracy) break_ties(nugget_grid(blocks), log_p, *best);
  return *best;
}

NuggetChoice choose_nugget_leaving_one_out(const KernelBlocks& blocks, const Dense& targets) {
  if (targets.rows == 0) throw InputError("no training node has a target; give a split that has some");
  const Index n = targets.rows, columns = targets.cols;
  const auto scale_of = [&](double product) {
    return std::max(product / static_cast<double>(targets.value.size()), 1e-300);
  };
  NuggetChoice best;
  if (by_factors(blocks)) {
    for (const double nugget : nugget_grid(blocks)) {
      const Inverted m = invert(blocks.train, targets, nugget);
      best.add(nugget,
               leave_one_out_density(m.weights, m.diagonal, scale_of(inner_product(targets, m.weights))));
    }
    return best;
  }
  const SymmetricEigen eigen = symmetric_eigen(to_host(blocks.train));  // rows of `vectors` are eigenvectors
  const Dense rotated = multiply(eigen.vectors, targets);
  for (const double nugget : nugget_grid(blocks)) {
    Dense weights = rotated;
    std::vector<double> precision(static_cast<std::size_t>(n), 0.0);
    for (Index k = 0; k < n; ++k) {
      const double shrink = 1 / (std::max(eigen.values[static_cast<std::size_t>(k)], 0.0) + nugget);
      for (Index c = 0; c < columns; ++c) weights(k, c) *= shrink;
      for (Index i = 0; i < n; ++i)
        precision[static_cast<std::size_t>(i)] += eigen.vectors(k, i) * eigen.vectors(k, i) * shrink;
    }
    const Dense alpha = multiply(eigen.vectors, weights, Op::transpose, Op::none);
    best.add(nugget, leave_one_out_density(alpha, precision, scale_of(inner_product(rotated, weights))));
  }
  return best;
}

}  // namespace gdkm
