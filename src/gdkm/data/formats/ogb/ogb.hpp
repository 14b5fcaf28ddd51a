#pragma once

#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// Whether there are the files of a node-property set of the Open Graph Benchmark.
bool looks_like_ogb(const FileTree& files);

/// Reads ogbn-arxiv, or another node-property set of the Open Graph Benchmark with one class per node, from
/// the archive or its folder: raw/{edge,node-feat,node-label}.csv.gz, raw/num-node-list.csv.gz (checked where
/// it is there) and split/<scheme>/{train,valid,test}.csv.gz; each may be unpacked to .csv. Edges are
/// directed. A label "nan" means none, and such a node is in no split. The splits of the only scheme are the
/// set "public"; of several schemes each gives a set of its name.
Dataset read_ogb_arxiv(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
