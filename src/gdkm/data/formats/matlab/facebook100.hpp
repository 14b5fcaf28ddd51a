#pragma once

#include <string>

#include "gdkm/data/formats/matlab/mat5.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the file has the variables of a Facebook100 network.
bool looks_like_facebook100(const MatFile& file);

/// Reads a Facebook100 network: `A` (n×n) and `local_info` (n×7 integers, 0 where unknown: status, gender,
/// major, second major, dorm, year, high school). As in LINKX (Lim et al., 2021) the class is the gender, and
/// each of the other six columns is coded by one feature per value that occurs in it, values ascending; where
/// only two occur, by one feature that is 1 for the larger. The set "public" is five splits of 50/25/25 as
/// `numpy_random_splits` draws them.
Dataset read_facebook100(const Text& text, const std::string& name);

}  // namespace gdkm
