#include "gdkm/models/graph_inputs.hpp"

#include <cassert>
#include <cmath>
#include <type_traits>

namespace gdkm {

// For dense features it always is, because P_r X is no larger than X.
bool mixing_first_is_cheaper(const Relations& relations, const Features& features) {
  if (!features.is_sparse) return true;
  Index separate = 0, mixed = 0;
  for (const Relation& relation : relations.each)
    separate += features.sparse.nonzeros() + relation.matrix.nonzeros();
  for (const Relation& relation : relations.each)
    mixed += count_product_nonzeros(relation.matrix, features.sparse, separate);
  return mixed <= separate;
}

namespace {

template <class T>
Matrix<T> upload_dense(Backend<T>& backend, const Features& features) {
  if constexpr (std::is_same_v<T, float>) {  // as they are, without a copy on the way
    return Matrix<T>(backend, features.rows, features.cols, features.dense.get());
  } else {
    const std::vector<T> host(features.dense.begin(), features.dense.end());
    return Matrix<T>(backend, features.rows, features.cols, host);
  }
}

template <class T>
void upload(Backend<T>& backend, const Features& features, InputData<T>& out) {
  if (features.is_sparse) {
    out.sparse = Sparse<T>(backend, features.sparse);
  } else {
    out.dense = upload_dense(backend, features);
  }
}

template <class T>
Matrix<T> row_norms(Backend<T>& backend, const Features& features) {
  std::vector<T> host;
  for (Index r = 0; r < features.rows; ++r) {
    double square = 0;
    if (features.is_sparse) {
      const Csr& x = features.sparse;
      for (Index k = x.row_start[r]; k < x.row_start[r + 1]; ++k) square += x.value[k] * x.value[k];
    } else {
      for (Index j = 0; j < features.cols; ++j) {
        const double value = features.dense[r * features.cols + j];
        square += value * value;
      }
    }
    host.push_back(static_cast<T>(std::sqrt(square)));
  }
  return Matrix<T>(backend, 1, features.rows, host);
}

/// A_tiᵀ X as a dense m×d matrix, which is as large as the inducing inputs.
template <class T>
Matrix<T> inducing_part(Backend<T>& backend, const Csr& a_ti, const Features& features) {
  const Features mixed = mix(transpose(a_ti), features);
  if (!mixed.is_sparse) return upload_dense(backend, mixed);
  std::vector<T> host(static_cast<std::size_t>(mixed.rows * mixed.cols));
  for (Index r = 0; r < mixed.rows; ++r) {
    for (Index k = mixed.sparse.row_start[r]; k < mixed.sparse.row_start[r + 1]; ++k) {
      host[r * mixed.cols + mixed.sparse.col[k]] = static_cast<T>(mixed.sparse.value[k]);
    }
  }
  return Matrix<T>(backend, mixed.rows, mixed.cols, host);
}

}  // namespace

Csr pooling_matrix(const std::vector<std::int32_t>& graph_start, Pooling pooling) {
  Csr out;
  out.rows = static_cast<Index>(graph_start.size()) - 1;
  out.cols = graph_start.back();
  for (std::size_t g = 0; g + 1 < graph_start.size(); ++g) {
    const auto size = static_cast<double>(graph_start[g + 1] - graph_start[g]);
    for (auto node = graph_start[g]; node < graph_start[g + 1]; ++node) {
      out.col.push_back(node);
      out.value.push_back(pooling == Pooling::mean ? 1 / size : 1.0);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

Features mix_by(const Relations& relations, const Features& features) {
  if (relations.count() == 1) return mix(relations.first(), features);
  std::vector<Features> parts;
  for (const Relation& relation : relations.each) parts.push_back(mix(relation.matrix, features));
  return side_by_side(parts);
}

template <class T>
GraphInputs<T> make_inputs(Backend<T>& backend, const Relations& relations, const Features& features,
                           const std::vector<std::int32_t>& inducing_nodes, bool mixes_inputs, int degree) {
  GraphInputs<T> out;
  out.nodes = relations.nodes();
  for (const Relation& relation : relations.each) {
    // One of several relations may be free: see MixRelations. Where no node has edges, others are I as well.
    const bool is_free = relations.count() > 1 && out.mixing.identity() < 0 && is_identity(relation.matrix);
    out.mixing.relations.push_back(is_free ? Sparse<T>() : Sparse<T>(backend, relation.matrix));
  }
  if (!inducing_nodes.empty()) {
    assert(relations.count() == 1);
    std::vector<std::int32_t> all(static_cast<std::size_t>(out.nodes));
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::int32_t>(k);
    const Csr a_ti = submatrix(relations.first(), all, inducing_nodes);
    out.mixing.ti = Sparse<T>(backend, a_ti);
    out.mixing.ii = Sparse<T>(backend, submatrix(relations.first(), inducing_nodes, inducing_nodes));
    out.input.inducing_part = inducing_part(backend, a_ti, features);
  }
  if (!mixes_inputs) {
    out.input.mixing = InputMixing::none;
    upload(backend, features, out.input);
    out.input.norm = row_norms(backend, features);
  } else if (degree == 0 && mixing_first_is_cheaper(relations, features)) {
    out.input.mixing = InputMixing::before;
    upload(backend, mix_by(relations, features), out.input);
  } else {
    out.input.mixing = InputMixing::within;
    upload(backend, features, out.input);
  }
  return out;
}

template GraphInputs<float> make_inputs(Backend<float>&, const Relations&, const Features&,
                                        const std::vector<std::int32_t>&, bool, int);
template GraphInputs<double> make_inputs(Backend<double>&, const Relations&, const Features&,
                                         const std::vector<std::int32_t>&, bool, int);

}  // namespace gdkm
