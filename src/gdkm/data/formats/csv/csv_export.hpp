#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// A data set as CSV: file names and contents. edges.csv (source, target, optional weight); features.csv (id
/// and the columns of the table as their owner had them, or one column per feature, or node, feature, value
/// for sparse features, words and nodes); columns.csv (name, type, whether values are missing, values);
/// labels.csv (id, class; all nodes); splits.csv if there are splits; classes.csv if labels.csv does not
/// determine the numbers of the classes. read_csv_graph reads the same data set back, except that the files
/// do not say whether edges are directed.
std::vector<std::pair<std::string, std::string>> csv_files(const Dataset& dataset);

/// Writes the files of csv_files to a new folder, all or nothing. An existing folder is refused unless it is
/// empty, or `replace` is set and it contains only an earlier export.
void write_csv_folder(const Dataset& dataset, const std::filesystem::path& folder, bool replace);

}  // namespace gdkm
