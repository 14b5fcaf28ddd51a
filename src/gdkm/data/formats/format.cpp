#include "gdkm/data/formats/format.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/formats/geom_gcn/geom_gcn.hpp"
#include "gdkm/data/formats/matlab/attributed_mat.hpp"
#include "gdkm/data/formats/matlab/facebook100.hpp"
#include "gdkm/data/formats/matlab/linkx_splits.hpp"
#include "gdkm/data/formats/musae/musae.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/formats/npz/pyg_npz.hpp"
#include "gdkm/data/formats/ogb/ogb.hpp"
#include "gdkm/data/formats/planetoid/planetoid.hpp"
#include "gdkm/data/formats/reddit/reddit.hpp"
#include "gdkm/data/formats/tu/tu.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::optional<FoundFormat> recognise_npz(const fs::path& path) {
  const NpzReader archive(path);
  if (archive.contains("edge_index")) return FoundFormat{Format::pyg_npz, path};
  for (const char* array :
       {"edges", "edges_directed", "node_labels", "node_targets", "node_features", "feat_data"}) {
    if (archive.contains(array)) return FoundFormat{Format::npz, path};
  }
  return std::nullopt;
}

std::optional<FoundFormat> recognise_mat(const fs::path& path) {
  const Text text = read_text(path);
  const MatFile file(text);
  if (looks_like_attributed_mat(file)) return FoundFormat{Format::attributed_mat, path};
  if (looks_like_facebook100(file)) return FoundFormat{Format::facebook100, path};
  return std::nullopt;
}

std::optional<FoundFormat> recognise_tree(const FileTree& files, const std::string& name) {
  if (tu_name(files)) return FoundFormat{Format::tu, files.path()};
  if (looks_like_ogb(files)) return FoundFormat{Format::ogb, files.path()};
  if (files.is_archive()) return std::nullopt;  // the others are not published as archives
  if (looks_like_planetoid(files, name)) return FoundFormat{Format::planetoid, files.path()};
  if (looks_like_geom_gcn(files)) return FoundFormat{Format::geom_gcn, files.path()};
  if (musae_prefix(files)) return FoundFormat{Format::musae, files.path()};
  if (looks_like_reddit(files.path())) return FoundFormat{Format::reddit, files.path()};
  return std::nullopt;
}

/// Whether a file without a telling name is an archive.
bool starts_like_zip(const fs::path& path) {
  char start[4] = {};
  std::ifstream(path, std::ios::binary).read(start, 4);
  return std::string_view(start, 4) == "PK\x03\x04";
}

std::optional<FoundFormat> recognise_file(const fs::path& path, const std::string& name) {
  const std::string ending = path.extension().string();
  if (ending != ".npz" && ending != ".zip" && starts_like_zip(path)) {
    if (const auto found = recognise_npz(path)) return found;
    return recognise_tree(FileTree(path), name);
  }
  if (ending == ".npz") return recognise_npz(path);
  if (ending == ".mat") return recognise_mat(path);
  if (ending == ".zip") return recognise_tree(FileTree(path), name);
  return std::nullopt;
}

std::optional<FoundFormat> recognise_folder(const fs::path& folder, const std::string& name) {
  std::string underscored = name;
  std::replace(underscored.begin(), underscored.end(), '-', '_');
  for (const std::string& stem : {name, underscored}) {
    if (is_file(folder / (stem + ".npz"))) return recognise_npz(folder / (stem + ".npz"));
  }
  const FileTree files(folder);
  if (const auto found = recognise_tree(files, name)) return found;
  for (const char* ending : {".mat", ".zip"}) {
    for (const std::string& file : files.names()) {
      if (!file.ends_with(ending) || file.find('/') != std::string::npos) continue;
      if (const auto found = recognise_file(folder / file, name)) return found;
    }
  }
  return std::nullopt;
}

/// A Facebook100 network with the splits of LINKX, where they lie beside it.
Dataset read_facebook(const fs::path& path, const std::string& name) {
  Dataset out = read_facebook100(read_text(path), name);
  const fs::path splits = path.parent_path() / ("fb100-" + path.stem().string() + "-splits.npy");
  if (is_file(splits)) out.splits["public"] = read_linkx_splits(read_text(splits), out.label);
  return out;
}

}  // namespace

std::string title_of(Format format) {
  switch (format) {
    case Format::npz:
      return "npz";
    case Format::pyg_npz:
      return "npz in the style of PyTorch Geometric";
    case Format::planetoid:
      return "Planetoid";
    case Format::geom_gcn:
      return "Geom-GCN text";
    case Format::attributed_mat:
      return "MATLAB, attributed network";
    case Format::facebook100:
      return "MATLAB, Facebook100";
    case Format::musae:
      return "MUSAE";
    case Format::tu:
      return "TU text";
    case Format::ogb:
      return "Open Graph Benchmark";
    case Format::reddit:
      return "Reddit npz";
  }
  return "";
}

std::optional<FoundFormat> recognise(const fs::path& path, const std::string& name) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? recognise_folder(path, name) : recognise_file(path, name);
}

Dataset read(const FoundFormat& found, const std::string& name, ThreadPool& pool) {
  const fs::path& path = found.path;
  Dataset out;
  switch (found.format) {
    case Format::npz:
      out = read_graph_npz(path, pool);
      break;
    case Format::pyg_npz:
      out = read_pyg_npz(path);
      break;
    case Format::planetoid:
      out = read_planetoid(FileTree(path), name, pool);
      break;
    case Format::geom_gcn:
      out = read_geom_gcn(FileTree(path), name, pool);
      break;
    case Format::attributed_mat:
      out = read_attributed_mat(read_text(path), name);
      break;
    case Format::facebook100:
      out = read_facebook(path, name);
      break;
    case Format::musae:
      out = read_musae(FileTree(path), name, pool);
      break;
    case Format::tu:
      out = read_tu(FileTree(path), name, pool);
      break;
    case Format::ogb:
      out = read_ogb_arxiv(FileTree(path), name, pool);
      break;
    case Format::reddit:
      out = read_reddit(path, name, pool);
      break;
  }
  out.name = name;
  return out;
}

}  // namespace gdkm
