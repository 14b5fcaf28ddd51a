#pragma once

#include "gdkm/data/formats/assembly/node_index.hpp"
#include "gdkm/data/formats/csv/csv.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The different texts of the first `columns` columns, in natural order: the nodes of a file that no other
/// one lists.
NodeIndex collect_nodes(const CsvFile& file, std::size_t columns, ThreadPool& pool);

/// One edge a row: the ids of two nodes, and optionally a weight, in the column "weight" or, of three, the
/// last. The edges stay as they are given, in their order.
Graph read_csv_edges(const CsvFile& file, const NodeIndex& nodes, ThreadPool& pool);

}  // namespace gdkm
