#pragma once

#include <string>
#include <vector>

#include "gdkm/experiments/tables/result_table.hpp"
#include "gdkm/store/store.hpp"

namespace gdkm {

/// Names of the tables: those below.
std::vector<std::string> table_names();

/// Makes a table from the runs of a store; rows are sorted by decreasing homophily. Throws an InputError if
/// the store has no runs for it.
///
/// nodes           test accuracy of GCDKM, sparse GCNNGP, exact GCNNGP and GCN on node classification, each
///                 with the settings of best validation accuracy; * marks a GCDKM with ν = ∞
/// graphs          the same for graph classification
/// calibration     NLL and expected calibration error of the same, on both tasks
/// gains           what learning the kernels gains on node classification (see KernelGain), with its rank
///                 correlation to homophily
/// graph-gains     the same for graph classification
/// schemes         validation accuracy of both inducing-point schemes, each at its best ν
/// datasets        sizes, homophily and number of splits of node classification
/// graph-datasets  the same for graph classification, without homophily
///
/// Accuracies, calibration and gains are of the runs of `sweeps` alone, if there are names.
ResultTable paper_table(const std::string& name, const Store& store,
                        const std::vector<std::string>& sweeps = {});

}  // namespace gdkm
