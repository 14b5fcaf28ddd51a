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

/// 1 × n.
Matrix<double> upload(const Dense& g, const std::vector<double>& row) {
  return {*g.device(), 1, static_cast<Index>(row.size()), row};
}

template <class K>
void forward(Dense& g) {
  const Norms n(g);
  for_each_pair_at_once(g.rows, [&](Index i, Index j) {
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

void forward_on_device(KernelKind kind, Dense& g) {
  const Norms n(g);
  g.device()->kernel_matrix(kind, g.view(), upload(g, n.s), g.view());
}

void backward_on_device(KernelKind kind, const Dense& g, Dense& k_bar) {
  const Norms n(g);
  const Matrix<double> s_bar(*g.device(), 1, g.rows);
  Dense g_bar(g.rows, g.cols, g.device());
  g.device()->kernel_matrix_backward(kind, g.view(), upload(g, n.s), std::as_const(k_bar).view(),
                                     g_bar.view(), s_bar);
  std::vector<double> on_diagonal = s_bar.to_host();
  for (std::size_t i = 0; i < on_diagonal.size(); ++i) on_diagonal[i] *= 0.5 * n.inverse[i];
  const Matrix<double> column(*g.device(), g.rows, 1, on_diagonal);
  g.device()->add(1, column, 0, View<double>(g_bar.view().data, g.rows, 1, g.cols + 1));
  k_bar = std::move(g_bar);
}
}  // namespace

void apply_nonlinearity(KernelKind kind, Dense& g) {
  assert(g.rows == g.cols);
  with_kernel(kind, [&]<template <class> class K>() {
    if constexpr (!K<double>::is_identity)
      g.device() != nullptr && !g.empty() ? forward_on_device(kind, g) : forward<K<double>>(g);
  });
}

void apply_nonlinearity_backward(KernelKind kind, const Dense& g, Dense& k_bar) {
  assert(g.rows == g.cols && k_bar.rows == g.rows && k_bar.cols == g.cols);
  with_kernel(kind, [&]<template <class> class K>() {
    if constexpr (!K<double>::is_identity)
      g.device() != nullptr && !g.empty() ? backward_on_device(kind, g, k_bar)
                                          : backward<K<double>>(g, k_bar);
  });
}

}  // namespace gdkm
