#include "gdkm/models/exact/gram_divergence.hpp"

namespace gdkm {

GramDivergence::GramDivergence(const Dense& g) : g_(cholesky(g, 0, "a learned Gram matrix")) {}

double GramDivergence::value(const Cholesky& m) const {
  const Dense white = solve_lower(Op::none, m.factor, g_.factor);
  return 0.5 * (inner_product(white, white) - g_.log_det() + m.log_det() - static_cast<double>(white.rows));
}

Dense GramDivergence::gradient_g(const Cholesky& m) const {
  Dense out = m.inverse();
  add(0.5, out, -0.5, g_.inverse());
  return out;
}

Dense GramDivergence::gradient_m(const Cholesky& m) const {
  Dense out = m.inverse();
  add(0.5, out, -0.5, gram(m.solve(g_.factor)));
  return out;
}

}  // namespace gdkm
