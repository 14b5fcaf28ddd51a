#include "gdkm/data/formats/format.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <variant>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/formats/arrays/arrays_folder.hpp"
#include "gdkm/data/formats/geom_gcn/geom_gcn.hpp"
#include "gdkm/data/formats/import_graph.hpp"
#include "gdkm/data/formats/matlab/attributed_mat.hpp"
#include "gdkm/data/formats/matlab/facebook100.hpp"
#include "gdkm/data/formats/musae/musae.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/formats/npz/pyg_npz.hpp"
#include "gdkm/data/formats/ogb/ogb.hpp"
#include "gdkm/data/formats/parts/parts.hpp"
#include "gdkm/data/formats/planetoid/planetoid.hpp"
#include "gdkm/data/formats/reddit/reddit.hpp"
#include "gdkm/data/formats/tu/tu.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

/// What a reader recognises its format by: an .npz, a .mat file, or the files of a folder or zip archive. The
/// formats of people's own graphs are told apart by import_graph.
using Matches = std::variant<bool (*)(const NpzReader&), bool (*)(const MatFile&),
                             bool (*)(const FileTree&, const std::string& name), OwnFormat>;
using Read = Dataset (*)(const fs::path&, const std::string& name, ThreadPool&);

struct Reader {
  Format format;
  const char* title;
  Matches matches;
  Read read;
};

template <Dataset (*read)(const FileTree&, const std::string&, ThreadPool&)>
Dataset from_tree(const fs::path& path, const std::string& name, ThreadPool& pool) {
  return read(FileTree(path), name, pool);
}

Dataset from_npz(const fs::path& path, const std::string&, ThreadPool& pool) {
  return read_graph_npz(path, pool);
}

Dataset from_pyg_npz(const fs::path& path, const std::string&, ThreadPool&) {
  return read_pyg_npz(path);
}

Dataset from_attributed_mat(const fs::path& path, const std::string& name, ThreadPool&) {
  return read_attributed_mat(read_text(path), name);
}

Dataset from_parts(const fs::path& path, const std::string&, ThreadPool&) {
  return read_parts(path);
}

bool mentions_option(const std::string& message) {
  bool out = false;
  spell_options(message, [&](std::string_view, std::string_view) {
    out = true;
    return std::string();
  });
  return out;
}

/// As an import without options reads it. Its errors tell of options, which only an import has.
Dataset import_own(const fs::path& path, ThreadPool& pool) {
  ImportRequest request;
  request.file = path;
  try {
    return import_graph(std::move(request), pool.size());
  } catch (const InputError& error) {
    if (!mentions_option(error.message())) throw;
    throw InputError(error.message() + "; options of columns are those of 'gdkm data import " +
                     path.string() + " -o graph.npz'");
  }
}

Dataset from_own(const fs::path& path, const std::string&, ThreadPool& pool) {
  Dataset out = import_own(path, pool);
  if (std::any_of(out.remarks.begin(), out.remarks.end(), mentions_option))
    out.remarks.push_back(path.string() +
                          ": say more about columns, ids and classes with 'gdkm data import'");
  return out;
}

Dataset from_edge_list(const fs::path& path, const std::string&, ThreadPool& pool) {
  Dataset out = import_own(path, pool);
  out.remarks.push_back(path.string() +
                        ": a list of edges has no classes; give them with 'gdkm data import' and " +
                        option("labels") + " or " + option("nodes"));
  return out;
}

