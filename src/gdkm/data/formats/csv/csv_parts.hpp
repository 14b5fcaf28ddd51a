#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/csv/csv_file.hpp"
#include "gdkm/data/formats/shared/node_index.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

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

/// The distinct texts of the first `columns` columns in natural order: the nodes, where no other file lists
/// them.
NodeIndex collect_nodes(const CsvFile& file, std::size_t columns, ThreadPool& pool);

/// Reads one edge per row: two node ids, optionally a weight, in the column "weight" or in the last of three,
/// and optionally a type, in the column of that name, else in "type" or "edge_type". A column "type" that
/// only says Directed or Undirected (Gephi) has no types, and the name "none" stands for no column. Edges
/// keep their order and direction.
Graph read_csv_edges(const CsvFile& file, const std::string& type_column, const NodeIndex& nodes,
                     ThreadPool& pool);

/// The column of that name; an InputError lists the existing columns.
std::size_t find_column(const CsvFile& file, const std::string& name);

/// The column of that name; an InputError lists the existing columns. Without a name, the second of two
/// columns.
std::size_t find_label_column(const CsvFile& file, const std::string& name);

/// Reads "id, class" into one text per node; "" for a node without a row. With `defines_nodes` the rows
/// define the nodes and are added to `nodes`; otherwise each must be one of them.
std::vector<std::string> read_csv_labels(const CsvFile& file, const std::string& label_column,
                                         NodeIndex& nodes, bool defines_nodes, ThreadPool& pool);

/// One class per row, in the order of their numbers.
std::vector<std::string> read_csv_classes(const CsvFile& file);

/// Reads "id, part, part, …". Every column after the first is a split; its fields are train, val (valid,
/// validation), test, or empty for a node outside the split. A column named SET:K belongs to the split set
/// SET, any other to "public".
std::map<std::string, std::vector<Split>> read_csv_splits(const CsvFile& file, const NodeIndex& nodes,
                                                          const std::vector<std::int32_t>& label,
                                                          ThreadPool& pool);

}  // namespace gdkm
