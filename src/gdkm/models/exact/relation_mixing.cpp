#include "gdkm/models/exact/relation_mixing.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "gdkm/models/first_gamma.hpp"

namespace gdkm {

namespace {

void scale(double factor, Dense& a) {
  if (factor == 1) return;
  for (double& v : a.value) v *= factor;
}

/// (Σ_k γ_k A^k) S, by Horner's rule.
Dense times_polynomial(const Csr& a, const std::vector<double>& gamma, const Dense& s) {
  Dense out = s;
  scale(gamma.back(), out);
  for (std::size_t k = gamma.size() - 1; k-- > 0;) {
    out = multiply(a, out);
    add(1, out, gamma[k], s);
  }
  return out;
}

/// K ← K Pᵀ, some rows at a time, so that there is little memory besides K.
void mix_columns_by_polynomial(const Csr& a, const std::vector<double>& gamma, Dense& k) {
  constexpr Index width = 64;
  for (Index first = 0; first < k.rows; first += width) {
    Dense strip(k.cols, std::min(width, k.rows - first));
    for (Index r = 0; r < strip.cols; ++r) {
      for (Index c = 0; c < k.cols; ++c) strip(c, r) = k(first + r, c);
    }
    const Dense mixed = times_polynomial(a, gamma, strip);
    for (Index r = 0; r < strip.cols; ++r) {
      for (Index c = 0; c < k.cols; ++c) k(first + r, c) = mixed(c, r);
    }
  }
}

}  // namespace

RelationMixing::RelationMixing(const Relations& relations, int degree) : relations_(relations) {
  assert(degree == 0 || relations.count() == 1);
  if (degree > 0) gamma_ = first_gamma(degree + 1);
  for (std::size_t r = 0; r < relations.each.size(); ++r) {
    if (degree > 0 || !is_identity(relations.each[r].matrix)) others_.push_back(r);
  }
}

std::vector<double> RelationMixing::equal_weights() const {
  return std::vector<double>(relations_.each.size(), 1.0 / static_cast<double>(relations_.count()));
}

int RelationMixing::matrices(bool with_own) const {
  const bool keeps_own = with_own || others_.size() < relations_.each.size();
  return std::clamp(static_cast<int>(others_.size()) + (keeps_own ? 1 : 0), 1, 3);
}

void RelationMixing::apply(std::size_t r, Dense& k) const {
  const Csr& p = relations_.each[r].matrix;
  if (gamma_.empty()) return mix_both_sides(p, k);
  mix_columns_by_polynomial(p, gamma_, k);
  for_each_pair(k.rows, [&](Index i, Index j) { std::swap(k(i, j), k(j, i)); });
  mix_columns_by_polynomial(p, gamma_, k);
  symmetrise(k);
}

void RelationMixing::mix(const std::vector<double>& weights, Dense& k, double own) const {
  assert(weights.size() == relations_.each.size());
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (std::find(others_.begin(), others_.end(), r) == others_.end()) own += weights[r];
  }
  if (others_.empty()) return scale(own, k);
  Dense sum;  // the terms that are done; the last one takes the place of K
  if (own != 0) {
    sum = k;
    scale(own, sum);
  }
  for (std::size_t i = 0; i + 1 < others_.size(); ++i) {
    Dense term = k;
    apply(others_[i], term);
    if (sum.value.empty()) {
      sum = std::move(term);
      scale(weights[others_[i]], sum);
    } else {
      add(1, sum, weights[others_[i]], term);
    }
  }
  apply(others_.back(), k);
  if (sum.value.empty()) return scale(weights[others_.back()], k);
  add(weights[others_.back()], k, 1, sum);
}

}  // namespace gdkm
