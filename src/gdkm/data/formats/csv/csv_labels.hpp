#pragma once

#include <string>
#include <vector>

#include "gdkm/data/formats/csv/csv_file.hpp"
#include "gdkm/data/formats/shared/node_index.hpp"

namespace gdkm {

/// The column of that name; an InputError lists the existing columns. Without a name, the second of two
/// columns.
std::size_t find_label_column(const CsvFile& file, const std::string& name);

/// Reads "id, class" into one text per node; "" for a node without a row. With `defines_nodes` the rows
/// define the nodes and are added to `nodes`; otherwise each must be one of them.
std::vector<std::string> read_csv_labels(const CsvFile& file, const std::string& label_column,
                                         NodeIndex& nodes, bool defines_nodes, ThreadPool& pool);

/// One class per row, in the order of their numbers.
std::vector<std::string> read_csv_classes(const CsvFile& file);

}  // namespace gdkm
