#include "gdkm/data/formats/arrays/arrays_folder.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>

#include "gdkm/data/files/folder_aside.hpp"
#include "gdkm/data/files/mapped_npy.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

constexpr const char* undirected = "edges.npy";
constexpr const char* directed = "edges_directed.npy";

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void expect_shape(const MappedNpy& array, std::size_t dimensions, std::int64_t last, const char* meaning) {
  const auto& shape = array.shape();
  if (shape.size() == dimensions && (last < 0 || shape.back() == last)) return;
  refuse("{}: has shape {}; store {}", array.where(), shape_text(shape), meaning);
}

void read_labels(const fs::path& folder, Dataset& out) {
  const MappedNpy array(folder / "labels.npy");
  expect_shape(array, 1, -1, "one class per node, shape (n,)");
  const std::int64_t nodes = array.shape()[0];
  if (nodes < 1 || nodes > std::numeric_limits<std::int32_t>::max())
    refuse("{}: has {} nodes; a graph has 1 to {}", array.where(), nodes,
           std::numeric_limits<std::int32_t>::max());
  out.graph.nodes = nodes;
  out.label.reserve(static_cast<std::size_t>(nodes));
  std::int32_t largest = -1;
  array.for_each_piece<std::int64_t>(1, [&](std::span<const std::int64_t> piece, std::int64_t first) {
    for (std::size_t k = 0; k < piece.size(); ++k) {
      if (piece[k] < -1 || piece[k] >= nodes)
        refuse("{}: node {} has label {}; use 0..C-1, or -1 for no label", array.where(),
               first + static_cast<std::int64_t>(k), piece[k]);
      out.label.push_back(static_cast<std::int32_t>(piece[k]));
      largest = std::max(largest, out.label.back());
    }
  });
  out.classes = largest + 1;
}

std::vector<std::int32_t> read_part(const fs::path& folder, const char* name, const Dataset& data,
                                    std::vector<char>& taken) {
  const fs::path path = folder / (std::string(name) + ".npy");
  if (!is_there(path)) return {};
  const MappedNpy array(path);
  expect_shape(array, 1, -1, "numbers of nodes, shape (k,)");
  std::vector<std::int32_t> out;
  for (const auto node : array.read<std::int64_t>()) {
    if (node < 0 || node >= data.graph.nodes)
      refuse("{}: names node {}, and nodes are numbered 0..{}; correct it", array.where(), node,
             data.graph.nodes - 1);
    const auto k = static_cast<std::size_t>(node);
    if (taken[k] != 0)
      refuse("{}: node {} comes twice, here or in another part; leave it in one", array.where(), node);
    if (data.label[k] < 0) refuse("{}: node {} has no label; remove it, or label it", array.where(), node);
    taken[k] = 1;
    out.push_back(static_cast<std::int32_t>(node));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void read_split(const fs::path& folder, Dataset& out) {
  std::vector<char> taken(out.label.size(), 0);
  Split split;
  split.train = read_part(folder, "train", out, taken);
  split.val = read_part(folder, "val", out, taken);
  split.test = read_part(folder, "test", out, taken);
  if (split.train.empty() && split.val.empty() && split.test.empty()) return;
  if (split.train.empty())
    refuse("{}: val.npy or test.npy is there without train.npy; add the training nodes", folder.string());
  out.splits["public"] = {std::move(split)};
}

void visit_edges(const MappedNpy& array, Index nodes, const std::function<void(Edge, std::size_t)>& visit) {
  array.for_each_piece<std::int64_t>(2, [&](std::span<const std::int64_t> piece, std::int64_t first) {
    for (std::size_t k = 0; k + 1 < piece.size(); k += 2) {
      const std::size_t row = (static_cast<std::size_t>(first) + k) / 2;
      for (const auto node : {piece[k], piece[k + 1]}) {
        if (node < 0 || node >= nodes)
          refuse("{}: row {} refers to node {}, but nodes are numbered 0..{}; correct or remove the row",
                 array.where(), row, node, nodes - 1);
      }
      visit({static_cast<std::int32_t>(piece[k]), static_cast<std::int32_t>(piece[k + 1])}, row);
    }
  });
}

void visit_rows(const MappedNpy& array, const std::function<void(Index, std::span<const float>)>& visit) {
  const auto width = static_cast<std::size_t>(array.shape()[1]);
  array.for_each_piece<float>(array.shape()[1], [&](std::span<const float> piece, std::int64_t first) {
    for (std::size_t k = 0; k < piece.size(); k += width) {
      const auto node = static_cast<Index>((static_cast<std::size_t>(first) + k) / width);
      const auto row = piece.subspan(k, width);
      if (!std::all_of(row.begin(), row.end(), [](float value) { return std::isfinite(value); }))
        refuse("{}: node {} has a feature that is not finite; replace it", array.where(), node);
      visit(node, row);
    }
  });
}

template <class V>
void write_npy(const fs::path& path, const char* type, const std::vector<std::int64_t>& shape,
               const V* values, std::size_t count) {
  std::ofstream file(path, std::ios::binary);
  file << make_npy_header(type, shape);
  file.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(V)));
  file.close();
  if (!file) refuse("{}: cannot be written; check the space on the disk", path.string());
}

}  // namespace

