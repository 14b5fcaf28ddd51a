#pragma once

#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/layers/input.hpp"
#include "gdkm/layers/mixing.hpp"

namespace gdkm {

/// A graph and its features on a device, as a network takes them.
template <class T>
struct GraphInputs {
  Index nodes = 0;
  Mixing<T> mixing;
  InputData<T> input;
};

/// Uploads. `adjacency` is Â_λ; `inducing_nodes` is empty for inter-domain inducing points. Chooses between
/// (ÂX)B and Â(XB) by counting the work of each.
template <class T>
GraphInputs<T> make_inputs(Backend<T>& backend, const Csr& adjacency, const Features& features,
                           const std::vector<std::int32_t>& inducing_nodes);

}  // namespace gdkm
