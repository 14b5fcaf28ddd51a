#pragma once

#include "gdkm/linalg/matrix.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// What stands before the entries of a Matrix Market file.
struct MatrixMarketHeader {
  bool is_array = false;      // every entry, by columns; else coordinates of some
  bool is_pattern = false;    // entries have no value, all are 1
  bool is_symmetric = false;  // one triangle is given
  Index rows = 0, cols = 0;
  Index entries = 0;  // lines of coordinates, or numbers of an array, that must follow
  Index lines = 0;    // of the file, that belong to the header
};

/// Reads the banner, comments and the size line. What this library cannot use (complex, skew-symmetric,
/// Hermitian) is an InputError, as is anything amiss; it names file, line and remedy.
MatrixMarketHeader read_matrix_market_header(const Text& text);

}  // namespace gdkm
