#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdkm/data/formats/shared/column_rules.hpp"
#include "gdkm/data/formats/shared/default_features.hpp"
#include "gdkm/data/formats/shared/node_index.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Attributes of nodes or of edges as text, column by column. Only values that are there take memory.
class Attributes {
 public:
  /// The values of one attribute: which element has which, in ascending order.
  struct Column {
    std::string name;
    std::vector<std::pair<std::int32_t, std::string>> value;
  };

  /// Declares an attribute, which may then have no values; its place.
  std::size_t declare(std::string_view name);
  /// Lets `find` find a declared attribute by another name too, unless that is the name of one.
  void alias(const std::string& other, std::size_t column) { place_.emplace(other, column); }
  /// Gives `element` a value; elements come in ascending order. False where it already has one.
  bool add(std::int32_t element, std::string_view name, std::string_view value);
  bool add(std::int32_t element, std::size_t column, std::string_view value);

  const std::vector<Column>& columns() const { return columns_; }
  std::optional<std::size_t> find(std::string_view name) const;

 private:
  std::vector<Column> columns_;
  std::map<std::string, std::size_t, std::less<>> place_;
};

/// A graph as files of other programs have it: nodes, edges, and their attributes as text.
struct AttributedGraph {
  explicit AttributedGraph(const std::string& file) : where(file), nodes(file) {}

  std::string where;  // the file, for messages
  NodeIndex nodes;
  std::vector<Edge> edges;
  bool directed = false;
  Attributes node_attributes, edge_attributes;
  std::vector<std::string> remarks;
};

/// Which attributes are what. The names "none" stand for no attribute.
struct AttributeChoice {
  std::string label_key;    // the class of a node; "" for one that is named like a class, if there is one
  std::string weight_key;   // the weight of an edge; "" for "weight", if there is one
  std::string type_key;     // the type of an edge; "" for "type", "relation" or "label", if there is one
  bool regression = false;  // the class is a number to predict
  ColumnRules rules;        // for the attributes that become features
  std::optional<bool> directed;                     // default: as the file says
  std::optional<DefaultFeatures> default_features;  // for nodes without features
};

/// The data set: all other attributes of nodes become the columns of a table, by the rules of
/// choose_types. What was left out or assumed is in its remarks.
Dataset to_dataset(AttributedGraph graph, const AttributeChoice& choice);

}  // namespace gdkm
