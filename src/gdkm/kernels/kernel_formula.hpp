#pragma once

#include <concepts>

namespace gdkm {

/// The value of K_ij and its derivatives with respect to G_ij and to the norms s_i = √G_ii and s_j = √G_jj.
/// Norms are used instead of squared norms because every derivative then stays bounded: ∂K/∂G_ii grows
/// without limit as G_ii → 0, but the gradient of a feature row F_i is ∂K/∂s_i · F_i/‖F_i‖.
template <class T>
struct Pointwise {
  T value, d_g, d_si, d_sj;
};

/// What the class of a kernel must provide for the CPU, the GPU and the exact models. `inv_s` is 1/s, or 0
/// for a zero row.
template <class K, class T>
concept KernelFormula = requires(T g, T s, T inv_s) {
  { K::value(g, s, s, inv_s, inv_s) } -> std::same_as<T>;                // K_ij for i ≠ j
  { K::gradient(g, s, s, inv_s, inv_s) } -> std::same_as<Pointwise<T>>;  // K_ij and its derivatives
  { K::diagonal(s) } -> std::same_as<T>;                                 // K_ii
  { K::diagonal_gradient(s) } -> std::same_as<T>;                        // dK_ii/ds_i
  { K::mean_activation(g) } -> std::same_as<T>;                          // E σ(z) for z ~ N(0, g)
  { K::is_identity } -> std::convertible_to<bool>;                       // whether Φ(G) = G
};

}  // namespace gdkm
