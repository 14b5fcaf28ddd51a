#pragma once

#include "gdkm/experiments/figures/figure.hpp"
#include "gdkm/store/store.hpp"

namespace gdkm {

/// Validation accuracy against ν, one panel per data set, the most homophilous first; bands are one standard
/// deviation. Each panel shows the inducing scheme that does best on its data set, and spans at least eight
/// points. Fixed kernels on the same splits, where the store has them, are horizontal lines. Of these sweeps
/// alone, if there are names.
Figure nu_curve_figure(const Store& store, const std::vector<std::string>& sweeps = {});

/// The same against the number of layers.
Figure depth_figure(const Store& store, const std::vector<std::string>& sweeps = {});

}  // namespace gdkm
