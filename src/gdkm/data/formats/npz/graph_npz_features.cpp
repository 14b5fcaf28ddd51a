#include "gdkm/data/formats/npz/graph_npz_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

void check_cols(const std::string& where, Index cols) {
  if (cols == 0)
    throw InputError(where + ": has no feature columns; give at least one feature, e.g. a constant 1");
  if (cols > std::numeric_limits<std::int32_t>::max()) {
    throw InputError(fmt::format("{}: has {} columns, the limit is {}; hash or select features", where, cols,
                                 std::numeric_limits<std::int32_t>::max()));
  }
}

void check_rows(const std::string& where, Index rows, Index nodes) {
  if (rows == nodes) return;
  throw InputError(
      fmt::format("{}: has {} rows, but there are {} nodes; store one row per node", where, rows, nodes));
}

/// Values too large for float32, in which features are stored, count as infinite.
void check_value(const std::string& where, Index row, Index col, double value) {
  if (std::fabs(value) <= std::numeric_limits<float>::max()) return;
  throw InputError(
      fmt::format("{}: node {}, feature {} is {}; replace it by a finite number", where, row, col, value));
}

Features read_dense(const NpzReader& archive, Index nodes) {
  const std::string where = archive.path().string() + ": array 'node_features'";
  const auto shape = archive.header("node_features").shape;
  if (shape.size() != 2) {
    throw InputError(
        fmt::format("{}: has shape {}; store one row per node, shape (n, d)", where, shape_text(shape)));
  }
  Features out;
  out.rows = shape[0];
  out.cols = shape[1];
  check_rows(where, out.rows, nodes);
  check_cols(where, out.cols);
  out.dense = archive.read_as<float>("node_features");
  for (std::size_t k = 0; k < out.dense.size(); ++k) {
    const auto at = static_cast<Index>(k);
    check_value(where, at / out.cols, at % out.cols, out.dense[k]);
  }
  return out;
}

Index read_csr_cols(const NpzReader& archive, Index nodes) {
  const NpyArray array = archive.read("feat_shape");
  const auto shape = array.as<Index>();
  if (shape.size() != 2 || shape[1] < 0) {
    throw InputError(array.where + ": must be the two numbers (nodes, features); store feat.shape there");
  }
  check_rows(array.where, shape[0], nodes);
  check_cols(array.where, shape[1]);
  return shape[1];
}

std::vector<Index> read_row_starts(const NpzReader& archive, Index nodes, Index entries) {
  const NpyArray array = archive.read("feat_indptr");
  auto start = array.as<Index>();
  if (static_cast<Index>(start.size()) != nodes + 1) {
    throw InputError(fmt::format("{}: has {} entries, {} nodes need {}; store the indptr of a CSR matrix",
                                 array.where, start.size(), nodes, nodes + 1));
  }
  for (Index r = 0; r < nodes; ++r) {
    if (start[r + 1] < start[r]) {
      throw InputError(fmt::format("{}: falls from {} to {} at row {}; it must not descend, store it again",
                                   array.where, start[r], start[r + 1], r));
    }
  }
  if (start.front() != 0 || start.back() != entries) {
    throw InputError(
        fmt::format("{}: runs from {} to {}, but must run from 0 to {}, the length of feat_indices",
                    array.where, start.front(), start.back(), entries));
  }
  return start;
}

/// Drops stored zeros, and repeated columns that cancel out.
Csr without_zeros(Csr a) {
  Index kept = 0;
  for (Index r = 0; r < a.rows; ++r) {
    const Index begin = a.row_start[r], end = a.row_start[r + 1];
    a.row_start[r] = kept;
    for (Index k = begin; k < end; ++k) {
      if (a.value[k] == 0) continue;
      a.col[kept] = a.col[k];
      a.value[kept++] = a.value[k];
    }
  }
  a.row_start[a.rows] = kept;
  a.col.resize(static_cast<std::size_t>(kept));
  a.value.resize(static_cast<std::size_t>(kept));
  return a;
}

Csr read_csr(const NpzReader& archive, Index nodes) {
  Csr out;
  out.rows = nodes;
  out.cols = read_csr_cols(archive, nodes);
  const NpyArray indices = archive.read("feat_indices"), data = archive.read("feat_data");
  const auto cols = indices.as<Index>();
  out.value = data.as<double>();
  if (cols.size() != out.value.size()) {
    throw InputError(
        fmt::format("{}: has {} values for {} columns in feat_indices; store one value per column",
                    data.where, out.value.size(), cols.size()));
  }
  out.row_start = read_row_starts(archive, nodes, static_cast<Index>(cols.size()));
  out.col.resize(cols.size());
  bool is_tidy = true;
  for (Index r = 0; r < nodes; ++r) {
    for (Index k = out.row_start[r]; k < out.row_start[r + 1]; ++k) {
      if (cols[k] < 0 || cols[k] >= out.cols) {
        throw InputError(fmt::format(
            "{}: entry {} (node {}) names column {}, but columns are 0..{}; correct it or feat_shape",
            indices.where, k, r, cols[k], out.cols - 1));
      }
      check_value(data.where, r, cols[k], out.value[k]);
      out.col[k] = static_cast<std::int32_t>(cols[k]);
      if ((k > out.row_start[r] && cols[k] <= cols[k - 1]) || out.value[k] == 0) is_tidy = false;
    }
  }
  if (is_tidy) return out;
  std::vector<Triplet> entries;
  entries.reserve(out.col.size());
  for (Index r = 0; r < nodes; ++r) {
    for (Index k = out.row_start[r]; k < out.row_start[r + 1]; ++k) {
      entries.push_back({static_cast<std::int32_t>(r), out.col[k], out.value[k]});
    }
  }
  out = csr_from_triplets(out.rows, out.cols, std::move(entries));
  for (Index r = 0; r < nodes; ++r) {  // sums of repeated columns may be too large where their parts were not
    for (Index k = out.row_start[r]; k < out.row_start[r + 1]; ++k) {
      check_value(data.where, r, out.col[k], out.value[k]);
    }
  }
  return without_zeros(std::move(out));
}

}  // namespace

Features read_graph_npz_features(const NpzReader& archive, Index nodes) {
  if (!archive.contains("feat_data")) {
    if (!archive.contains("node_features")) {
      throw InputError(archive.path().string() +
                       ": has neither 'node_features' nor 'feat_data'; add dense or CSR features");
    }
    return read_dense(archive, nodes);
  }
  Features out;
  out.is_sparse = true;
  out.sparse = read_csr(archive, nodes);
  out.rows = out.sparse.rows;
  out.cols = out.sparse.cols;
  return out;
}

void write_graph_npz_features(const Features& features, NpzWriter& archive) {
  if (!features.is_sparse) {
    archive.add("node_features", {features.rows, features.cols}, features.dense);
    return;
  }
  const Csr& x = features.sparse;
  archive.add("feat_data", {x.nonzeros()}, std::vector<float>(x.value.begin(), x.value.end()));
  archive.add("feat_indices", {x.nonzeros()}, x.col);
  if (x.nonzeros() <= std::numeric_limits<std::int32_t>::max()) {
    archive.add("feat_indptr", {x.rows + 1},
                std::vector<std::int32_t>(x.row_start.begin(), x.row_start.end()));
  } else {
    archive.add("feat_indptr", {x.rows + 1}, x.row_start);
  }
  archive.add("feat_shape", {2}, std::vector<std::int64_t>{x.rows, x.cols});
}

}  // namespace gdkm
