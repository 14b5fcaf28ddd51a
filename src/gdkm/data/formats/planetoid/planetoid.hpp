#pragma once

#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/pickle/pickle.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the folder has the files `ind.<name>.*`.
bool is_planetoid(const FileTree& files, const std::string& name);

/// Reads the files of Planetoid:
///   the pickles `ind.<name>.x`, `.tx`, `.allx`: CSR features of the training nodes, the test nodes, and all
///   but the test nodes; `.y`, `.ty`, `.ally`: one-hot classes of the same rows; `.graph`: node to list of
///   neighbours; the text `.test.index`: the nodes of the rows of tx.
/// Numbers missing in test.index are nodes without features and label, as in CiteSeer. The split set "public"
/// has the rows of x, the 500 nodes after them, and test.index; the set "geom" has the split files of
/// Geom-GCN, if they exist.
Dataset read_planetoid(const FileTree& files, const std::string& name, ThreadPool& pool);

/// The edges of a pickled dict from nodes to lists of neighbours, in file order, each as often as it is
/// listed. Nodes are 0..nodes−1.
std::vector<Edge> pickled_edges(const Pickle& pickle, Index nodes);

}  // namespace gdkm
