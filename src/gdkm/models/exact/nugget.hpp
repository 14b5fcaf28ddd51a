#pragma once

#include "gdkm/models/exact/gp_regression.hpp"

namespace gdkm {

/// What a nugget is chosen by, on validation nodes: accuracy of the largest mean, R², or predictive density.
enum class NuggetScore { accuracy, r_squared, density };

/// The nuggets that are tried, ascending: 101 of them, 10^−5 … 10^5 times the mean diagonal of K_tt, ten to a
/// factor of ten.
std::vector<double> nugget_grid(const KernelBlocks& blocks);

struct NuggetChoice {
  double nugget = 0;
  double score = 0;            // higher is better: a fraction, R², or the mean log density
  std::vector<double> scores;  // of the whole grid
};

/// The nugget of the grid that scores best on the nodes `val` (rows of blocks.cross), whose targets are
/// `val_targets`; of equally good ones the largest, which trusts the labels least. One eigendecomposition
/// K_tt = V diag(λ) Vᵀ serves them all:
///
///   mean = (K_vt V) diag(1/(λ + nugget)) (VᵀY),   variance = K_vv − (K_vt V)² (1/(λ + nugget))
NuggetChoice choose_nugget(const KernelBlocks& blocks, const Dense& targets,
                           const std::vector<std::int32_t>& val, const Dense& val_targets, NuggetScore score);

}  // namespace gdkm
