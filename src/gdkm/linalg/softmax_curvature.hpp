#pragma once

#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// The curvature that a natural-gradient step for the mean of an item's logits takes for that of its negative
/// log-likelihood, diag(p) − ppᵀ. By Gershgorin's theorem twice the largest of its diagonal is a bound of it
/// where the item is, but not where the step leads: it vanishes as an item is fitted, or misfitted, ever more
/// surely. Half of the residual 1 − p at the label is another bound: no item asks for a move of its logit by
/// more than 2. `least` is a third. Where updates end depends on none of them.
template <class T>
GDKM_HOST_DEVICE T softmax_curvature(T largest_variance, T residual_at_label, T least) {
  const T bound = T(2) * largest_variance, reach = T(0.5) * residual_at_label;
  const T larger = bound > reach ? bound : reach;
  return larger > least ? larger : least;
}

/// `least` of training steps, which use the curvature again when features have moved: without it small graphs
/// whose classes are easily told apart ended at losses of thousands of nats. The last updates of q(W), with
/// features that stay, have none, because it makes them slower.
template <class T>
constexpr T least_curvature = T(0.01);

}  // namespace gdkm
