#pragma once

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// What flows between layers: a Gram matrix over inducing points ("i") and nodes ("t"),
///
///     K = [ K_ii  K_it ]
///         [ K_ti  K_tt ]
///
/// of which only K_ii is ever formed. K_ti is available only through its products K_ti·S with m×k matrices.
/// This way mixing, the nonlinearity and the solve of the next Gram layer are computed in the cheapest order.
/// K_tt is not needed.
template <class T>
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual Index inducing() const = 0;
  /// The number of scratch matrices that times() needs.
  virtual int depth() const = 0;

  /// H Hᵀ = K_ii + jitter, and H⁻¹; `used` receives the relative jitter.
  virtual void factor(T jitter, View<T> h, View<T> inverse, View<T> used) = 0;
  /// The gradient of K_ii. The layers that use K_ii add to it.
  virtual View<T> ii_bar() = 0;

  /// out ← K_ti S.
  virtual void times(ConstView<T> s, View<T> out) = 0;
  /// s_bar ← K_tiᵀ out_bar. Also adds to the gradients of everything that K_ti was computed from.
  virtual void times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) = 0;
};

}  // namespace gdkm
