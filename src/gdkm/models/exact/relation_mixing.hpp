#pragma once

#include <vector>

#include "gdkm/graph/relation.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// Mixing of a kernel over all n nodes by relations:  K ← Σ_r w_r P_r K P_rᵀ. A relation with P_r = I takes
/// no product. Of a polynomial, P = Σ_k γ_k Â^k is applied power by power and never formed.
class RelationMixing {
 public:
  /// `relations` must outlive it. `degree` > 0: the only relation is Â of such a polynomial, whose γ are
  /// those of first_gamma.
  explicit RelationMixing(const Relations& relations, int degree = 0);

  /// 1/R each.
  std::vector<double> equal_weights() const;
  /// How many n × n matrices `mix` has at the same time, K among them.
  int matrices(bool with_own = false) const;
  /// K ← own K + Σ_r w_r P_r K P_rᵀ for a symmetric K.
  void mix(const std::vector<double>& weights, Dense& k, double own = 0) const;

 private:
  /// K ← P_r K P_rᵀ.
  void apply(std::size_t r, Dense& k) const;

  const Relations& relations_;
  std::vector<double> gamma_;        // empty if there is no polynomial
  std::vector<std::size_t> others_;  // relations with P_r ≠ I
};

}  // namespace gdkm
