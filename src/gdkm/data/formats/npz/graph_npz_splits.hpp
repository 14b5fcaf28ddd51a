#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The split sets of an npz file: three boolean masks each, [splits, n] or [n]. Parts must be disjoint and
/// contain labelled nodes only; the training part must not be empty.
std::map<std::string, std::vector<Split>> read_graph_npz_splits(const NpzReader& archive,
                                                                const std::vector<std::int32_t>& label);

void write_graph_npz_splits(const std::map<std::string, std::vector<Split>>& sets, Index nodes,
                            NpzWriter& archive);

}  // namespace gdkm
