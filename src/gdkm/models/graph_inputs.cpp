#include "gdkm/models/graph_inputs.hpp"

namespace gdkm {

namespace {

/// Whether (ÂX)B needs less work than Â(XB). Dense features stay dense when mixed, so mixing once is always
/// cheaper.
bool mixing_first_is_cheaper(const Csr& adjacency, const Features& features) {
  if (!features.is_sparse) return true;
  const Index separate = features.sparse.nonzeros() + adjacency.nonzeros();
  return count_product_nonzeros(adjacency, features.sparse, separate) <= separate;
}

template <class T>
Matrix<T> upload_dense(Backend<T>& backend, const Features& features) {
  const std::vector<T> host(features.dense.begin(), features.dense.end());
  return Matrix<T>(backend, features.rows, features.cols, host);
}

/// A_tiᵀ X as a dense m×d matrix: of the size of the inducing inputs themselves.
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

template <class T>
GraphInputs<T> make_inputs(Backend<T>& backend, const Csr& adjacency, const Features& features,
                           const std::vector<std::int32_t>& inducing_nodes) {
  GraphInputs<T> out;
  out.nodes = adjacency.rows;
  out.mixing.tt = Sparse<T>(backend, adjacency);
  if (!inducing_nodes.empty()) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(adjacency.rows));
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::int32_t>(k);
    const Csr a_ti = submatrix(adjacency, all, inducing_nodes);
    out.mixing.ti = Sparse<T>(backend, a_ti);
    out.mixing.ii = Sparse<T>(backend, submatrix(adjacency, inducing_nodes, inducing_nodes));
    out.input.inducing_part = inducing_part(backend, a_ti, features);
  }
  out.input.mixed = mixing_first_is_cheaper(adjacency, features);
  if (out.input.mixed) {
    const Features mixed = mix(adjacency, features);
    if (mixed.is_sparse) {
      out.input.sparse = Sparse<T>(backend, mixed.sparse);
    } else {
      out.input.dense = upload_dense(backend, mixed);
    }
  } else {
    out.input.sparse = Sparse<T>(backend, features.sparse);
  }
  return out;
}

template GraphInputs<float> make_inputs(Backend<float>&, const Csr&, const Features&,
                                        const std::vector<std::int32_t>&);
template GraphInputs<double> make_inputs(Backend<double>&, const Csr&, const Features&,
                                         const std::vector<std::int32_t>&);

}  // namespace gdkm
