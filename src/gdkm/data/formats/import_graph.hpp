#pragma once

#include <filesystem>
#include <string>

#include "gdkm/data/formats/csv/csv_graph.hpp"

namespace gdkm {

/// A graph to import: one file that contains it, or the files of a CSV graph.
struct ImportRequest {
  std::filesystem::path file;  // .npz of PyTorch Geometric, GraphML, Matrix Market, or an edge list
  CsvGraphFiles csv;           // given beside it, or instead of it
  std::string label_key, weight_key, type_key;  // GraphML only
};

/// Reads the graph. The format is detected from the first bytes of the file. A folder is read as an export:
/// edges.csv, features.csv, labels.csv, splits.csv and classes.csv. 0 threads means one per core. A request
/// that does not fit together is an InputError.
Dataset import_graph(ImportRequest request, int threads = 0);

}  // namespace gdkm
