#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/csv/csv_file.hpp"
#include "gdkm/data/formats/shared/node_index.hpp"
#include "gdkm/graph/features.hpp"

namespace gdkm {

/// A table of nodes in file order: id, numbers, and optionally the class as text.
struct CsvNodeTable {
  std::vector<std::string> id;
  Features features;                    // zero columns where the table has none
  std::vector<std::string> class_text;  // empty without a label column
};

/// Reads "id, number, number, …". `label_column` holds the class; `ignored` columns are skipped. Columns that
/// are not numeric are refused. So is a column with a name like "class" that is not declared as the class: a
/// class among the features would make any model look perfect.
CsvNodeTable read_csv_node_table(const CsvFile& file, std::optional<std::size_t> label_column,
                                 const std::vector<std::string>& ignored, ThreadPool& pool);

/// Whether the columns are `node, feature, value`: the sparse form, one row per nonzero value.
bool is_csv_triplets(const CsvFile& file);

/// Reads the sparse form. Features are numbered from 0 and the largest number sets the width, so a row with
/// the value 0 can widen a matrix whose last columns are empty.
Features read_csv_triplets(const CsvFile& file, const NodeIndex& nodes, ThreadPool& pool);

/// The rows of `table` in the order of `nodes`. Every node must have a row.
CsvNodeTable arranged(const CsvFile& file, CsvNodeTable table, const NodeIndex& nodes);

}  // namespace gdkm
