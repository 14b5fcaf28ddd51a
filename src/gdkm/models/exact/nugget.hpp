#pragma once

#include <functional>
#include <vector>

#include "gdkm/models/exact/gp_regression.hpp"

namespace gdkm {

/// The validation score that chooses the nugget: accuracy of the largest mean, R², or predictive density.
enum class NuggetScore { accuracy, r_squared, density };

/// The grid of nuggets, ascending: 101 values from 10^−5 to 10^5 times the mean diagonal of K_tt, ten per
/// decade.
std::vector<double> nugget_grid(const KernelBlocks& blocks);
std::vector<double> nugget_grid(double mean_diagonal);

struct NuggetChoice {
  double nugget = 0;
  double score = 0;            // higher is better: a fraction, R², or the mean log density
  std::vector<double> scores;  // for every nugget of the grid

  /// The next of the grid. Among equal scores the largest nugget is chosen, which trusts the labels least.
  void add(double nugget, double score);
};

/// Chooses anew among the nuggets of the grid that have the best score. `log_p` gives log p of every
/// validation item: the choice is the largest nugget for which they are not worse than for the best nugget,
/// by more than a standard error of the mean difference. Many nuggets predict the same classes, and the
/// largest of these may shrink all means to nothing. Of more than 16 such nuggets 16 are looked at, from the
/// smallest to the largest.
void break_ties(const std::vector<double>& grid,
                const std::function<std::vector<double>(double nugget)>& log_p, NuggetChoice& choice);
/// log p of the classes, whose rows of `targets` are one-hot.
std::vector<double> log_probabilities(const Dense& probabilities, const Dense& targets);

/// The score of means alone: accuracy or R².
double score_of_means(NuggetScore score, const Dense& mean, const Dense& targets);
/// Of each training target given all others, per target: from My, the diagonal of M and the scale (below).
double leave_one_out_density(const Dense& weights, const std::vector<double>& precision, double scale);

/// The nugget of the grid with the best score on the nodes `val` (rows of blocks.cross), whose targets are
/// `val_targets`; break_ties chooses among nuggets of the same accuracy. For accuracy and R²
/// all nuggets use one reduction of K_tt to tridiagonal form (ShiftedSolves). For the density, which needs
/// variances, they use one eigendecomposition K_tt = V diag(λ) Vᵀ:
///
///   mean = (K_vt V) diag(1/(λ + nugget)) (VᵀY),   variance = K_vv − (K_vt V)² (1/(λ + nugget))
///
/// On a device with more than some hundred training nodes each nugget has a Cholesky factorisation instead.
NuggetChoice choose_nugget(const KernelBlocks& blocks, const Dense& targets,
                           const std::vector<std::int32_t>& val, const Dense& val_targets, NuggetScore score);

/// The nugget of the grid with the largest density of each training target given all others (leave-one-out;
/// Sundararajan and Keerthi, 2001): without validation nodes the density of targets that were fitted would
/// favour no nugget at all. With M = (K_tt + nugget I)⁻¹, target i given the others has mean y_i − (My)_i /
/// M_ii and variance scale / M_ii.
NuggetChoice choose_nugget_leaving_one_out(const KernelBlocks& blocks, const Dense& targets);

}  // namespace gdkm
