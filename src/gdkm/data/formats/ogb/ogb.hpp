#pragma once

#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// Whether the files of a node-property data set of the Open Graph Benchmark exist.
bool is_ogb(const FileTree& files, const std::string& name = {});

/// Reads ogbn-arxiv, or another node-property data set of the Open Graph Benchmark with one class per node,
/// from the archive or its folder: raw/{edge,node-feat,node-label}.csv.gz, raw/num-node-list.csv.gz
/// (optional, checked) and split/<scheme>/{train,valid,test}.csv.gz; each may be unpacked to .csv. Edges are
/// directed. The label "nan" means none, and such a node is in no split. A single scheme becomes the split
/// set "public"; of several, each becomes a set with its name.
Dataset read_ogb_arxiv(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
