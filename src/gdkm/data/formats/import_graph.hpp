#pragma once

#include <filesystem>
#include <string>

#include "gdkm/data/formats/csv/csv_graph.hpp"

namespace gdkm {

/// What somebody has of a graph: one file that holds it, or the files of a CSV graph.
struct ImportRequest {
  std::filesystem::path file;         // .npz of PyTorch Geometric, GraphML, Matrix Market, or an edge list
  CsvGraphFiles csv;                  // what stands beside it, or instead of it
  std::string label_key, weight_key;  // of GraphML
};

/// Reads it, whatever its format, which is told by the first bytes of the file. A folder is taken for an
/// export: its edges.csv, features.csv, labels.csv, splits.csv and classes.csv are read. 0 threads means one
/// per core. What does not go together is an InputError.
Dataset import_graph(ImportRequest request, int threads = 0);

}  // namespace gdkm
