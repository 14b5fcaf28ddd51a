#pragma once

#include <optional>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/experiments/experiment_observer.hpp"
#include "gdkm/experiments/figures/figure.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// A linear full-rank DKM of two layers between the kernel of the features, XXᵀ with rows of length 1, and
/// that of the labels, YYᵀ + nugget I, on some nodes of a graph: trained from a Wishart sample, and in closed
/// form.
struct LinearCheckOptions {
  Index nodes = 100;
  std::int64_t steps = 10000;
  double rate = 0.01, power = 0.7;  // rate · (1 − step/steps)^power
  double lambda = 0.5, nugget = 1e-2;
  std::uint64_t seed = 0;

  /// A few seconds.
  static LinearCheckOptions quick();
};

struct LinearCheck {
  std::string dataset;
  std::vector<std::int32_t> label;  // of the nodes, ascending
  Dense input, target;
  std::vector<Dense> initial, analytic, trained;  // G_1 and G_2
  std::vector<double> loss;                       // Σ KL before every step, and at the end
  double analytic_loss = 0;
  std::vector<double> distance;  // ‖trained − analytic‖ / ‖analytic‖ of each layer, Frobenius

  /// What the largest distance must stay below.
  static constexpr double tolerance = 0.01;
  double worst() const;
};

/// Nothing when it was interrupted.
std::optional<LinearCheck> linear_check(const Dataset& dataset, const LinearCheckOptions& options,
                                        const ExperimentObserver& observer);

/// The Gram matrices in linear-check, the loss in linear-check-loss.
Figure linear_check_figure(const LinearCheck& check);

}  // namespace gdkm
