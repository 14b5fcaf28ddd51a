#pragma once

#include <string>

#include "gdkm/data/formats/matlab/mat5.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the file has the variables of an attributed network.
bool looks_like_attributed_mat(const MatFile& file);

/// Reads an attributed network (BlogCatalog, Flickr) from a MATLAB file: `Network` (n×n), `Attributes` (n×d)
/// and `Label` (n classes, from 1). No splits are published with these; the set "public" is ten of 60/20/20
/// as `numpy_random_splits` draws them.
Dataset read_attributed_mat(const Text& text, const std::string& name);

}  // namespace gdkm
