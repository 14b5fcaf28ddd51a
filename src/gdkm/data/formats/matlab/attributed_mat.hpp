#pragma once

#include <string>

#include "gdkm/data/formats/matlab/mat5.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the file has the variables of an attributed network.
bool is_attributed_mat(const MatFile& file);

/// Reads an attributed network (BlogCatalog, Flickr) from a MATLAB file: `Network` (n×n), `Attributes` (n×d)
/// and `Label` (n classes, from 1). No splits are published; the set "public" has ten 60/20/20 splits drawn
/// by `numpy_random_splits`.
Dataset read_attributed_mat(const Text& text, const std::string& name);

}  // namespace gdkm
