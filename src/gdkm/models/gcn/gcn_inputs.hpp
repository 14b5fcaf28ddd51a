#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/relation.hpp"
#include "gdkm/layers/mixing.hpp"
#include "gdkm/linalg/backend.hpp"
#include "gdkm/models/gcn/gcn_config.hpp"

namespace gdkm {

/// Nodes, or graphs, on a device, as a GCN takes them.
template <class T>
struct GcnInputs {
  Index nodes = 0, outputs = 0;  // rows of hidden layers, rows of logits
  Mixing<T> mixing;
  Sparse<T> sparse;  // X or [P_r X]_r, in one of the two forms
  Matrix<T> dense;
  bool mix_after = false;  // the first convolution is Σ_r P_r(XW_r); else X is as that layer takes it
  /// R_r: logits are Σ_r R_r H W_r + b. Empty where R_r is the identity. There is one, or one per relation.
  std::vector<Sparse<T>> readout;

  bool is_sparse() const { return !sparse.empty(); }
  Index width() const { return is_sparse() ? sparse.cols() : dense.cols(); }
  /// Rows of the first weight matrix.
  Index weight_rows() const { return mix_after ? width() * mixing.count() : width(); }
};

/// Uploads. `outputs` (outputs × nodes) says what each row of logits takes of the nodes: a
/// selection of nodes, or pooling over graphs; without it every node is an output. Chooses between (P_r X)W_r
/// and P_r(XW_r) by counting the work of each.
template <class T>
GcnInputs<T> make_gcn_inputs(Backend<T>& backend, const GcnConfig& config, const Relations& relations,
                             const Features& features, const Csr* outputs = nullptr);

/// The matrix that selects `rows` of `nodes`.
Csr selection(const std::vector<std::int32_t>& rows, Index nodes);

}  // namespace gdkm
