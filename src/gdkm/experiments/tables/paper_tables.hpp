#pragma once

#include <string>
#include <vector>

#include "gdkm/experiments/score_difference.hpp"
#include "gdkm/experiments/tables/result_table.hpp"
#include "gdkm/store/store.hpp"

namespace gdkm {

/// What of a store a table is made of.
struct TableScope {
  std::vector<std::string> sweeps = {};   // NAME or NAME/STUDY; none for all
  std::vector<std::string> without = {};  // data sets that are left out
  TestScore score = TestScore::accuracy;  // that tables of differences and gains compare
};

/// Names of the tables: those below.
std::vector<std::string> table_names();

/// Makes a table from the runs of a store; rows are sorted by decreasing homophily. Throws an InputError if
/// the store has no runs for it.
///
/// nodes           test accuracy of GCDKM, sparse GCNNGP, exact GCNNGP and GCN on node classification, each
///                 with the settings of best validation accuracy; * marks a GCDKM with ν = ∞
/// graphs          the same for graph classification
/// differences     what the GCDKM of that table scores more than the other models, paired, with intervals and
///                 a signed-rank test over the data sets
/// graph-differences  the same for graph classification
/// best            the kernel machine that validates best of all sweeps, with its settings
/// calibration     NLL and expected calibration error of the same, on both tasks
/// gains           what learning the kernels gains on node classification (see KernelGain), with its rank
///                 correlation to homophily
/// graph-gains     the same for graph classification
/// schemes         validation accuracy of both inducing-point schemes, each at its best ν
/// datasets        sizes, homophily and number of splits of node classification
/// graph-datasets  the same for graph classification, without homophily
///
/// Accuracies, calibration and gains are of the runs of `scope.sweeps` alone, if there are names. An
/// InputError if the store does not have a data set that is to be left out, or if `scope.score` is given to a
/// table that has no choice of score.
ResultTable paper_table(const std::string& name, const Store& store, const TableScope& scope = {});

}  // namespace gdkm
