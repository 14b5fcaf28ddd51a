#include "gdkm/layers/weight_posterior.hpp"

#include <cmath>

namespace gdkm {

namespace {
/// The identity in the sums makes them positive definite; this is for what rounding may take away.
template <class T>
constexpr T jitter = T(1e-7);
}  // namespace

template <class T>
WeightPosterior<T>::WeightPosterior(Backend<T>& backend, Parameters<T>& parameters, double temper)
    : backend_(backend),
      parameters_(parameters),
      mu_(parameters.find("readout.mu")),
      l_sigma_(parameters.find("readout.L_sigma")),
      weight_(static_cast<T>(1 / temper)),
      used_jitter_(backend, 1, 1) {
  const Index w = parameters.value(mu_).rows, outputs = parameters.value(mu_).cols;
  for (Matrix<T>* matrix : {&covariance_, &mean_, &mirrored_, &factor_, &inverse_})
    *matrix = Matrix<T>(backend, w, w);
  linear_ = Matrix<T>(backend, w, outputs);
  solved_ = Matrix<T>(backend, w, outputs);
  last_ = Matrix<T>(backend, w, outputs);
}

template <class T>
void WeightPosterior<T>::add_up(View<T> Sites<T>::*sum, View<T> total) {
  backend_.identity(total);
  for (const Sites<T>& batch : batches_) backend_.add(weight_, batch.*sum, T(1), total);
  backend_.keep_lower(total, T(1));
}

template <class T>
void WeightPosterior<T>::factorise_sums() {
  // Σ⁻¹ mirrored = H Hᵀ: the mirror image of H⁻¹ is lower triangular, and L_Σ L_Σᵀ = Σ.
  if (uses_rows()) {
    backend_.cholesky_of_gram(covariance_rows_, T(0), factor_, inverse_, used_jitter_);
  } else {
    add_up(&Sites<T>::covariance_evidence, covariance_);
    backend_.anti_transpose(covariance_, mirrored_);
    backend_.cholesky(mirrored_, jitter<T>, factor_, inverse_, used_jitter_);
  }
  backend_.anti_transpose(inverse_, mirrored_);
  backend_.lower_parameter(mirrored_, parameters_.value(l_sigma_));

  if (uses_rows()) {
    backend_.cholesky_of_gram(mean_rows_, T(0), factor_, inverse_, used_jitter_);
  } else {
    add_up(&Sites<T>::mean_evidence, mean_);
    backend_.cholesky(mean_, jitter<T>, factor_, inverse_, used_jitter_);
  }
}

template <class T>
void WeightPosterior<T>::solve() {
  factorise_sums();
  backend_.fill(parameters_.value(mu_), T(0));
  move_by(&Sites<T>::linear_evidence, T(1));
}

template <class T>
void WeightPosterior<T>::move(bool factorise, T rate) {
  if (factorise) factorise_sums();
  move_by(&Sites<T>::residual_evidence, rate);
}

template <class T>
void WeightPosterior<T>::move_by(View<T> Sites<T>::*sum, T rate) {
  const View<T> mu = parameters_.value(mu_);
  backend_.add(T(-1), mu, T(0), linear_);
  for (const Sites<T>& batch : batches_) backend_.add(weight_, batch.*sum, T(1), linear_);
  backend_.gemm_part(T(1), {Op::none, inverse_.view(), Region::lower}, {Op::none, linear_.view()}, T(0),
                     solved_);
  backend_.gemm_part(rate, {Op::transpose, inverse_.view(), Region::upper}, {Op::none, solved_.view()}, T(1),
                     mu);
}

template <class T>
void WeightPosterior<T>::go_on(T momentum) {
  const View<T> mu = parameters_.value(mu_);
  backend_.add(T(1), mu, T(0), solved_);
  if (momentum > T(0)) {
    backend_.add(momentum, solved_, T(1), mu);
    backend_.add(-momentum, last_, T(1), mu);
  }
  backend_.add(T(1), solved_, T(0), last_);
}

template <class T>
void WeightPosterior<T>::use_rows(Index items) {
  items_ = items;
  covariance_rows_ = mean_rows_ = reverse_ = straight_ = Matrix<T>();
  if (items == 0) return;
  const Index w = width();
  for (Matrix<T>* rows : {&covariance_rows_, &mean_rows_}) {
    *rows = Matrix<T>(backend_, w, items + w);
    backend_.identity(rows->view().block_cols(items, w));
  }
  std::vector<T> reverse(static_cast<std::size_t>(w * w), T(0)), straight = reverse;
  for (Index j = 0; j < w; ++j) {
    reverse[static_cast<std::size_t>(j * w + w - 1 - j)] = std::sqrt(weight_);
    straight[static_cast<std::size_t>(j * w + j)] = std::sqrt(weight_);
  }
  reverse_ = Matrix<T>(backend_, w, w, reverse);
  straight_ = Matrix<T>(backend_, w, w, straight);
}

template class WeightPosterior<float>;
template class WeightPosterior<double>;

}  // namespace gdkm
