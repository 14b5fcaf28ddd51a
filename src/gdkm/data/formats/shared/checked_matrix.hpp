#pragma once

#include <string>
#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The arrays of a CSR matrix as a file stores them.
struct CsrArrays {
  Index rows = 0, cols = 0;
  std::vector<Index> start, col;
  std::vector<double> value;
  std::string start_where, col_where, value_where;  // names of the arrays in messages
  const char* remedy = "";
};

/// Checks the arrays, sorts the rows, sums repeated entries and drops zeros. A wrong index, or a value that
/// float32 cannot hold, is an InputError.
Csr checked_csr(CsrArrays arrays);

/// Dense features must be finite; otherwise an InputError that begins with `where`.
void check_finite(const std::string& where, const Features& features);

/// The graph of an adjacency matrix without explicit zeros. A symmetric matrix gives an undirected graph with
/// each edge once; any other gives a directed graph, from row to column. Weights are kept unless all are 1.
/// Negative or non-finite weights are InputErrors that begin with `where`.
Graph graph_from_matrix(const std::string& where, const Csr& matrix);

/// Sparse features without their zeros. Every value must be finite as a float32.
Features features_from_matrix(const std::string& where, Csr matrix);

}  // namespace gdkm
