#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/score_difference.hpp"
#include "gdkm/store/stage_records.hpp"

namespace gdkm {

/// What learning the kernels of a DKM gains on a data set: its test score at the finite ν that validates
/// best, less that at ν = ∞. All else is equal: settings, seeds, splits, optimisation.
struct KernelGain {
  DatasetFacts facts;
  double nu = 0;  // of `learned`
  Summary learned, fixed;
  ScoreDifference difference;
  /// The stage is done, and is the last of its study that varies ν.
  bool finished = false;
  /// What the same DKM gains over the best fixed kernel: that of `fixed`, or the NNGP with inducing points
  /// and settings of its own, whichever has the higher validation accuracy. Nothing where no study of such an
  /// NNGP is finished that was trained alike, on the same splits and seeds, or where the DKM's study has
  /// chosen other settings after ν.
  struct OverBest {
    Summary fixed;
    ScoreDifference difference;
  };
  std::optional<OverBest> over_best;
  Summary per_split;  // ν chosen for each split (seed) by its own validation accuracy, ν = ∞ included
};

/// Of the data sets of one task, "node" or "graph", in order of decreasing homophily, that have classes. Of
/// every study the last stage that varies ν and has results counts, at those of its other settings that have
/// both kinds of ν; of several settings or studies on a data set, the one with the best validation accuracy.
/// Stages that are not finished count where none is. Values of ν with failed runs are left out if both kinds
/// remain. Of runs with this inference alone, if one is given.
std::vector<KernelGain> kernel_gains(const Store& store, const std::string& task,
                                     const std::vector<std::string>& sweeps = {},
                                     std::optional<Inference> inference = {},
                                     TestScore score = TestScore::accuracy);

}  // namespace gdkm
