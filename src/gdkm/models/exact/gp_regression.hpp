#pragma once

#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// The parts of an n × n kernel that regression needs, so that the kernel itself can be freed: the block of
/// the t training nodes, their columns for all nodes, and the diagonal.
struct KernelBlocks {
  Dense train;                   // K_tt, t × t
  Dense cross;                   // K_·t, n × t
  std::vector<double> diagonal;  // n
};

KernelBlocks kernel_blocks(const Dense& kernel, const std::vector<std::int32_t>& train);
/// The same for fewer nodes: `nodes` are rows of `cross`.
KernelBlocks select_nodes(const KernelBlocks& blocks, const std::vector<std::int32_t>& nodes);

/// Gaussian-process regression with kernel K and a nugget on the targets Y of the training nodes (t × C):
///
///   mean = K_·t (K_tt + nugget I)⁻¹ Y,   variance = K_·· − K_·t (K_tt + nugget I)⁻¹ K_t·
///
/// The mean does not change when kernel and nugget are scaled together, the variance does; `scale` is the
/// factor that the targets themselves suggest, the maximum of their likelihood under
/// N(0, scale (K_tt + nugget I)):  scale = tr(Yᵀ (K_tt + nugget I)⁻¹ Y) / (t C).
struct Posterior {
  Dense mean;                    // one row per node
  std::vector<double> variance;  // of the latent function, without nugget and without scale
  double nugget = 0;
  double scale = 1;

  /// Variance of a new observation at node r: scale (variance + nugget).
  double predictive_variance(Index r) const;
};

/// `nugget` is absolute. Where K_tt + nugget I is not positive definite, jitter is added as everywhere.
/// Targets and the posterior are on the host, wherever the kernel is.
Posterior posterior(const KernelBlocks& blocks, const Dense& targets, double nugget,
                    bool with_variance = true);

/// Real-valued targets are shifted by their means over the training nodes before, and back after, since the
/// prior mean is 0: A ← A + sign · (one row of shifts).
std::vector<double> column_means(const Dense& targets);
void shift_columns(const std::vector<double>& shift, double sign, Dense& a);

/// Rows of 0 and 1: the class of each node of `nodes`, which all have one.
Dense one_hot(const std::vector<std::int32_t>& label, const std::vector<std::int32_t>& nodes, int classes);

/// Class probabilities where targets were one-hot: the predictive densities of the C possible one-hot rows,
/// N(e_c; mean, v I) with v the predictive variance, normalised. Since ‖e_c − mean‖² differs among classes by
/// −2 mean_c alone, this is softmax(mean / v): no sampling, and the class of the largest mean leads.
Dense class_probabilities(const Posterior& posterior);
/// The same of rows that hold C means and then C equal standard deviations of new observations.
std::vector<double> class_probabilities(const std::vector<double>& rows, Index classes);

/// Mean of −log N(y; mean, predictive variance) per node and target.
double negative_log_density(const Posterior& posterior, const Dense& targets);
/// 1 − Σ(y − mean)² / Σ(y − ȳ)², over all targets, with ȳ the mean of each column of `targets`.
double r_squared(const Dense& mean, const Dense& targets);

}  // namespace gdkm
