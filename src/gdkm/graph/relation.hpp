#pragma once

#include <string>
#include <vector>

#include "gdkm/graph/graph.hpp"
#include "gdkm/graph/node_ranks.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// How nodes can be related. A model mixes with one matrix P_r per relation, and has weights of its own for
/// each.
///
///     gcn    Â, the normalised adjacency with self-loops       gcn2   Â²
///     gin    A + I, not normalised                             self   I
///     und    A made symmetric                                  hop2   nodes at distance two in `und`
///     in     what points at a node                             out    where a node points
///     types  one relation for each type of edges               poly   Σ_k γ_k Â^k with learned γ_k
///
/// Only the matrices of gcn, gcn2, gin and poly have self-loops.
enum class RelationKind { gcn, gcn2, gin, self, und, in, out, hop2, types, poly };

template <>
struct EnumNames<RelationKind> {
  static constexpr std::string_view names[] = {"gcn", "gcn2", "gin",  "self",  "und",
                                               "in",  "out",  "hop2", "types", "poly"};
};

/// What a matrix is divided by: D_row^-½ A D_col^-½, D_row⁻¹ A, or A as it is. Rows without entries stay 0.
enum class RelationScaling { sym, row, sum };

template <>
struct EnumNames<RelationScaling> {
  static constexpr std::string_view names[] = {"sym", "row", "sum"};
};

/// One relation as users name it: `in`, `und:row`, `poly:3`.
struct RelationSpec {
  RelationKind kind = RelationKind::gcn;
  RelationScaling scaling = RelationScaling::sym;
  int degree = 0;  // of poly

  /// Whether users choose the scaling.
  bool can_be_scaled() const;
  bool operator==(const RelationSpec&) const = default;
};

/// Reads a list such as "self,in,out:row"; an InputError says what is wrong with it.
std::vector<RelationSpec> parse_relations(const std::string& text);
std::string to_string(const RelationSpec& spec);
std::string to_string(const std::vector<RelationSpec>& specs);

/// One of the matrices that a model mixes with.
struct Relation {
  std::string name;  // as users write it, or "type NAME"
  RelationScaling scaling = RelationScaling::sym;
  Csr matrix;
};

/// All of them, over the same nodes. Where ranks share a graph, a rank may have the rows of its own nodes
/// alone.
struct Relations {
  std::vector<Relation> each;

  Relations() = default;
  /// One matrix, by the name "gcn".
  Relations(Csr matrix) { each.push_back({"gcn", RelationScaling::sym, std::move(matrix)}); }

  Index count() const { return static_cast<Index>(each.size()); }
  Index nodes() const { return each.empty() ? 0 : each.front().matrix.cols; }
  /// The matrix of the first relation, which is the only one of most models.
  const Csr& first() const { return each.front().matrix; }
};

/// The matrices of `specs`. λ and the direction of edges concern those made of Â: see normalised_adjacency.
/// An OptionError names a relation that the graph does not have.
///
/// Where ranks share the graph, each has all edges of its own nodes and no others, and gets the rows of its
/// own nodes; all ranks call it. Relations over more than one edge (gcn2, hop2) are an OptionError there.
Relations make_relations(const Graph& graph, const std::vector<RelationSpec>& specs, double lambda,
                         const AdjacencyOptions& options = {}, const NodeRanks& shared = {});

/// How many relations `specs` are in a graph with so many types of edges.
Index count_relations(const std::vector<RelationSpec>& specs, Index edge_types);

/// Whether `specs` have a relation for each type of edges.
bool has_types(const std::vector<RelationSpec>& specs);

/// Those rows of every matrix, with all columns.
Relations rows_of(const Relations& relations, const std::vector<std::int32_t>& rows);

/// Rows and columns `nodes` of every matrix.
Relations submatrices(const Relations& relations, const std::vector<std::int32_t>& nodes);

/// The nodes within `hops` steps of `seeds` by any of the relations, ascending.
std::vector<std::int32_t> neighbourhood(const Relations& relations, const std::vector<std::int32_t>& seeds,
                                        int hops);

bool is_identity(const Csr& a);

}  // namespace gdkm
