#include "gdkm/data/formats/npz/graph_npz_features.hpp"

#include <limits>

#include "gdkm/data/formats/shared/checked_matrix.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

void check_cols(const std::string& where, Index cols) {
  if (cols == 0) refuse(where + ": has no feature columns; give at least one feature, e.g. a constant 1");
  if (cols > std::numeric_limits<std::int32_t>::max()) {
    refuse("{}: has {} columns, the limit is {}; hash or select features", where, cols,
           std::numeric_limits<std::int32_t>::max());
  }
}

void check_rows(const std::string& where, Index rows, Index nodes) {
  if (rows == nodes) return;
  refuse("{}: has {} rows, but there are {} nodes; store one row per node", where, rows, nodes);
}

Features read_dense(const NpzReader& archive, Index nodes) {
  const std::string where = archive.path().string() + ": array 'node_features'";
  const auto shape = archive.header("node_features").shape;
  if (shape.size() != 2)
    refuse("{}: has shape {}; store one row per node, shape (n, d)", where, shape_text(shape));
  Features out;
  out.rows = shape[0];
  out.cols = shape[1];
  check_rows(where, out.rows, nodes);
  check_cols(where, out.cols);
  out.dense = archive.read_as<float>("node_features");
  check_finite(where, out);
  return out;
}

Index read_csr_cols(const NpzReader& archive, Index nodes) {
  const NpyArray array = archive.read("feat_shape");
  const auto shape = array.as<Index>();
  if (shape.size() != 2 || shape[1] < 0)
    refuse(array.where + ": must be the two numbers (nodes, features); store feat.shape there");
  check_rows(array.where, shape[0], nodes);
  check_cols(array.where, shape[1]);
  return shape[1];
}

Csr read_csr(const NpzReader& archive, Index nodes) {
  const NpyArray start = archive.read("feat_indptr"), indices = archive.read("feat_indices"),
                 data = archive.read("feat_data");
  return checked_csr({nodes, read_csr_cols(archive, nodes), start.as<Index>(), indices.as<Index>(),
                      data.as<double>(), start.where, indices.where, data.where,
                      "store the arrays of a CSR matrix"});
}

}  // namespace

Features read_graph_npz_features(const NpzReader& archive, Index nodes) {
  if (archive.contains("feat_data")) return sparse_features(read_csr(archive, nodes));
  if (archive.contains("node_features")) return read_dense(archive, nodes);
  refuse(archive.path().string() +
         ": has neither 'node_features' nor 'feat_data'; add dense or CSR features");
}

void write_graph_npz_features(const Features& features, NpzWriter& archive) {
  if (!features.is_sparse) {
    archive.add("node_features", {features.rows, features.cols}, features.dense.get());
    return;
  }
  const Csr& x = features.sparse;
  archive.add("feat_data", {x.nonzeros()}, std::vector<float>(x.value.begin(), x.value.end()));
  archive.add("feat_indices", {x.nonzeros()}, x.col.get());
  if (x.nonzeros() <= std::numeric_limits<std::int32_t>::max()) {
    archive.add("feat_indptr", {x.rows + 1},
                std::vector<std::int32_t>(x.row_start.begin(), x.row_start.end()));
  } else {
    archive.add("feat_indptr", {x.rows + 1}, x.row_start.get());
  }
  archive.add("feat_shape", {2}, std::vector<std::int64_t>{x.rows, x.cols});
}

}  // namespace gdkm
