#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// The splits of LINKX (`fb100-Penn94-splits.npy`): an object array of dicts with the node numbers in
/// 'train', 'valid' and 'test'. Nodes without a label are left out.
std::vector<Split> read_linkx_splits(const Text& text, const std::vector<std::int32_t>& label);

}  // namespace gdkm
