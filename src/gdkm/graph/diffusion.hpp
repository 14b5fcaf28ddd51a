#pragma once

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// What X itself keeps in every term of diffused().
inline constexpr double diffusion_stays = 0.05;

/// The mean over k = 1 … steps of (1 − α) Âᵏ X + α X, with α = diffusion_stays: features averaged over walks
/// of up to `steps` edges. It is dense, whichever form X has.
///
/// A graph convolution of a model averages over neighbours too, but each has a nonlinearity and its own
/// inducing points. With few labels, wide averages without either tell classes apart better.
Features diffused(const Features& x, const Csr& mixing, int steps);

}  // namespace gdkm
