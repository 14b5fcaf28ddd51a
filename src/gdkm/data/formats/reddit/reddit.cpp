#include "gdkm/data/formats/reddit/reddit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

void check_shape(const NpzReader& archive, Index nodes) {
  const NpyArray array = archive.read("shape");
  const auto shape = array.as<std::int64_t>();
  if (shape.size() == 2 && shape[0] == nodes && shape[1] == nodes) return;
  refuse("{}: is {}, but {} nodes need ({}, {}); fetch the files again", array.where, shape_text(shape),
         nodes, nodes, nodes);
}

void check_node(const std::string& where, std::size_t entry, std::int32_t node, Index nodes) {
  if (node >= 0 && node < nodes) return;
  refuse("{}: entry {} refers to node {}, but nodes are numbered 0..{}; correct it", where, entry, node,
         nodes - 1);
}

/// The row of every entry (COO), or the first entry of every row (CSR).
struct Rows {
  std::vector<std::int32_t> row;
  std::vector<std::int64_t> start;
};

Rows read_rows(const NpzReader& archive, Index nodes) {
  Rows out;
  if (archive.contains("row")) {
    const std::string where = archive.path().string() + ": array 'row'";
    out.row = archive.read_as<std::int32_t>("row");
    for (std::size_t k = 0; k < out.row.size(); ++k) check_node(where, k, out.row[k], nodes);
    return out;
  }
  if (!archive.contains("indptr")) {
    refuse(archive.path().string() +
           ": has neither 'row' nor 'indptr'; save a COO or CSR matrix with scipy.sparse.save_npz");
  }
  const NpyArray array = archive.read("indptr");
  out.start = array.as<std::int64_t>();
  if (static_cast<Index>(out.start.size()) != nodes + 1 || out.start.front() != 0)
    refuse("{}: expected {} entries that begin with 0; save the matrix again", array.where, nodes + 1);
  for (std::size_t r = 1; r < out.start.size(); ++r) {
    if (out.start[r] >= out.start[r - 1]) continue;
    refuse("{}: decreases from {} to {} at row {}; save the matrix again", array.where, out.start[r - 1],
           out.start[r], r - 1);
  }
  return out;
}

/// Calls visit(row, column) for every entry, in file order.
template <class Visit>
void for_each_entry(const NpzReader& archive, const Rows& rows, Index nodes, Visit visit) {
  const char* name = rows.start.empty() ? "col" : "indices";
  const std::string where = fmt::format("{}: array '{}'", archive.path().string(), name);
  const std::size_t expected =
      rows.start.empty() ? rows.row.size() : static_cast<std::size_t>(rows.start.back());
  std::size_t entry = 0, row = 0;
  archive.for_each_piece<std::int32_t>(name, [&](std::span<const std::int32_t> cols, std::int64_t) {
    for (const auto col : cols) {
      if (entry == expected) refuse(where + ": has more entries than its rows; save the matrix again");
      check_node(where, entry, col, nodes);
      if (rows.start.empty()) {
        visit(rows.row[entry], col);
      } else {
        while (static_cast<std::int64_t>(entry) >= rows.start[row + 1]) ++row;
        visit(static_cast<std::int32_t>(row), col);
      }
      ++entry;
    }
  });
  if (entry == expected) return;
  refuse("{}: has {} entries, but its rows have {}; save the matrix again", where, entry, expected);
}

/// A hash of an edge. Equal sets of edges have equal sums of hashes.
std::uint64_t mark(std::int32_t low, std::int32_t high) {
  std::uint64_t x = (static_cast<std::uint64_t>(low) << 32) | static_cast<std::uint32_t>(high);
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

/// The undirected edges of a square adjacency matrix written by scipy.sparse.save_npz, in COO or CSR form,
/// with one row per node. From a symmetric matrix the upper triangle with the diagonal, from any other matrix
/// every entry.
std::vector<Edge> read_scipy_edges(const std::filesystem::path& path, Index nodes) {
  const NpzReader archive(path);
  check_shape(archive, nodes);
  const Rows rows = read_rows(archive, nodes);
  std::vector<Edge> out;
  out.reserve(rows.row.size() / 2 + 1);
  std::uint64_t upper = 0, lower = 0;  // equal if the matrix is symmetric
  for_each_entry(archive, rows, nodes, [&](std::int32_t row, std::int32_t col) {
    if (row <= col) out.push_back({row, col});
    if (row < col) upper += mark(row, col);
    if (row > col) lower += mark(col, row);
  });
  if (upper == lower) return out;
  for_each_entry(archive, rows, nodes, [&](std::int32_t row, std::int32_t col) {
    if (row > col) out.push_back({col, row});
  });
  return out;
}

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
