#pragma once

#include "gdkm/linalg/backend.hpp"

// What the plain loops of the reference backend are written in.

namespace gdkm::testing {

using In = ConstView<double>;
using Out = View<double>;

inline double& at(Out a, Index r, Index c) {
  return a.row(r)[c];
}
inline double at(In a, Index r, Index c) {
  return a.row(r)[c];
}
inline double at(Op op, In a, Index r, Index c) {
  return op == Op::none ? at(a, r, c) : at(a, c, r);
}

template <class Body>
void each(Index rows, Index cols, Body body) {
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) body(r, c);
  }
}

/// β times the old value, which is not read where β is zero.
inline double kept(double beta, double old) {
  return beta == 0 ? 0 : beta * old;
}

inline double row_times_row(In a, Index r, In b, Index q) {
  double sum = 0;
  for (Index c = 0; c < a.cols; ++c) sum += at(a, r, c) * at(b, q, c);
  return sum;
}

}  // namespace gdkm::testing
