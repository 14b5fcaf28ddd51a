#pragma once

#include "gdkm/data/formats/csv/csv_file.hpp"
#include "gdkm/data/formats/shared/node_index.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The distinct texts of the first `columns` columns in natural order: the nodes, where no other file lists
/// them.
NodeIndex collect_nodes(const CsvFile& file, std::size_t columns, ThreadPool& pool);

/// Reads one edge per row: two node ids and optionally a weight, in the column "weight" or in the last of
/// three. Edges keep their order and direction.
Graph read_csv_edges(const CsvFile& file, const NodeIndex& nodes, ThreadPool& pool);

}  // namespace gdkm
