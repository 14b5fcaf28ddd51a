#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/support/enum_names.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm {

/// How training items are shared out.
enum class Partition { random, metis };

template <>
struct EnumNames<Partition> {
  static constexpr std::string_view names[] = {"random", "metis"};
};

struct BatchOptions {
  int batches = 1;                         // of a node task
  Partition partition = Partition::metis;  // which nodes go together
  Index graphs = 1024;                     // in one batch of a graph task
  bool only_within_reach = true;           // leave out nodes that no training label depends on: exact
};

/// What one step sees: a part of the problem, and which of its items (nodes or graphs) train.
struct Batch {
  Part part;
  std::vector<std::int32_t> item, label;
  std::vector<std::int32_t> whole;  // the items' numbers in the problem
};

/// Those of `items` that have a class, or a number to predict.
std::vector<std::int32_t> labelled(const Problem& problem, const std::vector<std::int32_t>& items);

/// Cuts a problem into batches.
///
/// One batch of a node task is all that reaches a training node through `hops` mixes (and all nodes that
/// intra-domain inducing points sit at), exactly. Of several, each is the subgraph of a share of the nodes
/// and of all inducing nodes, cut out by `cut_out`: edges between shares are lost in training (evaluation
/// sees them all), and memory falls with their number. Shares without a training node are left out.
///
/// Batches of a graph task are graphs side by side, drawn once from the seed. Where ranks share the problem,
/// all call it.
std::vector<Batch> make_batches(const Problem& problem, const std::vector<std::int32_t>& train,
                                const std::vector<std::int32_t>& inducing_nodes, int hops,
                                const BatchOptions& options, std::uint64_t seed,
                                Communicator* ranks = nullptr);

/// Which of `parts` shares each node belongs to: balanced, and with few edges between them (METIS) or at
/// random.
std::vector<std::int32_t> partition_nodes(const Relations& relations, int parts, Partition how,
                                          std::uint64_t seed);

}  // namespace gdkm
