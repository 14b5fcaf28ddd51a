#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/shared/default_features.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// The files of a graph. At least one of edges, features, labels and nodes is needed.
struct CsvGraphFiles {
  std::filesystem::path edges;     // two nodes per row, optionally weight and type; or a Matrix Market file
  std::filesystem::path features;  // id and numbers; node, feature, value; or a Matrix Market file
  std::filesystem::path labels;    // id and class
  std::filesystem::path nodes;     // features and labels in one: id, numbers and optionally a class
  std::filesystem::path splits;    // id, then one column per split: train, val or test
  std::filesystem::path classes;   // one class per line, in the order of their numbers
  std::string label_column;
  std::string type_column;  // of the edges; "" for "type" or "edge_type", if there is one; "none" for none
  bool regression = false;  // labels are numbers to predict, not classes
  std::vector<std::string> ignored_columns;
  std::optional<bool> header;    // whether first rows name the columns; detected by default
  std::optional<bool> directed;  // default: as a Matrix Market file says; false for CSV
  DefaultFeatures default_features = DefaultFeatures::degree;  // for nodes without features
};

/// Nodes are the rows of the features or nodes file, else of the labels, else all ids that occur, in natural
/// order. Nodes of a Matrix Market file are numbered from 1. Ids other than 0, 1, 2, … become node_names.
Dataset read_csv_graph(const CsvGraphFiles& files, ThreadPool& pool);

}  // namespace gdkm
