#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/dataset/table_column.hpp"
#include "gdkm/graph/features.hpp"

namespace gdkm {

/// The meaning of feature columns that a format builds from the values it finds. Another file of the same
/// kind may contain other values, and so other columns. A model therefore stores this description, and
/// `align` brings other features into its column order.
struct FeatureColumns {
  enum class Kind {
    unknown,  // the columns of the file, without further meaning
    labels,   // one-hots of every column of node labels (perhaps none), then attributes
    degrees,  // one-hots of degrees, for nodes with neither labels nor attributes
    table,    // the columns of a table, which have names and types
    words,    // counts with names: a bag of words, of which rows are normalised
    nodes     // one column for each node of a graph, by its name
  };
  Kind kind = Kind::unknown;
  /// The values behind the one-hots, ascending: one list per column of labels, or the list of degrees.
  std::vector<std::vector<std::int32_t>> values;
  Index attributes = 0;              // columns after the one-hots
  std::string where;                 // file with the values, for messages; not compared
  std::vector<TableColumn> table{};  // of tables and words; nodes are the values of a single category
  /// Rows stand for many nodes: a flag is how often it is set. What was missing stays as it was filled in.
  bool are_pooled = false;

  /// Whether columns are known by their names.
  bool has_names() const { return !table.empty(); }
  Index one_hots() const;
  /// How many feature columns it describes; 0 of an unknown kind.
  Index width() const { return width_of(table) + one_hots() + attributes; }
};

/// What aligning may use and say.
struct AlignmentNotes {
  const std::vector<double>* fill = nullptr;    // for each column of `to`, what stands for a missing number
  std::vector<std::string>* remarks = nullptr;  // is told what was left out or replaced, a line each
};

/// Rearranges `features` from the columns `from` to the columns `to`; columns without values are zero. A
/// different kind of columns (no node labels, more attributes, other types) is an InputError that names it.
/// So is a node label, degree or node unknown to `to`; an unknown value of a category counts as missing.
/// Tables are matched by the names of their columns. If either side is unknown, nothing changes.
Features align(const Features& features, const FeatureColumns& from, const FeatureColumns& to,
               const AlignmentNotes& notes = {});

}  // namespace gdkm
