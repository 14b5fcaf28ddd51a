#pragma once

#include <string>
#include <vector>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The splits of Geom-GCN, `<name>_split_0.6_0.2_<s>.npz` for s = 0, 1, …, each with the arrays `train_mask`,
/// `val_mask` and `test_mask` of one element per node. Empty where there is no such file. A gap in the
/// numbers, or a split file inside an archive, is an InputError. Nodes without a label are left out.
std::vector<Split> read_geom_gcn_splits(const FileTree& files, const std::string& name,
                                        const std::vector<std::int32_t>& label);

}  // namespace gdkm
