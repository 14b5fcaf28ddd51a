#include "gdkm/data/formats/import_graph.hpp"

#include <fstream>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/gexf/gexf.hpp"
#include "gdkm/data/formats/gml/gml.hpp"
#include "gdkm/data/formats/graphml/graphml.hpp"
#include "gdkm/data/formats/node_link/node_link.hpp"
#include "gdkm/data/formats/npz/pyg_npz.hpp"
#include "gdkm/data/formats/pajek/pajek.hpp"
#include "gdkm/data/formats/pickle/python_file.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The file of that name in a folder, with commas or tabs; empty where there is none.
fs::path in_folder(const fs::path& folder, const std::string& name) {
  for (const char* ending : {".csv", ".tsv", ".csv.gz"})
    if (is_file(folder / (name + ending))) return folder / (name + ending);
  return {};
}

std::optional<OwnFormat> by_ending(const fs::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".graphml" || ending == ".xml") return OwnFormat::graphml;
  if (ending == ".gexf") return OwnFormat::gexf;
  if (ending == ".gml") return OwnFormat::gml;
  if (ending == ".json") return OwnFormat::node_link;
  if (ending == ".net") return OwnFormat::pajek;
  return std::nullopt;
}

std::optional<OwnFormat> by_start(const fs::path& path) {
  std::string start(4096, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  if (start.starts_with("PK")) return OwnFormat::npz;
  // The first bytes of a packed file tell nothing, so its name decides.
  if (start.starts_with("\x1f\x8b")) return by_ending(path.stem()).value_or(OwnFormat::edge_list);
  const bool is_utf16 = start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF");
  if (start.find('\0') != std::string::npos && !is_utf16) return std::nullopt;
  const auto first = start.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string::npos) return OwnFormat::edge_list;
  if (start[first] == '<')
    return start.find("<gexf") == std::string::npos ? OwnFormat::graphml : OwnFormat::gexf;
  if (start[first] == '{' || start[first] == '[') return OwnFormat::node_link;
  if (looks_like_pajek(start)) return OwnFormat::pajek;
  return looks_like_gml(start) ? OwnFormat::gml : OwnFormat::edge_list;
}

void use_folder(const fs::path& folder, CsvGraphFiles& files) {
  const auto use = [&](const char* name, fs::path& file) {
    if (file.empty()) file = in_folder(folder, name);
  };
  use("edges", files.edges);
  use("features", files.features);
  use("labels", files.labels);
  use("splits", files.splits);
  use("classes", files.classes);
  use("columns", files.columns);
  const fs::path nodes = files.nodes.empty() ? in_folder(folder, "nodes") : fs::path();
  const fs::path& other = files.features.empty() ? files.labels : files.features;
  if (!nodes.empty() && !other.empty()) {
    refuse(
        "{} and {} both describe the nodes; keep one of them, or give the files that count with {} and {}, "
        "{} or {}",
        nodes.string(), other.string(), option("edges"), option("nodes"), option("features"),
        option("labels"));
  }
  if (!nodes.empty()) files.nodes = nodes;
  if (files.edges.empty())
    refuse(folder.string() + ": the folder has no edges.csv; add one, or give files instead");
}

/// A file that contains everything must not be combined with others.
void check_alone(const ImportRequest& request, const std::string& format) {
  const CsvGraphFiles& csv = request.csv;
  for (const auto* path : {&csv.edges, &csv.features, &csv.labels, &csv.nodes, &csv.splits, &csv.classes}) {
    if (path->empty()) continue;
    refuse("{}: {} already contains features, classes and splits; leave out {}", request.file.string(),
           format, path->string());
  }
}

/// The arrays of an npz have no names to choose from and no types to choose.
void check_no_columns(const ImportRequest& request) {
  const CsvGraphFiles& csv = request.csv;
  const CsvColumnNames& names = csv.names;
  const std::pair<bool, const char*> given[] = {{!csv.rules.categories.empty(), "categories"},
                                                {csv.rules.refuse_missing.has_value(), "missing"},
                                                {!csv.rules.ignored.empty(), "ignore_columns"},
                                                {!csv.rules.ordinals.empty(), "ordinal"},
                                                {!names.id.empty(), "id_column"},
                                                {!names.source.empty(), "source_column"},
                                                {!names.target.empty(), "target_column"},
                                                {!names.weight.empty(), "weight_column"},
                                                {csv.header == true, "header"},
                                                {csv.header == false, "no_header"},
                                                {csv.regression, "regression"},
                                                {csv.default_features.has_value(), "features"},
                                                {!names.label.empty(), "label_column"},
                                                {!request.label_key.empty(), "label_key"},
                                                {!request.weight_key.empty(), "weight_key"}};
  std::string options;
  for (const auto& [is_given, name] : given)
    if (is_given) options += (options.empty() ? "" : ", ") + option(name);
  if (!options.empty()) {
    refuse("{}: an npz says itself what its arrays are (x, edge_index, y, ...); leave out {}",
           request.file.string(), options);
  }
}

Dataset import_npz(const ImportRequest& request) {
  check_alone(request, "an npz");
  if (!request.csv.columns.empty())
    refuse("{}: the columns of an npz are plain numbers; leave out {}", request.file.string(),
           option("columns"));
  if (!request.csv.names.type.empty() || !request.type_key.empty())
    refuse("{}: the edge types of an npz are its array 'edge_type'; leave out {} and {}",
           request.file.string(), option("type_column"), option("type_key"));
  check_no_columns(request);
  const NpzReader archive(request.file);
  if (is_pyg_npz(archive)) return read_pyg_npz(request.file, request.csv.directed);
  const std::string where = request.file.string();
  if (archive.contains("node_labels"))
    refuse(where + ": needs no import; use it directly, e.g. gdkm data info " + where);
  refuse(where + ": has no array 'edge_index' (PyTorch Geometric); store x, edge_index and y");
}

