#include "gdkm/models/exact/gram_nonlinearity.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace gdkm {

namespace {
/// s_i = √G_ii and 1/s_i, with 0 in place of 1/s_i for a zero row.
struct Norms {
  explicit Norms(const Dense& g) : s(diagonal(g)), inverse(s.size()) {
    for (std::size_t i = 0; i < s.size(); ++i) {
      s[i] = std::sqrt(std::max(s[i], 0.0));
      inverse[i] = s[i] > 0 ? 1 / s[i] : 0;
    }
  }
  std::vector<double> s, inverse;
};

template <class K>
void forward(Dense& g) {
  const Norms n(g);
  for_each_pair(g.rows, [&](Index i, Index j) {
    g(i, j) = g(j, i) = K::value(g(i, j), n.s[i], n.s[j], n.inverse[i], n.inverse[j]);
  });
  for (Index i = 0; i < g.rows; ++i) g(i, i) = K::diagonal(n.s[i]);
}

template <class K>
void backward(const Dense& g, Dense& k_bar) {
  const Norms n(g);
  std::vector<double> s_bar(n.s.size());
  for_each_pair(g.rows, [&](Index i, Index j) {
    const auto p = K::gradient(g(i, j), n.s[i], n.s[j], n.inverse[i], n.inverse[j]);
    const double bar = k_bar(i, j);
    s_bar[i] += 2 * bar * p.d_si;
    s_bar[j] += 2 * bar * p.d_sj;
    k_bar(i, j) = k_bar(j, i) = bar * p.d_g;
  });
  for (Index i = 0; i < g.rows; ++i) {  // ∂s/∂G_ii = 1/(2s)
    k_bar(i, i) = 0.5 * n.inverse[i] * (s_bar[i] + k_bar(i, i) * K::diagonal_gradient(n.s[i]));
  }
}
}  // namespace

void apply_nonlinearity(KernelKind kind, Dense& g) {
  assert(g.rows == g.cols);
  with_kernel(kind, [&]<template <class> class K>() {
    if constexpr (!K<double>::is_identity) forward<K<double>>(g);
  });
}

void apply_nonlinearity_backward(KernelKind kind, const Dense& g, Dense& k_bar) {
  assert(g.rows == g.cols && k_bar.rows == g.rows && k_bar.cols == g.cols);
  with_kernel(kind, [&]<template <class> class K>() {
    if constexpr (!K<double>::is_identity) backward<K<double>>(g, k_bar);
  });
}

}  // namespace gdkm
