#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/assembly/made_features.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// The files of a graph, as people keep them; all but one of edges, features, labels and nodes may be
/// missing.
struct CsvGraphFiles {
  std::filesystem::path edges;     // two nodes a row, optionally a weight; or a Matrix Market file
  std::filesystem::path features;  // id and numbers, or node, feature, value; or a Matrix Market file
  std::filesystem::path labels;    // id and class
  std::filesystem::path nodes;     // id, numbers and possibly a class: features and labels in one
  std::filesystem::path splits;    // id and train, val or test, once or more
  std::filesystem::path classes;   // the classes in the order of their numbers
  std::string label_column;
  bool regression = false;  // labels are numbers to predict
  std::vector<std::string> ignored_columns;
  std::optional<bool> header;                // whether first rows name the columns; else it is detected
  std::optional<bool> directed;              // else as a Matrix Market file says, and no for CSV
  MadeFeatures made = MadeFeatures::degree;  // of nodes without features
};

/// Nodes are the rows of the features or nodes file, else of the labels, else all that occur, in natural
/// order; those of a Matrix Market file are numbered from 1. Ids other than 0, 1, 2, … become node_names.
Dataset read_csv_graph(const CsvGraphFiles& files, ThreadPool& pool);

}  // namespace gdkm
