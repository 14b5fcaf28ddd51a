#pragma once

#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/relation.hpp"
#include "gdkm/layers/input.hpp"
#include "gdkm/layers/mixing.hpp"
#include "gdkm/models/model_config.hpp"

namespace gdkm {

/// A graph and its features on a device: the inputs of a network.
template <class T>
struct GraphInputs {
  Index nodes = 0;
  Index all_nodes = -1;  // of all ranks; −1 where there is one, which has them all
  Mixing<T> mixing;
  InputData<T> input;
  Sparse<T> pool;  // P, graphs × nodes, if graphs are classified; otherwise empty

  /// Rows of the output: nodes, or graphs.
  Index items() const { return pool.empty() ? nodes : pool.rows(); }
};

/// The matrix P of layers/pool.hpp. Graph g has the nodes graph_start[g] … graph_start[g+1] − 1.
Csr pooling_matrix(const std::vector<std::int32_t>& graph_start, Pooling pooling);

/// [P_1 X, …, P_R X]: what the first layer sees where it mixes, but for the weights of relations.
Features mix_by(const Relations& relations, const Features& features);

/// Whether (P_r X)B is cheaper than P_r(XB), for all relations together.
bool mixing_first_is_cheaper(const Relations& relations, const Features& features);

/// Uploads a graph and its features. `inducing_nodes` is empty for inter-domain inducing points. If inputs
/// are mixed, chooses the cheaper of (ÂX)B and Â(XB); a polynomial of some degree changes, so that X is mixed
/// in every product. Where ranks share the graph, `owner` says which rank has each node, and a rank uploads
/// its own; `relations` and `features` have all rows, or those of own nodes alone. All ranks call it.
template <class T>
GraphInputs<T> make_inputs(Backend<T>& backend, const Relations& relations, const Features& features,
                           const std::vector<std::int32_t>& inducing_nodes, bool mixes_inputs = true,
                           int degree = 0, const std::vector<std::int32_t>& owner = {});

}  // namespace gdkm
