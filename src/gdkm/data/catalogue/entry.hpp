#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/formats/format.hpp"

namespace gdkm {

struct CatalogueFile {
  std::string name;     // path relative to <data folder>/<entry name>/
  std::string url;      // where it is published
  std::string sha256;   // lower-case hexadecimal; empty if unknown
  bool unpack = false;  // whether to unpack this archive and remove it
};

/// Expected counts of a data set; zero means unknown. Edges are unordered pairs of distinct nodes.
struct ExpectedCounts {
  Index nodes = 0, edges = 0, features = 0;
  int classes = 0;
  double homophily = 0;  // for a graph task: of the node labels
  Index graphs = 0;
};

/// A data set known by name.
struct CatalogueEntry {
  std::string name;   // as users type it; also its folder
  std::string title;  // as in papers
  Task task = Task::node;
  Format format = Format::npz;
  std::string metric;   // metric used in the literature
  std::string splits;   // official splits, in words
  std::string source;   // who publishes it
  std::string licence;  // if the publisher states one
  ExpectedCounts counts;
  bool verified = false;  // counts and files were checked against a copy
  std::vector<CatalogueFile> files;
};

/// All entries, in display order.
const std::vector<CatalogueEntry>& catalogue();

/// The entry of that name, ignoring case and '-' versus '_'; nullptr if there is none.
const CatalogueEntry* find_entry(std::string_view name);

/// SHA-256 of a published file ("cora/ind.cora.x"), or "" if unknown.
std::string_view checksum_of(std::string_view path);

}  // namespace gdkm
