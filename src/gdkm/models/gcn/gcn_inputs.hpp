#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/linalg/backend.hpp"
#include "gdkm/models/gcn/gcn_config.hpp"

namespace gdkm {

/// Nodes, or graphs, on a device, as a GCN takes them.
template <class T>
struct GcnInputs {
  Index nodes = 0, outputs = 0;  // rows of hidden layers, rows of logits
  Sparse<T> mixing;              // Â_λ
  Sparse<T> sparse;              // X or ÂX, one of the two forms
  Matrix<T> dense;
  bool mix_after = false;  // the first convolution is Â(XW); else X is as that layer takes it
  Sparse<T> readout;       // R: logits are R H W + b; empty where R is the identity

  bool is_sparse() const { return !sparse.empty(); }
  Index width() const { return is_sparse() ? sparse.cols() : dense.cols(); }
};

/// Uploads. `mixing` is Â_λ. `outputs` (outputs × nodes) says what each row of logits takes of the nodes: a
/// selection of nodes, or pooling over graphs; without it every node is an output. Chooses between (ÂX)W and
/// Â(XW) by counting the work of each.
template <class T>
GcnInputs<T> make_gcn_inputs(Backend<T>& backend, const GcnConfig& config, const Csr& mixing,
                             const Features& features, const Csr* outputs = nullptr);

/// The matrix that selects `rows` of `nodes`.
Csr selection(const std::vector<std::int32_t>& rows, Index nodes);

}  // namespace gdkm
