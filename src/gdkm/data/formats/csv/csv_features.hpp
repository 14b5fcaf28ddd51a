#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/assembly/node_index.hpp"
#include "gdkm/data/formats/csv/csv.hpp"
#include "gdkm/graph/features.hpp"

namespace gdkm {

/// A table of nodes, in the order of its rows: an id, numbers, and possibly the class as text.
struct CsvNodeTable {
  std::vector<std::string> id;
  Features features;                    // no columns where there are none
  std::vector<std::string> class_text;  // empty where no column was named
};

/// Reads "id, number, number, …". `label_column` is the one that holds the class, `ignored` are to be left
/// out. A column that is not numeric is refused, as is one named like a class that nobody named as such:
/// a class among the features would make any model look perfect.
CsvNodeTable read_csv_node_table(const CsvFile& file, std::optional<std::size_t> label_column,
                                 const std::vector<std::string>& ignored, ThreadPool& pool);

/// Whether the columns are `node, feature, value`: the sparse form, one row per value that is not 0.
bool is_csv_triplets(const CsvFile& file);

/// Reads that form. Features are numbered from 0; the largest number decides how many there are, so a row
/// with the value 0 widens a matrix whose last columns are empty.
Features read_csv_triplets(const CsvFile& file, const NodeIndex& nodes, ThreadPool& pool);

/// The rows of `table` in the order of `nodes`, each of which must have one.
CsvNodeTable arranged(const CsvFile& file, CsvNodeTable table, const NodeIndex& nodes);

}  // namespace gdkm
