#pragma once

#include "gdkm/experiments/figures/figure.hpp"
#include "gdkm/store/store.hpp"

namespace gdkm {

/// What learning the kernels gains on each data set (kernel_gains()), with 95 % intervals: a mark for each
/// inference that the store has, the most homophilous data set first, nodes before graphs. Where all runs
/// share one split, the interval is dashed. A second picture has the gains over the fixed kernel that
/// validates best, if some study chose settings for one. If `sweeps` has names, only their runs count.
Figure kernel_gains_figure(const Store& store, const std::vector<std::string>& sweeps = {});

}  // namespace gdkm
