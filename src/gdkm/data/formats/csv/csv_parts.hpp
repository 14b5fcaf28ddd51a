#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/csv/csv_file.hpp"
#include "gdkm/data/formats/csv/csv_graph.hpp"
#include "gdkm/data/formats/shared/column_rules.hpp"
#include "gdkm/data/formats/shared/node_index.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// A table of nodes in file order: ids, features, and the class as text.
struct CsvNodeTable {
  std::vector<std::string> id;
  std::size_t id_column = 0;
  Features features;                    // zero columns where the table has none
  std::vector<TableColumn> table;       // the meaning of its columns; empty where they are plain numbers
  std::vector<std::string> class_text;  // empty without a class
  bool decimal_comma = false;           // in class_text
  bool words = false;                   // the columns are a bag of words
  std::vector<std::string> remarks;
};

/// Reads a table of nodes. Its columns become features by the rules of choose_types. The class is in the
/// column that `names` names; where it names none and `guesses_class`, in a column that is named like it.
/// Without a class, a column that is named like it is refused: as a feature it would make any model look
/// perfect.
CsvNodeTable read_csv_node_table(const CsvFile& file, const CsvColumnNames& names, const ColumnRules& rules,
                                 bool guesses_class, ThreadPool& pool);

/// Whether the columns are `node, feature, value`: the sparse form, one row per nonzero value.
bool is_csv_triplets(const CsvFile& file);

/// Reads the sparse form. Features are numbered from 0 and the largest number sets the width, so a row with
/// the value 0 can widen a matrix whose last columns are empty.
Features read_csv_triplets(const CsvFile& file, const NodeIndex& nodes, ThreadPool& pool);

/// The rows of `table` in the order of `nodes`. Every node must have a row.
CsvNodeTable arranged(const CsvFile& file, CsvNodeTable table, const NodeIndex& nodes);

/// The distinct texts of these columns in natural order: the nodes, where no other file lists them.
NodeIndex collect_nodes(const CsvFile& file, const std::vector<std::size_t>& columns, ThreadPool& pool);

/// What the columns of a list of edges are.
struct CsvEdgeColumns {
  std::size_t source = 0, target = 1;
  std::optional<std::size_t> weight, type;
  std::vector<std::size_t> ignored;
};

/// Without names, the ends of an edge are the columns that are named so (source and target, from_user and
/// to_user), else the first two after pandas' index; the weight is in a column that is named so, or the last
/// of three where no header says otherwise; the type in "type" or "edge_type".
CsvEdgeColumns find_edge_columns(const CsvFile& file, const CsvColumnNames& names);

/// A table of nodes given as a list of edges is an InputError that says what to do: the column that would be
/// the source has other ids in each row, and the next one names no nodes. Nobody says what the columns are.
void refuse_node_table(const CsvFile& file, const CsvEdgeColumns& columns, const CsvColumnNames& names);

/// Reads one edge per row. A column "type" that only says Directed or Undirected (Gephi) has no types, but
/// says whether the graph is directed. Edges keep their order and direction.
Graph read_csv_edges(const CsvFile& file, const CsvEdgeColumns& columns, const CsvColumnNames& names,
                     const NodeIndex& nodes, ThreadPool& pool);

/// What is to be said about the columns, one line each.
std::vector<std::string> edge_remarks(const CsvFile& file, const CsvEdgeColumns& columns);

/// The column of that name; an InputError lists the existing columns.
std::size_t find_column(const CsvFile& file, const std::string& name);

/// The column with the ids: the named one if the file has it, else one that is named so ("id", else
/// "customer_id"), else the first. Of several, the one whose ids the other files know best. `others`
/// are columns of which somebody says that they are something else.
std::size_t find_id_column(const CsvFile& file, const std::string& name,
                           const std::vector<std::string>& others = {});

/// Says that ids are not in the first column, where nobody said in which; empty otherwise.
std::string id_remark(const CsvFile& file, const std::string& name, std::size_t id);

/// Says in parentheses which column has the ids, for a message about one of them.
std::string id_hint(const CsvFile& file, std::size_t id);

/// The column of that name; an InputError lists the existing columns. Without a name, the second of two
/// columns, or the only one that is named label, class, y or target.
std::size_t find_label_column(const CsvFile& file, const std::string& name, std::size_t id);

/// Reads "id, class" into one text per node; "" for a node without a row. With `defines_nodes` the rows
/// define the nodes and are added to `nodes`; otherwise each must be one of them.
std::vector<std::string> read_csv_labels(const CsvFile& file, const CsvColumnNames& names, NodeIndex& nodes,
                                         bool defines_nodes, ThreadPool& pool);

/// One class per row, in the order of their numbers.
std::vector<std::string> read_csv_classes(const CsvFile& file);

/// Reads "id, part, part, …". Every column but that of the ids is a split; its fields are train, val (valid,
/// validation), test, or empty for a node outside the split. A column named SET:K belongs to the split set
/// SET, any other to "public".
std::map<std::string, std::vector<Split>> read_csv_splits(const CsvFile& file, const NodeIndex& nodes,
                                                          const std::vector<std::int32_t>& label,
                                                          const std::string& id_column, ThreadPool& pool);

}  // namespace gdkm
