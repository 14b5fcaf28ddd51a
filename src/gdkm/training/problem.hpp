#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/dataset/preprocessing.hpp"
#include "gdkm/models/model_config.hpp"

namespace gdkm {

class Communicator;

/// A data set made ready: features normalised, the matrices of relations made. Splits and seeds share it.
struct Problem {
  Task task = Task::node;
  Features features;
  Relations relations;                    // what a model mixes with: Â_λ, or others
  std::vector<std::int32_t> graph_start;  // of a graph task: see Dataset
  std::vector<std::int32_t> label;
  int classes = 0;
  std::vector<float> target;  // of regression: see Dataset
  int targets = 0;
  /// How much the label of each item counts in training; empty where all count the same.
  std::vector<double> item_weight = {};
  /// Where ranks share the data: how many, and of a node task which of them has each node (see share_out).
  int ranks = 1;
  std::vector<std::int32_t> owner = {};
  bool own_rows_alone = false;  // whether features and relations have the rows of this rank's nodes alone

  /// The ranks that have to be asked for rows of other nodes.
  NodeRanks to_be_asked(Communicator* all) const { return {&owner, own_rows_alone ? all : nullptr}; }

  bool is_regression() const { return targets > 0; }
  /// Outputs of a model: one per class, or per target.
  int outputs() const { return is_regression() ? targets : classes; }
  /// Columns of a prediction: class probabilities, or k means and then k standard deviations.
  int columns() const { return is_regression() ? 2 * targets : classes; }
  Index nodes() const { return relations.nodes(); }
  Index items() const { return static_cast<Index>(label.size()); }
};

/// With Â_λ alone.
Problem prepare(const Dataset& dataset, const Preprocessing& preprocessing, double lambda);
/// As a model of that configuration takes it: with its relations, and `algorithm1` has the kernel XXᵀ/d.
/// `ranks`: those that share it, where the data set is one rank's share (Dataset::owner); all call it.
Problem prepare(const Dataset& dataset, const Preprocessing& preprocessing, const ModelConfig& config,
                Communicator* ranks = nullptr);

/// Some nodes of a problem, with what there is between them. `nodes` maps their numbers to those of the
/// whole.
///
/// Where ranks share the problem, features and relations have the rows of all nodes of the part, or those of
/// this rank's own nodes alone, as the problem has.
struct Part {
  Features features;
  Relations relations;
  std::vector<std::int32_t> nodes;
  std::vector<std::int32_t> graph_start;  // of a graph task
  /// The ranks of nodes, and of graphs in a graph task; empty where there is one rank.
  std::vector<std::int32_t> owner = {}, graph_owner = {};

  /// The part's numbers of nodes of the whole.
  std::vector<std::int32_t> numbers_of(const std::vector<std::int32_t>& whole) const;
};

/// The part of a problem that decides what reaches the labels of `seeds` through `hops` mixes; exact, because
/// everything outside it is out of reach. Where ranks share the problem, all call it.
Part within_reach(const Problem& problem, const std::vector<std::int32_t>& seeds, int hops,
                  Communicator* ranks = nullptr);

/// The subgraph of `nodes`, ascending: entries of Â_λ to other nodes are cut, and what is left is scaled up
/// from both sides by √(old row sum / new row sum), so that a node that loses neighbours loses little weight.
/// Of a relation whose matrix is not symmetric, rows alone are scaled; one that is not normalised stays. The
/// nodes of `inducing`, which are among `nodes`, are not scaled: entries between them are those of the whole
/// graph, whatever else is cut.
Part cut_out(const Problem& problem, std::vector<std::int32_t> nodes,
             const std::vector<std::int32_t>& inducing = {});

/// The nodes of training graphs, ascending, which inducing points may start from; none, which means all, of a
/// node task, whose features and edges are known in training.
std::vector<std::int32_t> nodes_of_training_graphs(const Problem& problem,
                                                   const std::vector<std::int32_t>& train);

/// The graphs of those numbers, side by side.
Part some_graphs(const Problem& problem, const std::vector<std::int32_t>& graphs);

}  // namespace gdkm
