#pragma once

#include <optional>
#include <string>

#include "gdkm/data/formats/assembly/made_features.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

struct GraphMlOptions {
  std::string label_key;         // the node attribute that is the class, by name or id; "" for none
  std::string weight_key;        // the edge attribute that is the weight; "" for "weight", where there is one
  std::optional<bool> directed;  // else as the file says
  MadeFeatures made = MadeFeatures::degree;  // of nodes without numeric attributes
};

/// Reads a GraphML file of one graph. Numeric and boolean node attributes are features, in the order of their
/// keys; those that are words are left out. Nested graphs, hyperedges and ports are refused.
Dataset read_graphml(const Text& text, const GraphMlOptions& options);

}  // namespace gdkm
