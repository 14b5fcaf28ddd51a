#pragma once

#include <optional>
#include <string>

#include "gdkm/data/formats/shared/default_features.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

struct GraphMlOptions {
  std::string label_key;   // name or id of the node attribute with the class; "" for none
  std::string weight_key;  // the same for the edge weight; "" for "weight", if it exists
  std::string
      type_key;  // the same for the edge type; "" for "type", "relation" or "label", if it exists; "none"
  std::optional<bool> directed;                                // default: as the file says
  DefaultFeatures default_features = DefaultFeatures::degree;  // for nodes without numeric attributes
};

/// Reads a GraphML file with one graph. Numeric and boolean node attributes become features, in the order of
/// their keys; text attributes are ignored. Nested graphs, hyperedges and ports are refused.
Dataset read_graphml(const Text& text, const GraphMlOptions& options);

}  // namespace gdkm
