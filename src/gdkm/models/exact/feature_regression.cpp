#include "gdkm/models/exact/feature_regression.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {

FeatureRegression::FeatureRegression(Dense features, Dense targets, bool with_constant)
    : with_constant_(with_constant), targets_(std::move(targets)) {
  assert(features.rows == targets_.rows);
  if (targets_.rows == 0) throw InputError("no training node has a target; give a split that has some");
  mean_diagonal_ = inner_product(features, features) / static_cast<double>(features.rows);
  gram_ = gram(transpose(features));
  mean_feature_.assign(static_cast<std::size_t>(features.cols), 0.0);
  mean_target_.assign(static_cast<std::size_t>(targets_.cols), 0.0);
  Dense centred_gram = gram_;
  if (with_constant) {
    mean_feature_ = column_means(features);
    mean_target_ = column_means(targets_);
    shift_columns(mean_feature_, -1, features);
    shift_columns(mean_target_, -1, targets_);
    centred_gram = gram(transpose(features));
  }
  eigen_ = symmetric_eigen(std::move(centred_gram));
  for (double& value : eigen_.values) value = std::max(value, 0.0);
  rotated_ = multiply(features, eigen_.vectors, Op::none, Op::transpose);
  evidence_ = multiply(rotated_, targets_, Op::transpose, Op::none);
}

std::vector<double> FeatureRegression::grid() const {
  return nugget_grid(mean_diagonal_);
}

Dense FeatureRegression::rotated_weights(double nugget) const {
  Dense out = evidence_;
  for (Index k = 0; k < out.rows; ++k) {
    for (Index c = 0; c < out.cols; ++c) out(k, c) /= eigen_.values[static_cast<std::size_t>(k)] + nugget;
  }
  return out;
}

Dense FeatureRegression::rotated(Dense features) const {
  shift_columns(mean_feature_, -1, features);
  return multiply(features, eigen_.vectors, Op::none, Op::transpose);
}

double FeatureRegression::scale(const Dense& residual, double nugget) const {
  const double out =
      inner_product(targets_, residual) / (nugget * static_cast<double>(targets_.value.size()));
  return std::max(out, 1e-300);
}

NuggetChoice FeatureRegression::choose_nugget(const Dense& features, const Dense& targets,
                                              NuggetScore score) const {
  assert(features.rows == targets.rows && targets.cols == targets_.cols);
  const Dense rows = rotated(features);
  NuggetChoice best;
  for (const double nugget : grid()) {
    Dense mean = multiply(rows, rotated_weights(nugget));
    shift_columns(mean_target_, 1, mean);
    best.add(nugget, score_of_means(score, mean, targets));
  }
  const auto log_p = [&](double nugget) {
    return log_probabilities(class_probabilities(posterior_at(rows, nugget)), targets);
  };
  if (score == NuggetScore::accuracy) break_ties(grid(), log_p, best);
  return best;
}

Posterior FeatureRegression::posterior_at(const Dense& rows, double nugget) const {
  const Dense weights = rotated_weights(nugget);
  Posterior out{multiply(rows, weights), {}, nugget};
  shift_columns(mean_target_, 1, out.mean);
  Dense residual = multiply(rotated_, weights);
  add(-1, residual, 1, targets_);
  out.scale = scale(residual, nugget);
  for (Index r = 0; r < rows.rows; ++r) {
    double sum = 0;
    for (Index k = 0; k < rows.cols; ++k)
      sum += rows(r, k) * rows(r, k) / (eigen_.values[static_cast<std::size_t>(k)] + nugget);
    out.variance.push_back(nugget * sum);
  }
  return out;
}

NuggetChoice FeatureRegression::choose_nugget_leaving_one_out() const {
  const Index t = targets_.rows;
  NuggetChoice best;
  for (const double nugget : grid()) {
    Dense residual = multiply(rotated_, rotated_weights(nugget));
    add(-1, residual, 1, targets_);
    std::vector<double> precision(static_cast<std::size_t>(t));
    for (Index i = 0; i < t; ++i) {
      double rest = with_constant_ ? 1 - 1 / static_cast<double>(t) : 1;
      for (Index k = 0; k < rotated_.cols; ++k)
        rest -= rotated_(i, k) * rotated_(i, k) / (eigen_.values[static_cast<std::size_t>(k)] + nugget);
      precision[static_cast<std::size_t>(i)] = std::max(rest, 1e-12) / nugget;
    }
    const double of_all = scale(residual, nugget);
    for (double& value : residual.value) value /= nugget;
    best.add(nugget, leave_one_out_density(residual, precision, of_all));
  }
  return best;
}

FeatureWeights FeatureRegression::weights(double nugget) const {
  const Dense in_basis = rotated_weights(nugget);
  Dense residual = multiply(rotated_, in_basis);
  add(-1, residual, 1, targets_);
  FeatureWeights out;
  out.noise = scale(residual, nugget) * nugget;
  out.mean = multiply(eigen_.vectors, in_basis, Op::transpose, Op::none);
  out.constant = mean_target_;
  for (Index c = 0; c < out.mean.cols; ++c) {
    for (Index k = 0; k < out.mean.rows; ++k)
      out.constant[static_cast<std::size_t>(c)] -=
          mean_feature_[static_cast<std::size_t>(k)] * out.mean(k, c);
  }
  Dense precision = gram_;
  add_to_diagonal(nugget, precision);
  const Dense inverse = cholesky(std::move(precision), 0, "the precision of the weights").inverse();
  out.covariance_factor = cholesky(inverse, 0, "the covariance of the weights").factor;
  const double deviation = std::sqrt(out.noise);
  for (double& value : out.covariance_factor.value) value *= deviation;
  return out;
}

}  // namespace gdkm
