#pragma once

#include <string>
#include <vector>

#include "gdkm/experiments/tables/result_table.hpp"
#include "gdkm/store/store.hpp"

namespace gdkm {

/// Names of the tables: nodes, graphs, schemes, datasets, graph-datasets.
std::vector<std::string> table_names();

/// The table of that name from what a store holds; rows are sorted by homophily, the highest first. An
/// InputError where the store has nothing for them.
///
/// nodes           test accuracy of GCDKM, sparse GCNNGP, exact GCNNGP and GCN on node classification, each
/// with
///                 the settings that validation chose; * marks a GCDKM with ν = ∞
/// graphs          the same of graph classification
/// schemes         validation accuracy of both inducing schemes, each at its best ν
/// datasets        sizes, homophily and number of splits, of node classification
/// graph-datasets  the same of graph classification, without homophily
ResultTable paper_table(const std::string& name, const Store& store);

}  // namespace gdkm
