#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gdkm {

/// A number as a table has it: a mean, and a standard deviation where there is one.
struct TableNumber {
  double mean = 0;
  std::optional<double> std;

  bool operator==(const TableNumber&) const = default;
};

/// What the paper (graph convolutional deep kernel machines) prints of one data set. Accuracies are
/// percentages; a column that it leaves empty is empty here.
struct PaperNodeNumbers {
  std::string_view name, shown;  // as the catalogue spells it, and as tables print it
  // Test accuracies: the paper's final table of node classification.
  std::optional<TableNumber> dkm, sparse_nngp, nngp, gcn_no_dropout, gcn;
  // Validation accuracies: its table of inducing-point schemes.
  std::optional<TableNumber> inter, intra;
  // Its table of data sets; the nodes of Chameleon are misprinted there (2,227 for 2,277) and kept so.
  double nodes = 0, edges = 0, homophily = 0, features = 0, classes = 0;
};

struct PaperGraphNumbers {
  std::string_view name, shown;
  std::optional<TableNumber> dkm, sparse_nngp, gcn;  // the GCN's are others' results, which it quotes
  double graphs = 0, nodes = 0, edges = 0, features = 0, classes = 0;  // nodes and edges per graph
};

std::span<const PaperNodeNumbers> paper_node_numbers();
std::span<const PaperGraphNumbers> paper_graph_numbers();

/// Of a data set by its name, blind to case; nullptr where the paper does not have it.
const PaperNodeNumbers* paper_nodes(std::string_view dataset);
const PaperGraphNumbers* paper_graphs(std::string_view dataset);

/// How figures and tables write the name of a data set: as the paper does, or as it is; of a generator, its
/// name alone.
std::string display_name(const std::string& dataset);

}  // namespace gdkm
