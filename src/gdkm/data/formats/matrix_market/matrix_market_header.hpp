#pragma once

#include "gdkm/linalg/matrix.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// The header of a Matrix Market file.
struct MatrixMarketHeader {
  bool is_array = false;      // all entries, column by column; else coordinates of some
  bool is_pattern = false;    // entries without values; all are 1
  bool is_symmetric = false;  // only one triangle is stored
  Index rows = 0, cols = 0;
  Index entries = 0;  // coordinate lines, or array numbers, that must follow
  Index lines = 0;    // length of the header
};

/// Reads the banner, comments and the size line. Unsupported kinds (complex, skew-symmetric, Hermitian) and
/// malformed headers are InputErrors that name file, line and remedy.
MatrixMarketHeader read_matrix_market_header(const Text& text);

}  // namespace gdkm
