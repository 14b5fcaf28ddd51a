#pragma once

#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/models/exact/nugget.hpp"

namespace gdkm {

/// The weights W of the features (w × outputs), with the constants b and the noise of the outputs u W + b.
struct FeatureWeights {
  Dense mean;                    // W
  Dense covariance_factor;       // L with L Lᵀ the covariance of each column of W, lower triangular
  std::vector<double> constant;  // b
  double noise = 0;              // the variance of an observation given W and b
};

/// GP regression with the kernel K = U Uᵀ of features U (t training rows × w). It is what posterior() does,
/// without a matrix over pairs of rows:
///
///   W = (UᵀU + nugget I)⁻¹ UᵀY       cov = scale nugget (UᵀU + nugget I)⁻¹
///   noise = scale nugget             scale = tr(Yᵀ(Y − UW)) / (nugget t C)
///
/// `with_constant`: outputs have a constant, for which any value is as good beforehand. U and Y are then
/// centred, and cov is that of W given the constant. All nuggets use one eigendecomposition of UᵀU.
class FeatureRegression {
 public:
  FeatureRegression(Dense features, Dense targets, bool with_constant);

  /// As choose_nugget: by the score of the rows `features`, whose targets are `targets`.
  NuggetChoice choose_nugget(const Dense& features, const Dense& targets, NuggetScore score) const;
  /// As choose_nugget_leaving_one_out. With S = U (UᵀU + nugget I)⁻¹ Uᵀ, and 1/t more in each entry with a
  /// constant, M = (K + nugget I)⁻¹ is (I − S) / nugget.
  NuggetChoice choose_nugget_leaving_one_out() const;
  FeatureWeights weights(double nugget) const;

 private:
  std::vector<double> grid() const;
  /// VᵀW, V the eigenvectors.
  Dense rotated_weights(double nugget) const;
  /// Features of other rows in the basis of the eigenvectors, centred as those of training.
  Dense rotated(Dense features) const;
  double scale(const Dense& residual, double nugget) const;
  /// What posterior() is at these rows, which rotated() gave.
  Posterior posterior_at(const Dense& rows, double nugget) const;

  bool with_constant_;
  std::vector<double> mean_feature_, mean_target_;
  double mean_diagonal_ = 0;  // of K, before U is centred
  Dense gram_;                // UᵀU of features as they came
  Dense targets_;             // Y, centred
  SymmetricEigen eigen_;      // of UᵀU, centred
  Dense rotated_, evidence_;  // U V and VᵀUᵀY
};

}  // namespace gdkm
