#include "gdkm/models/exact/relation_mixing.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "gdkm/models/first_gamma.hpp"

namespace gdkm {

namespace {

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
  mix_both_sides([&](const Dense& s) { return times_polynomial(p, gamma_, s); }, k);
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
    if (sum.empty()) {
      sum = std::move(term);
      scale(weights[others_[i]], sum);
    } else {
      add(1, sum, weights[others_[i]], term);
    }
  }
  apply(others_.back(), k);
  if (sum.empty()) return scale(weights[others_.back()], k);
  add(weights[others_.back()], k, 1, sum);
}

}  // namespace gdkm
