#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gdkm/data/formats/csv/csv_graph.hpp"

namespace gdkm {

/// A graph to import: one file that contains it, or the files of a CSV graph.
struct ImportRequest {
  /// GraphML, GML, GEXF, JSON node-link, Pajek, .npz of PyTorch Geometric, Matrix Market, a list of edges, an
  /// adjacency list, or a folder.
  std::filesystem::path file;
  CsvGraphFiles csv;                            // given beside it, or instead of it
  std::string label_key, weight_key, type_key;  // of the formats with attributes; "none" for none
};

/// The formats in which people have their own graphs.
enum class OwnFormat { npz, graphml, gml, gexf, node_link, pajek, edge_list, csv_folder };

/// The name of the format in messages.
std::string title_of(OwnFormat format);

/// Tells the format by the first bytes of a file, or by its name where it is packed; nothing for a folder
/// without a list of edges, and for files that are not text.
std::optional<OwnFormat> recognise_own(const std::filesystem::path& path);

/// Reads the graph. A folder has edges.csv, and nodes.csv or what an export writes: features.csv, labels.csv,
/// splits.csv, classes.csv and columns.csv. 0 threads means one per core. A request that does not fit
/// together is an InputError.
Dataset import_graph(ImportRequest request, int threads = 0);

}  // namespace gdkm
