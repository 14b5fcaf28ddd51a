#pragma once

#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// The kernel nonlinearity Φ.
enum class KernelKind { arccos, rbf, linear };

template <>
struct EnumNames<KernelKind> {
  static constexpr std::string_view names[] = {"arccos", "rbf", "linear"};
};

/// Value of K_ij and its derivatives with respect to G_ij and to the norms s_i = √g_i and s_j = √g_j.
/// Norms instead of squared norms keep every derivative bounded: ∂K/∂g_i grows without limit as g_i → 0, but
/// what reaches a feature row F_i is ∂K/∂s_i · F_i/‖F_i‖.
template <class T>
struct Pointwise {
  T value, d_g, d_si, d_sj;
};

}  // namespace gdkm
