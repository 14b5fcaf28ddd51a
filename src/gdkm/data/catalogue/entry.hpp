#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/formats/format.hpp"

namespace gdkm {

struct CatalogueFile {
  std::string name;     // relative path under <data folder>/<name of the entry>/
  std::string url;      // where it is published
  std::string sha256;   // lower-case hexadecimal; empty where no checked copy was at hand
  bool unpack = false;  // an archive whose members are wanted in its place
};

/// What a data set must hold; zero where it is not known. Edges are unordered pairs of distinct nodes.
struct ExpectedCounts {
  Index nodes = 0, edges = 0, features = 0;
  int classes = 0;
  double homophily = 0;  // of a graph task: of the node labels
  Index graphs = 0;
};

/// A data set that is known by name: all that is known of it in one place.
struct CatalogueEntry {
  std::string name;   // as users type it, and the name of its folder
  std::string title;  // as papers write it
  Task task = Task::node;
  Format format = Format::npz;
  std::string metric;   // what the literature scores it by
  std::string splits;   // the official ones, in words
  std::string source;   // who publishes it
  std::string licence;  // as far as the publisher states one
  ExpectedCounts counts;
  bool verified =
      false;  // counts and files were checked against a copy; otherwise they are the publisher's word
  std::vector<CatalogueFile> files;
};

/// All entries, in the order in which a list shows them.
const std::vector<CatalogueEntry>& catalogue();

/// The entry of that name, blind to case and to '-' against '_'; nullptr where there is none.
const CatalogueEntry* find_entry(std::string_view name);

/// SHA-256 of a published file ("cora/ind.cora.x"), or "" where none was checked.
std::string_view checksum_of(std::string_view path);

}  // namespace gdkm
