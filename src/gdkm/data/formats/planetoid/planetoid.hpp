#pragma once

#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the files `ind.<name>.*` are there.
bool looks_like_planetoid(const FileTree& files, const std::string& name);

/// Reads the files of Planetoid: pickles `ind.<name>.x`, `.tx`, `.allx` (CSR features of the training, the
/// test and all but the test nodes), `.y`, `.ty`, `.ally` (one-hot classes of the same rows) and `.graph`
/// (node to list of neighbours), and the text `.test.index` (the nodes of the rows of tx). Numbers that
/// test.index leaves out are nodes without features and label, as in CiteSeer. Split set "public": the rows
/// of x, the 500 nodes after them, and test.index; set "geom": the masks of Geom-GCN, where they are there.
Dataset read_planetoid(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
