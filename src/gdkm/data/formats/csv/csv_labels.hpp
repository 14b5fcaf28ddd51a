#pragma once

#include <string>
#include <vector>

#include "gdkm/data/formats/assembly/node_index.hpp"
#include "gdkm/data/formats/csv/csv.hpp"

namespace gdkm {

/// The column of that name; an InputError names those that there are. Without a name, the second of two.
std::size_t find_label_column(const CsvFile& file, const std::string& name);

/// Reads "id, class" into one text per node, "" where a node has no row. Where `defines_nodes`, the rows are
/// the nodes, and are added to `nodes`; else they must be among them.
std::vector<std::string> read_csv_labels(const CsvFile& file, const std::string& label_column,
                                         NodeIndex& nodes, bool defines_nodes, ThreadPool& pool);

/// One class a row, in the order in which they are numbered.
std::vector<std::string> read_csv_classes(const CsvFile& file);

}  // namespace gdkm
