#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/data/dataset.hpp"
#include "gdkm/support/npz.hpp"
#include "gdkm/support/npz_writer.hpp"

namespace gdkm {

/// The split sets of a neutral file: three masks each, bool [splits, n] or [n]. Parts are disjoint, hold
/// labelled nodes only, and training is never empty.
std::map<std::string, std::vector<Split>> read_neutral_splits(const NpzReader& archive,
                                                              const std::vector<std::int32_t>& label);

void write_neutral_splits(const std::map<std::string, std::vector<Split>>& sets, Index nodes,
                          NpzWriter& archive);

}  // namespace gdkm
