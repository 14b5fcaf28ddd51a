#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gdkm/data/formats/matlab/mat5.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Whether the file has the variables of a Facebook100 network.
bool is_facebook100(const MatFile& file);

/// Reads a Facebook100 network: `A` (n×n) and `local_info` (n×7 integers, 0 for unknown: status, gender,
/// major, second major, dorm, year, high school). As in LINKX (Lim et al., 2021) the class is the gender.
/// Each of the other six columns becomes one feature per value, in ascending order, or a single feature that
/// is 1 for the larger value where only two occur. The set "public" has five 50/25/25 splits drawn by
/// `numpy_random_splits`.
Dataset read_facebook100(const Text& text, const std::string& name);

/// The same from a file. Where the splits of LINKX (fb100-<stem>-splits.npy) lie beside it, these are
/// "public".
Dataset read_facebook100_file(const std::filesystem::path& path, const std::string& name, ThreadPool& pool);

/// The splits of LINKX (`fb100-Penn94-splits.npy`): an object array of dicts with the node numbers in
/// 'train', 'valid' and 'test'. Nodes without a label are left out.
std::vector<Split> read_linkx_splits(const Text& text, const std::vector<std::int32_t>& label);

}  // namespace gdkm
