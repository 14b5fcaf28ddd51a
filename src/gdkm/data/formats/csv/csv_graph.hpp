#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/shared/column_rules.hpp"
#include "gdkm/data/formats/shared/default_features.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// Which columns of a file are what, where somebody says so; "" otherwise.
struct CsvColumnNames {
  std::string id;              // the ids of nodes; else a column that is named so, else the first
  std::string source, target;  // the ends of edges; else columns that are named so, else the first two
  std::string label;           // the class; "none" for none
  std::string weight, type;    // of edges; "none" for none
};

/// The files of a graph. At least one of edges, features, labels and nodes is needed.
struct CsvGraphFiles {
  std::filesystem::path edges;     // two nodes per row, optionally weight and type; or a Matrix Market file
  std::filesystem::path features;  // id and columns; node, feature, value; or a Matrix Market file
  std::filesystem::path labels;    // id and class
  std::filesystem::path nodes;     // features and labels in one: id, columns and optionally a class
  std::filesystem::path splits;    // id, then one column per split: train, val or test
  std::filesystem::path classes;   // one class per line, in the order of their numbers
  std::filesystem::path columns;   // names, types and values of the feature columns
  CsvColumnNames names;
  ColumnRules rules;             // for the columns that become features
  bool regression = false;       // labels are numbers to predict, not classes
  std::optional<bool> header;    // whether first rows name the columns; detected by default
  std::optional<bool> directed;  // default: as a Matrix Market file or Gephi's column says; else false
  std::optional<DefaultFeatures> default_features;  // for nodes without features
  /// Tables that are in memory and not on disk: their text, by the name that the paths above have for them.
  std::map<std::filesystem::path, std::string> in_memory;
};

/// Nodes are the rows of the features or nodes file, else of the labels, else all ids that occur, in natural
/// order. Nodes of a Matrix Market file are numbered from 1. Ids other than 0, 1, 2, … become node_names.
/// What was left out or assumed is in the remarks.
Dataset read_csv_graph(const CsvGraphFiles& files, ThreadPool& pool);

/// Adds to the rules what a file says about columns: name, type, whether values are missing, values. A first
/// row "*,untyped" says that they are plain numbers, "*,words" that they are the counts of words, "*,nodes"
/// that each stands for a node.
void add_given_columns(const std::filesystem::path& path, ColumnRules& rules);

}  // namespace gdkm
