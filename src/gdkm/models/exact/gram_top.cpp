#include "gdkm/models/exact/gram_top.hpp"

#include <cassert>
#include <cmath>

namespace gdkm {

GaussianTop::GaussianTop(std::vector<std::int32_t> train, Dense targets, double noise, bool learn_noise)
    : train_(std::move(train)),
      targets_(std::move(targets)),
      learn_noise_(learn_noise),
      log_noise_(std::log(noise)) {
  assert(noise > 0 && static_cast<Index>(train_.size()) == targets_.rows);
}

double GaussianTop::noise() const {
  return std::exp(log_noise_);
}

std::span<double> GaussianTop::parameters() {
  return learn_noise_ ? std::span<double>(&log_noise_, 1) : std::span<double>();
}
std::span<const double> GaussianTop::gradient() const {
  return learn_noise_ ? std::span<const double>(&log_noise_bar_, 1) : std::span<const double>();
}

double GaussianTop::value(const Dense& k, Dense* k_bar) {
  constexpr double log_two_pi = 1.8378770664093453;
  const double nodes = static_cast<double>(targets_.rows), columns = static_cast<double>(targets_.cols);
  Dense noisy = submatrix(k, train_, train_);
  add_to_diagonal(noise(), noisy);
  const Cholesky factor = cholesky(std::move(noisy), 0, "the kernel of the training nodes");
  const Dense weights = factor.solve(beside(k, targets_));
  if (k_bar != nullptr) {
    Dense bar = factor.inverse();
    add(-0.5 * columns, bar, 0.5, gram(weights));
    log_noise_bar_ = 0;
    for (const double v : diagonal(bar)) log_noise_bar_ += noise() * v;
    *k_bar = spread(bar, train_, k.rows);
  }
  return -0.5 * (inner_product(targets_, to_host(weights)) + columns * factor.log_det() +
                 nodes * columns * log_two_pi);
}

FixedGramTop::FixedGramTop(Csr mixing, const Dense& gram, double jitter)
    : mixing_(std::move(mixing)),
      mixing_transposed_(transpose(mixing_)),
      divergence_(gram),
      jitter_(jitter) {}

double FixedGramTop::value(const Dense& k, Dense* k_bar) {
  Dense proposed = k;
  mix_both_sides(mixing_, proposed);
  add_to_diagonal(jitter_, proposed);
  const Cholesky factor = cholesky(std::move(proposed), 0, "the last mixed kernel");
  if (k_bar != nullptr) {
    *k_bar = divergence_.gradient_m(factor);
    mix_both_sides(mixing_transposed_, *k_bar);
    scale(-1, *k_bar);
  }
  return -divergence_.value(factor);
}

}  // namespace gdkm
