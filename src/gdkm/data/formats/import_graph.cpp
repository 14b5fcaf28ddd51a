#include "gdkm/data/formats/import_graph.hpp"

#include <fstream>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/graphml/graphml.hpp"
#include "gdkm/data/formats/npz/pyg_npz.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

enum class FileKind { npz, graphml, text };

/// Decided by the first bytes. Those of a gzipped file tell nothing, so its name decides.
FileKind kind_of(const fs::path& path) {
  std::string start(256, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  if (start.starts_with("PK")) return FileKind::npz;
  if (start.starts_with("\x1f\x8b")) {
    const auto inner = path.stem().extension();
    return inner == ".graphml" || inner == ".xml" ? FileKind::graphml : FileKind::text;
  }
  const auto first = start.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first != std::string::npos && start[first] == '<' ? FileKind::graphml : FileKind::text;
}

void use_folder(const fs::path& folder, CsvGraphFiles& files) {
  const auto use = [&](const char* name, fs::path& file) {
    std::error_code ignored;
    if (file.empty() && fs::is_regular_file(folder / name, ignored)) file = folder / name;
  };
  use("edges.csv", files.edges);
  use("features.csv", files.features);
  use("labels.csv", files.labels);
  use("splits.csv", files.splits);
  use("classes.csv", files.classes);
  if (files.edges.empty())
    refuse(folder.string() + ": the folder has no edges.csv; add one, or give files instead");
}

/// A file that contains everything must not be combined with others.
void check_alone(const ImportRequest& request, const char* format) {
  const CsvGraphFiles& csv = request.csv;
  for (const auto* path : {&csv.edges, &csv.features, &csv.labels, &csv.nodes, &csv.splits, &csv.classes}) {
    if (path->empty()) continue;
    refuse("{}: {} already contains features, classes and splits; leave out {}", request.file.string(),
           format, path->string());
  }
}

Dataset import_npz(const ImportRequest& request) {
  check_alone(request, "an npz");
  if (!request.csv.type_column.empty() || !request.type_key.empty())
    refuse("{}: the edge types of an npz are its array 'edge_type'; leave out {} and {}",
           request.file.string(), option("type_column"), option("type_key"));
  const NpzReader archive(request.file);
  if (is_pyg_npz(archive)) return read_pyg_npz(request.file, request.csv.directed);
  const std::string where = request.file.string();
  if (archive.contains("node_labels"))
    refuse(where + ": needs no import; use it directly, e.g. gdkm data info " + where);
  refuse(where + ": has no array 'edge_index' (PyTorch Geometric); store x, edge_index and y");
}

}  // namespace

Dataset import_graph(ImportRequest request, int threads) {
  CsvGraphFiles& csv = request.csv;
  std::error_code ignored;
  bool is_graphml = false;
  if (!request.file.empty()) {
    if (fs::is_directory(request.file, ignored)) {
      use_folder(request.file, csv);
    } else {
      const FileKind kind = kind_of(request.file);
      if (kind == FileKind::npz) return import_npz(request);
      is_graphml = kind == FileKind::graphml;
      if (!is_graphml) {
        if (!csv.edges.empty()) {
          refuse("{} and {} both contain edges; give one", request.file.string(),
                 option("edges", csv.edges.string()));
        }
        csv.edges = request.file;
      }
    }
  }
  if (is_graphml) {
    check_alone(request, "GraphML");
    if (!csv.type_column.empty())
      refuse("{} is for CSV; for GraphML, name the edge attribute with {}", option("type_column"),
             option("type_key"));
    return read_graphml(read_text(request.file), {request.label_key, request.weight_key, request.type_key,
                                                  csv.directed, csv.default_features});
  }
  if (!request.label_key.empty() || !request.weight_key.empty()) {
    refuse(option("label_key") + " and " + option("weight_key") +
           " are for GraphML; for CSV, name the class column with " + option("label_column"));
  }
  if (!request.type_key.empty()) {
    refuse(option("type_key") + " is for GraphML; for CSV, name the column with " + option("type_column"));
  }
  ThreadPool pool(threads);
  return read_csv_graph(csv, pool);
}

}  // namespace gdkm
