#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdkm {

/// A number of a table: a mean, and its standard deviation if known.
struct TableNumber {
  double mean = 0;
  std::optional<double> std;

  bool operator==(const TableNumber&) const = default;
};

/// The numbers that the paper (graph convolutional deep kernel machines) prints for one data set. Accuracies
/// are percentages; a column that the paper leaves empty is empty here.
struct PaperNumbers {
  std::string_view name, shown;  // the catalogue's name, and the name in tables
  // Test accuracies, from the paper's final tables; it quotes the GCN's on graphs from other work.
  std::optional<TableNumber> dkm, sparse_nngp, nngp, gcn_no_dropout, gcn;
  // Validation accuracies, from its table of inducing-point schemes.
  std::optional<TableNumber> inter, intra;
  // From its table of data sets, including a misprint: Chameleon has 2,277 nodes, not 2,227.
  double nodes = 0, edges = 0, homophily = 0, features = 0, classes = 0;
  double graphs = 0;  // of graph classification, where nodes and edges are per graph
};

/// Looks a data set up by name, ignoring case; nullptr if the paper does not have it.
const PaperNumbers* paper_numbers(std::string_view dataset);

/// The name of a data set in figures and tables: the paper's, else its own; of a generator without arguments.
std::string display_name(const std::string& dataset);

}  // namespace gdkm
