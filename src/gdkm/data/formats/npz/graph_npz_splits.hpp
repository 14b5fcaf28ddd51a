#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The split sets of an npz file: three masks each, bool [splits, n] or [n]. Parts are disjoint, hold
/// labelled nodes only, and training is never empty.
std::map<std::string, std::vector<Split>> read_graph_npz_splits(const NpzReader& archive,
                                                                const std::vector<std::int32_t>& label);

void write_graph_npz_splits(const std::map<std::string, std::vector<Split>>& sets, Index nodes,
                            NpzWriter& archive);

}  // namespace gdkm
