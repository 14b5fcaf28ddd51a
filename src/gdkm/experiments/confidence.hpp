#pragma once

#include <span>

namespace gdkm {

/// The 97.5 % point of Student's t with this many degrees of freedom, at least 1: a mean of n numbers with
/// the standard error e has the 95 % interval mean ± student(n − 1) · e.
double student(double freedom);

/// Spearman's rank correlation, with a 95 % interval by 10,000 bootstrap samples of the pairs. NaN for fewer
/// than four pairs.
struct RankCorrelation {
  double value = 0, low = 0, high = 0;
};
RankCorrelation rank_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace gdkm
