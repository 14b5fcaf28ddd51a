#include "tests/models/exact/algorithm1_exact.hpp"

#include <algorithm>
#include <cassert>

#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/models/exact/gram_nonlinearity.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"

namespace gdkm::testing {

namespace {
/// X B for the features X.
Dense multiply_features(const Features& x, const Dense& b) {
  if (x.is_sparse) return multiply(x.sparse, b);
  return multiply(Dense(x.rows, x.cols, std::vector<double>(x.dense.begin(), x.dense.end())), b);
}

/// Φ needs the whole matrix, so this joins the blocks, applies Φ and splits them again.
GramBlocks nonlinearity(KernelKind kind, const GramBlocks& g) {
  const Index m = g.ii.rows, n = g.tt.rows;
  Dense whole(m + n, m + n);
  for (Index r = 0; r < m + n; ++r) {
    for (Index c = 0; c < m; ++c) whole(r, c) = whole(c, r) = r < m ? g.ii(r, c) : g.ti(r - m, c);
    if (r >= m) std::copy_n(g.tt.row(r - m), n, whole.row(r) + m);
  }
  apply_nonlinearity(kind, whole);
  GramBlocks out{Dense(m, m), Dense(n, m), Dense(n, n)};
  for (Index r = 0; r < m; ++r) std::copy_n(whole.row(r), m, out.ii.row(r));
  for (Index r = 0; r < n; ++r) {
    std::copy_n(whole.row(m + r), m, out.ti.row(r));
    std::copy_n(whole.row(m + r) + m, n, out.tt.row(r));
  }
  return out;
}

GramBlocks gram_layer(const GramBlocks& k, const Dense& l, double jitter) {
  const Cholesky h = cholesky(k.ii, jitter, "the kernel of the inducing points");
  const Dense f_i = lower_times(Op::none, h.factor, l);
  const Dense t = transpose(solve_lower(Op::none, h.factor, transpose(k.ti)));
  const Dense f_t = multiply(t, l);
  GramBlocks out{gram(f_i), multiply(f_t, f_i, Op::none, Op::transpose), k.tt};
  add(1, out.tt, -1, gram(t));
  add(1, out.tt, 1, gram(f_t));
  return out;
}
}  // namespace

ExactAlgorithm1 algorithm1_exact(const Csr& mixing, const Features& x, const Dense& inducing,
                                 const std::vector<Dense>& lower, KernelKind kind, double jitter) {
  assert(inducing.cols == x.cols && mixing.rows == x.rows);
  GramBlocks g{gram(inducing), multiply_features(x, transpose(inducing)), linear_kernel(x)};
  for (Dense* block : {&g.ii, &g.ti, &g.tt}) {
    for (double& v : block->value) v /= static_cast<double>(x.cols);
  }
  ExactAlgorithm1 out;
  for (const Dense& l : lower) {
    GramBlocks k = nonlinearity(kind, g);
    k.ti = multiply(mixing, k.ti);
    mix_both_sides(mixing, k.tt);
    g = gram_layer(k, l, jitter);
    out.grams.push_back(g);
  }
  out.output = nonlinearity(kind, g);
  return out;
}

}  // namespace gdkm::testing