AttributedGraph read_attributed(OwnFormat format, const Text& text, std::optional<bool> directed) {
  switch (format) {
    case OwnFormat::graphml:
      return read_graphml(text, directed);
    case OwnFormat::gexf:
      return read_gexf(text);
    case OwnFormat::gml:
      return read_gml(text);
    case OwnFormat::pajek:
      return read_pajek(text);
    default:
      return read_node_link(text);
  }
}

Dataset import_attributed(OwnFormat format, const ImportRequest& request) {
  const CsvGraphFiles& csv = request.csv;
  check_alone(request, title_of(format));
  const CsvColumnNames& names = csv.names;
  if (csv.header) {
    refuse("{} is for CSV; {} has no header line", option(*csv.header ? "header" : "no_header"),
           title_of(format));
  }
  for (const auto& [column, name] : {std::pair{&names.type, "type"}, {&names.weight, "weight"}}) {
    if (!column->empty())
      refuse("{} is for CSV; for {}, name the edge attribute with {}", option(std::string(name) + "_column"),
             title_of(format), option(std::string(name) + "_key"));
  }
  for (const auto& [column, name] : {std::pair{&names.id, "id_column"},
                                     {&names.source, "source_column"},
                                     {&names.target, "target_column"}}) {
    if (!column->empty())
      refuse("{} is for CSV; {} says itself where ids are", option(name), title_of(format));
  }
  if (!names.label.empty() && !request.label_key.empty() && names.label != request.label_key)
    refuse("{} and {} name two attributes; give one", option("label_key"), option("label_column"));
  AttributeChoice choice{request.label_key.empty() ? names.label : request.label_key,
                         request.weight_key,
                         request.type_key,
                         csv.regression,
                         csv.rules,
                         csv.directed,
                         csv.default_features};
  if (!csv.columns.empty()) add_given_columns(csv.columns, choice.rules);
  const Text text = read_text(request.file);
  return to_dataset(read_attributed(format, text, csv.directed), choice);
}

}  // namespace

std::string title_of(OwnFormat format) {
  switch (format) {
    case OwnFormat::npz:
      return "an npz";
    case OwnFormat::graphml:
      return "GraphML";
    case OwnFormat::gml:
      return "GML";
    case OwnFormat::gexf:
      return "GEXF";
    case OwnFormat::node_link:
      return "JSON node-link";
    case OwnFormat::pajek:
      return "Pajek";
    case OwnFormat::edge_list:
      return "a list of edges";
    case OwnFormat::csv_folder:
      return "a folder of CSV files";
  }
  return "";
}

std::optional<OwnFormat> recognise_own(const fs::path& path) {
  if (is_folder(path)) {
    return in_folder(path, "edges").empty() ? std::nullopt : std::optional(OwnFormat::csv_folder);
  }
  return is_file(path) ? by_start(path) : std::nullopt;
}

namespace {

/// A table of a CSV graph must not be a whole graph, nor a file that only another program reads.
void check_table(const fs::path& path, const char* name) {
  if (path.empty()) return;
  refuse_python_file(path);
  if (!is_file(path)) return;  // the reader says so
  const auto format = recognise_own(path);
  if (!format) return;
  if (*format == OwnFormat::npz)
    refuse("{}: is an archive, but {} needs text; unpack it, or give an npz as FILE", path.string(),
           option(name));
  if (*format != OwnFormat::edge_list)
    refuse("{}: is {}; give it as FILE, without {}", path.string(), title_of(*format), option(name));
}

}  // namespace

Dataset import_graph(ImportRequest request, int threads) {
  CsvGraphFiles& csv = request.csv;
  check_table(csv.edges, "edges");
  check_table(csv.nodes, "nodes");
  check_table(csv.features, "features");
  check_table(csv.labels, "labels");
  if (!request.file.empty()) {
    if (!is_folder(request.file)) refuse_python_file(request.file);
    const auto format = is_folder(request.file) ? OwnFormat::csv_folder
                                                : recognise_own(request.file).value_or(OwnFormat::edge_list);
    if (format == OwnFormat::npz) return import_npz(request);
    if (format == OwnFormat::csv_folder) {
      use_folder(request.file, csv);
    } else if (format != OwnFormat::edge_list) {
      return import_attributed(format, request);
    } else if (!csv.edges.empty()) {
      refuse("{} and {} both contain edges; give one", request.file.string(),
             option("edges", csv.edges.string()));
    } else {
      csv.edges = request.file;
    }
  }
  if (!request.label_key.empty() || !request.weight_key.empty()) {
    refuse(option("label_key") + " and " + option("weight_key") +
           " are for GraphML, GML, GEXF, JSON and Pajek; for CSV, name columns with " +
           option("label_column") + " and " + option("weight_column"));
  }
  if (!request.type_key.empty()) {
    refuse(option("type_key") + " is for GraphML, GML, GEXF, JSON and Pajek; for CSV, name the column with " +
           option("type_column"));
  }
  ThreadPool pool(threads);
  return read_csv_graph(csv, pool);
}

}  // namespace gdkm
