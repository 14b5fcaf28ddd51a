#include "gdkm/models/gcn/gcn_inputs.hpp"

namespace gdkm {

namespace {

/// Dense features stay dense when mixed, so mixing once is always cheaper.
bool mixing_first_is_cheaper(const Csr& mixing, const Features& features) {
  if (!features.is_sparse) return true;
  const Index separate = features.sparse.nonzeros() + mixing.nonzeros();
  return count_product_nonzeros(mixing, features.sparse, separate) <= separate;
}

template <class T>
void upload_features(Backend<T>& backend, const Features& features, GcnInputs<T>& to) {
  if (features.is_sparse) {
    to.sparse = Sparse<T>(backend, features.sparse);
  } else {
    const std::vector<T> host(features.dense.begin(), features.dense.end());
    to.dense = Matrix<T>(backend, features.rows, features.cols, host);
  }
}

}  // namespace

template <class T>
GcnInputs<T> make_gcn_inputs(Backend<T>& backend, const GcnConfig& config, const Csr& mixing,
                             const Features& features, const Csr* outputs) {
  assert(mixing.rows == features.rows && (outputs == nullptr || outputs->cols == mixing.rows));
  GcnInputs<T> out;
  out.nodes = mixing.rows;
  out.outputs = outputs == nullptr ? mixing.rows : outputs->rows;
  out.mixing = Sparse<T>(backend, mixing);
  if (config.arch == Architecture::platonov) {
    upload_features(backend, features, out);
    if (outputs != nullptr) out.readout = Sparse<T>(backend, *outputs);
    return out;
  }
  // The last convolution and the choice of outputs are one sparse matrix; with one layer it meets X.
  out.mix_after = !mixing_first_is_cheaper(mixing, features);
  upload_features(backend, out.mix_after ? features : mix(mixing, features), out);
  if (config.layers == 1) {
    if (outputs != nullptr) out.readout = Sparse<T>(backend, *outputs);
  } else {
    out.readout = outputs == nullptr ? out.mixing : Sparse<T>(backend, multiply(*outputs, mixing));
  }
  return out;
}

Csr selection(const std::vector<std::int32_t>& rows, Index nodes) {
  Csr out;
  out.rows = static_cast<Index>(rows.size());
  out.cols = nodes;
  for (const auto node : rows) {
    out.col.push_back(node);
    out.value.push_back(1);
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

template GcnInputs<float> make_gcn_inputs(Backend<float>&, const GcnConfig&, const Csr&, const Features&,
                                          const Csr*);
template GcnInputs<double> make_gcn_inputs(Backend<double>&, const GcnConfig&, const Csr&, const Features&,
                                           const Csr*);

}  // namespace gdkm
