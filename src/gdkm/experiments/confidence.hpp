#pragma once

#include <cstddef>
#include <span>

namespace gdkm {

/// The 97.5 % point of Student's t with this many degrees of freedom, at least 1: a mean of n numbers with
/// the standard error e has the 95 % interval mean ± student(n − 1) · e.
double student(double freedom);

/// Spearman's rank correlation, with a 95 % interval by 10,000 bootstrap samples of the pairs. NaN for fewer
/// than six pairs, of which samples say little.
struct RankCorrelation {
  double value = 0, low = 0, high = 0;
};
RankCorrelation rank_correlation(std::span<const double> x, std::span<const double> y);

/// Wilcoxon's signed-rank test, two-sided: the probability of ranks as uneven as those of these differences,
/// if each were as likely to be positive as negative. Exact, also where ranks are shared; zeros are left out.
/// Numbers that differ by rounding alone (less than 1e-9) are equal.
struct SignedRankTest {
  double p = 0;             // NaN if nothing remains
  std::size_t unequal = 0;  // differences that are not zero
};
SignedRankTest signed_rank_test(std::span<const double> differences);

}  // namespace gdkm
