#pragma once

#include "gdkm/models/gcn/gcn.hpp"

namespace gdkm {

/// Inputs and the classes of some of their outputs: what one step learns from, or is scored on.
template <class T>
struct GcnBatch {
  GcnInputs<T> inputs;
  Labels labels;
};

/// Nodes of one graph; those without a class (−1) are left out. Only what is within reach of them through the
/// convolutions is there, and only they have logits, unless `whole` is set or batch normalisation looks at
/// all nodes: exact, and faster.
template <class T>
GcnBatch<T> node_batch(Backend<T>& backend, const GcnConfig& config, const Csr& mixing,
                       const Features& features, const std::vector<std::int32_t>& label,
                       const std::vector<std::int32_t>& items, bool whole = false);

/// Some of many graphs that lie side by side, each pooled to one row; graph g has the nodes start[g] ..
/// start[g+1] of `mixing` and `features`, and the class label[g]; items without one are left out.
template <class T>
GcnBatch<T> graph_batch(Backend<T>& backend, const GcnConfig& config, const Csr& mixing,
                        const Features& features, const std::vector<std::int32_t>& start,
                        const std::vector<std::int32_t>& label, const std::vector<std::int32_t>& items);

}  // namespace gdkm
