#pragma once

#include <string>
#include <vector>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The splits `<name>_split_0.6_0.2_<s>.npz` of Geom-GCN, s = 0, 1, …, each with `train_mask`, `val_mask` and
/// `test_mask` of one element per node. None where no such file is there; a missing number is an InputError,
/// and so are splits inside an archive, of which only a folder's can be opened. Nodes without a label are
/// left out.
std::vector<Split> read_mask_splits(const FileTree& files, const std::string& name,
                                    const std::vector<std::int32_t>& label);

}  // namespace gdkm