bool is_arrays_folder(const FileTree& files, const std::string& /*name*/) {
  const auto& names = files.names();
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return !files.is_archive() && (has(undirected) || has(directed)) && has("labels.npy") &&
         has("features.npy");
}

PartitionSource stream_arrays_folder(const fs::path& folder, const std::string& name) {
  PartitionSource out;
  out.head.name = name;
  read_labels(folder, out.head);
  read_split(folder, out.head);
  out.head.graph.directed = is_there(folder / directed);
  const auto edges =
      std::make_shared<const MappedNpy>(folder / (out.head.graph.directed ? directed : undirected));
  expect_shape(*edges, 2, 2, "one pair of nodes per row, shape (E, 2)");
  const auto features = std::make_shared<const MappedNpy>(folder / "features.npy");
  expect_shape(*features, 2, -1, "one row per node, shape (n, d)");
  if (features->shape()[0] != out.head.graph.nodes || features->shape()[1] < 1)
    refuse("{}: has shape {}, and there are {} nodes; store one row per node, with at least one feature",
           features->where(), shape_text(features->shape()), out.head.graph.nodes);
  out.edge_count = edges->shape()[0];
  out.feature_cols = features->shape()[1];
  out.edges = [edges, nodes = out.head.graph.nodes](const auto& visit) { visit_edges(*edges, nodes, visit); };
  out.rows = [features](const auto& visit) { visit_rows(*features, visit); };
  return out;
}

Dataset read_arrays_folder(const FileTree& files, const std::string& name, ThreadPool& /*pool*/) {
  PartitionSource source = stream_arrays_folder(files.path(), name);
  Dataset out = std::move(source.head);
  std::vector<Edge>& edges = out.graph.edges.edit();
  edges.reserve(static_cast<std::size_t>(source.edge_count));
  source.edges([&](Edge edge, std::size_t) { edges.push_back(edge); });
  out.features.rows = out.graph.nodes;
  out.features.cols = source.feature_cols;
  std::vector<float>& values = out.features.dense.edit();
  values.reserve(static_cast<std::size_t>(out.features.rows * out.features.cols));
  source.rows(
      [&](Index, std::span<const float> row) { values.insert(values.end(), row.begin(), row.end()); });
  return out;
}

void write_arrays_folder(const Dataset& dataset, const fs::path& folder) {
  const auto cannot = [&](const char* what) {
    refuse("{}: a folder of arrays does not hold {}; export .npz or CSV files instead", folder.string(),
           what);
  };
  if (dataset.task != Task::node) cannot("many graphs");
  if (dataset.features.is_sparse) cannot("sparse features");
  if (!dataset.graph.weight.empty()) cannot("weights of edges");
  if (!dataset.graph.type.empty()) cannot("types of edges");
  if (dataset.is_regression()) cannot("numbers to predict");
  if (dataset.columns.kind == FeatureColumns::Kind::table) cannot("typed columns");
  std::error_code error;
  if (fs::exists(folder, error)) refuse("{}: exists; choose another folder", folder.string());
  FolderAside aside(folder);
  const Graph& graph = dataset.graph;
  const auto edges = static_cast<std::int64_t>(graph.edges.size());
  write_npy(aside / (graph.directed ? directed : undirected), "<i4", {edges, 2}, graph.edges.data(),
            graph.edges.size());
  write_npy(aside / "features.npy", "<f4", {dataset.features.rows, dataset.features.cols},
            dataset.features.dense.data(), dataset.features.dense.size());
  write_npy(aside / "labels.npy", "<i4", {graph.nodes}, dataset.label.data(), dataset.label.size());
  if (const auto set = dataset.splits.find("public"); set != dataset.splits.end() && !set->second.empty()) {
    const Split& split = set->second.front();
    const auto write = [&](const char* name, const std::vector<std::int32_t>& nodes) {
      write_npy(aside / name, "<i4", {static_cast<std::int64_t>(nodes.size())}, nodes.data(), nodes.size());
    };
    write("train.npy", split.train);
    write("val.npy", split.val);
    write("test.npy", split.test);
  }
  aside.finish();
}

}  // namespace gdkm
