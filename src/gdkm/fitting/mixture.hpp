#pragma once

#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// What several models say together, each as likely as the others: p(y) = 1/K Σ_k p_k(y). Each has one row
/// per item, as Predictions::values: class probabilities, whose mean it is, or means μ_k and standard
/// deviations σ_k of numbers. Then
///
///     μ = 1/K Σ_k μ_k,    σ² = 1/K Σ_k (σ_k² + (μ_k − μ)²)
///
/// so that models that disagree are less certain together.
std::vector<double> mixture(const std::vector<std::vector<double>>& models, Index outputs, bool regression);

}  // namespace gdkm
