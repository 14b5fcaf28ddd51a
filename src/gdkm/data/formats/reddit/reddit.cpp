#include "gdkm/data/formats/reddit/reddit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/formats/npz/scipy_npz.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr const char* data_file = "reddit_data.npz";
constexpr const char* graph_file = "reddit_graph.npz";

std::vector<std::int32_t> read_labels(const NpzReader& archive) {
  const NpyArray array = archive.read("label");
  auto out = array.as<std::int32_t>();
  if (out.empty()) refuse(array.where + ": has zero nodes; a graph needs at least one");
  if (out.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    refuse("{}: has {} nodes, the limit is {}; use a part of the graph", array.where, out.size(),
           std::numeric_limits<std::int32_t>::max());
  }
  const auto nodes = static_cast<std::int64_t>(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] >= -1 && out[i] < nodes) continue;
    refuse("{}: node {} has label {}; use 0..C-1 (C at most {}), or -1 for no label", array.where, i, out[i],
           nodes);
  }
  return out;
}

Features read_features(const NpzReader& archive, Index nodes, ThreadPool& pool) {
  const std::string where = archive.path().string() + ": array 'feature'";
  const auto shape = archive.header("feature").shape;
  if (shape.size() != 2 || shape[0] != nodes || shape[1] == 0) {
    refuse("{}: has shape {}; {} nodes need one row each, shape ({}, d)", where, shape_text(shape), nodes,
           nodes);
  }
  if (shape[1] > std::numeric_limits<std::int32_t>::max()) {
    refuse("{}: has {} columns, the limit is {}; select features", where, shape[1],
           std::numeric_limits<std::int32_t>::max());
  }
  Features out;
  out.rows = nodes;
  out.cols = shape[1];
  out.dense = archive.read_as<float>("feature");
  pool.share(nodes, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin * out.cols; k < end * out.cols; ++k) {
      if (std::isfinite(out.dense[k])) continue;
      refuse("{}: node {}, feature {} is {}; replace it by a finite number", where, k / out.cols,
             k % out.cols, out.dense[k]);
    }
  });
  return out;
}

Split read_split(const NpzReader& archive, const std::vector<std::int32_t>& label) {
  const NpyArray array = archive.read("node_types");
  const auto types = array.as<std::int32_t>();
  if (types.size() != label.size()) {
    refuse("{}: has {} entries for {} nodes; store one type per node", array.where, types.size(),
           label.size());
  }
  Split out;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] < 1 || types[i] > 3) {
      refuse("{}: node {} has type {}; types are 1 (training), 2 (validation) and 3 (test)", array.where, i,
             types[i]);
    }
    if (label[i] < 0) continue;
    (types[i] == 1 ? out.train : types[i] == 2 ? out.val : out.test).push_back(static_cast<std::int32_t>(i));
  }
  if (out.train.empty())
    refuse(array.where + ": has no training nodes; give at least one labelled node the type 1");
  return out;
}

}  // namespace

bool is_reddit(const FileTree& files, const std::string&) {
  const auto& names = files.names();
  return !files.is_archive() && std::binary_search(names.begin(), names.end(), data_file) &&
         std::binary_search(names.begin(), names.end(), graph_file);
}

Dataset read_reddit(const std::filesystem::path& folder, const std::string& name, ThreadPool& pool) {
  const NpzReader archive(folder / data_file);
  Dataset out;
  out.name = name;
  out.label = read_labels(archive);
  out.classes = 1 + *std::max_element(out.label.begin(), out.label.end());
  out.graph.nodes = static_cast<Index>(out.label.size());
  out.splits["public"] = {read_split(archive, out.label)};
  out.graph.edges = read_scipy_edges(folder / graph_file, out.graph.nodes);
  out.features = read_features(archive, out.graph.nodes, pool);
  return out;
}

}  // namespace gdkm