/// One row per format. The first row that matches is taken.
const std::array readers{
    Reader{Format::pyg_npz, "npz in the style of PyTorch Geometric", is_pyg_npz, from_pyg_npz},
    Reader{Format::npz, "npz", is_graph_npz, from_npz},
    Reader{Format::attributed_mat, "MATLAB, attributed network", is_attributed_mat, from_attributed_mat},
    Reader{Format::facebook100, "MATLAB, Facebook100", is_facebook100, read_facebook100_file},
    Reader{Format::tu, "TU text", is_tu, from_tree<read_tu>},
    Reader{Format::ogb, "Open Graph Benchmark", is_ogb, from_tree<read_ogb_arxiv>},
    Reader{Format::planetoid, "Planetoid", is_planetoid, from_tree<read_planetoid>},
    Reader{Format::geom_gcn, "Geom-GCN text", is_geom_gcn, from_tree<read_geom_gcn>},
    Reader{Format::musae, "MUSAE", is_musae, from_tree<read_musae>},
    Reader{Format::reddit, "Reddit npz", is_reddit, read_reddit},
    Reader{Format::graphml, "GraphML", OwnFormat::graphml, from_own},
    Reader{Format::gml, "GML", OwnFormat::gml, from_own},
    Reader{Format::gexf, "GEXF", OwnFormat::gexf, from_own},
    Reader{Format::node_link, "JSON node-link", OwnFormat::node_link, from_own},
    Reader{Format::pajek, "Pajek", OwnFormat::pajek, from_own},
    Reader{Format::edge_list, "list of edges", OwnFormat::edge_list, from_edge_list},
    Reader{Format::csv_folder, "folder of CSV files", OwnFormat::csv_folder, from_own},
    Reader{Format::arrays, "folder of arrays", is_arrays_folder, from_tree<read_arrays_folder>},
    Reader{Format::parts, "graph in parts", is_parts_folder, from_parts},
};

const Reader& reader_of(Format format) {
  return *std::find_if(readers.begin(), readers.end(), [&](const Reader& r) { return r.format == format; });
}

template <class... Contents>
std::optional<FoundFormat> find_reader(const fs::path& path, const Contents&... contents) {
  for (const Reader& reader : readers) {
    const auto* matches = std::get_if<bool (*)(const Contents&...)>(&reader.matches);
    if (matches != nullptr && (*matches)(contents...)) return FoundFormat{reader.format, path};
  }
  return std::nullopt;
}

std::optional<FoundFormat> find_own(const fs::path& path) {
  const auto own = recognise_own(path);
  for (const Reader& reader : readers) {
    const auto* format = std::get_if<OwnFormat>(&reader.matches);
    if (own && format != nullptr && *format == *own) return FoundFormat{reader.format, path};
  }
  return std::nullopt;
}

bool starts_like_zip(const fs::path& path) {
  char start[4] = {};
  std::ifstream(path, std::ios::binary).read(start, 4);
  return std::string_view(start, 4) == "PK\x03\x04";
}

std::optional<FoundFormat> recognise_file(const fs::path& path, const std::string& name) {
  const std::string ending = path.extension().string();
  const bool is_unnamed_zip = ending != ".npz" && ending != ".zip" && starts_like_zip(path);
  if (ending == ".npz" || is_unnamed_zip) {
    const auto found = find_reader(path, NpzReader(path));
    if (found || !is_unnamed_zip) return found;
  }
  if (ending == ".zip" || is_unnamed_zip) return find_reader(path, FileTree(path), name);
  if (ending == ".mat") {
    const Text text = read_text(path);
    return find_reader(path, MatFile(text));
  }
  return find_own(path);
}

std::optional<FoundFormat> recognise_folder(const fs::path& folder, const std::string& name) {
  const FileTree files(folder);
  if (is_parts_folder(files, name)) return FoundFormat{Format::parts, folder};
  std::string underscored = name;
  std::replace(underscored.begin(), underscored.end(), '-', '_');
  for (const std::string& stem : {name, underscored}) {
    std::error_code ignored;
    const fs::path file = folder / (stem + ".npz");
    if (fs::is_regular_file(file, ignored)) return recognise_file(file, name);
  }
  if (const auto found = find_reader(folder, files, name)) return found;
  for (const char* ending : {".mat", ".zip"}) {
    for (const std::string& file : files.names()) {
      if (!file.ends_with(ending) || file.find('/') != std::string::npos) continue;
      if (const auto found = recognise_file(folder / file, name)) return found;
    }
  }
  return find_own(folder);
}

}  // namespace

std::string title_of(Format format) {
  return reader_of(format).title;
}

std::optional<FoundFormat> recognise(const fs::path& path, const std::string& name) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? recognise_folder(path, name) : recognise_file(path, name);
}

Dataset read(const FoundFormat& found, const std::string& name, ThreadPool& pool, ReadingRank rank) {
  Dataset out = found.format == Format::parts ? read_parts(found.path, rank.rank, rank.ranks)
                                              : reader_of(found.format).read(found.path, name, pool);
  out.name = name;
  return out;
}

}  // namespace gdkm
