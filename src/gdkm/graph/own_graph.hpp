#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/node_ranks.hpp"
#include "gdkm/graph/relation.hpp"
#include "gdkm/linalg/halo.hpp"

namespace gdkm {

/// What a rank has of a graph: rows of own nodes, and what they are made of. All ranks make the same calls.
class OwnGraph {
 public:
  /// `relations` and `features` have all rows, or those of own nodes alone.
  OwnGraph(const Relations& relations, const Features& features, const NodeRanks& shared);

  const Relations& relations() const { return relations_; }
  const Features& features() const { return features_; }

  /// Whether a matrix over all nodes, of which these are the rows of own nodes, is I: the same on all ranks.
  bool is_identity(const Csr& rows) const;
  /// What products with a matrix over all nodes need, by its rows of own nodes.
  DistributedCsr distribute(const Csr& rows) const;
  /// A_ii of inducing points at these nodes, which any rank may have.
  Csr between(const std::vector<std::int32_t>& nodes) const;
  /// Adds up over ranks.
  void add_up(std::vector<double>& sums) const;

  /// [P_1 X, …, P_R X] of own nodes, row-major, for dense X. Rows of X that other ranks have are fetched.
  template <class T>
  std::vector<T> mix_dense() const;

  /// Sparse features of all nodes that own rows have entries for, and relations whose columns are these
  /// nodes.
  struct Surroundings {
    Relations relations;
    Features features;
  };
  /// Sparse features and relations to mix own rows from, where P_r X for all r and all ranks together is
  /// cheaper than to mix in every product. Otherwise there is nothing in it.
  std::optional<Surroundings> sparse_to_mix_if_cheaper() const;

 private:
  NodeRanks shared_;
  std::vector<std::int32_t> own_;
  Relations relations_;
  Features features_;
};

}  // namespace gdkm
