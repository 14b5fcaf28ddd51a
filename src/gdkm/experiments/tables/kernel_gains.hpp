#pragma once

#include <string>
#include <vector>

#include "gdkm/store/stage_records.hpp"
#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// What learning the kernels of a DKM gains on a data set: its test accuracy at the finite ν that validates
/// best, less that at ν = ∞. All else is equal: settings, seeds, splits, optimisation.
struct KernelGain {
  DatasetFacts facts;
  double nu = 0;  // of `learned`
  Summary learned, fixed;
  Summary difference;     // paired: of the same split and seed
  double half_width = 0;  // of the 95 % interval of its mean; NaN if there is one difference
  Summary per_split;      // ν chosen for each split (seed) by its own validation accuracy, ν = ∞ included
};

/// Of the data sets of one task, "node" or "graph", in order of decreasing homophily. Of every study the last
/// stage counts that has both kinds of ν; of several studies on a data set, the one with the best validation
/// accuracy.
std::vector<KernelGain> kernel_gains(const Store& store, const std::string& task,
                                     const std::vector<std::string>& sweeps = {});

}  // namespace gdkm
