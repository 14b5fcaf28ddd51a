#pragma once

#include <string>
#include <vector>

#include "gdkm/graph/features.hpp"

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

}  // namespace gdkm
