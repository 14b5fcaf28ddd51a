#pragma once

#include <cmath>
#include <cstdint>

#include "gdkm/support/random.hpp"

namespace gdkm {

/// Visits each number of {0, …, count − 1} independently with probability p, in ascending order and
/// O(count·p) time, by drawing the geometric gaps between hits (Batagelj & Brandes, 2005).
template <class Visit>
void visit_at_random(std::int64_t count, double p, Random& random, Visit visit) {
  if (p <= 0) return;
  const double scale = p < 1 ? 1.0 / std::log1p(-p) : 0.0;  // 0: no gaps
  std::int64_t at = 0;
  while (true) {
    const double gap = std::floor(std::log(1.0 - random.uniform()) * scale);
    if (!(gap < static_cast<double>(count - at))) return;
    at += static_cast<std::int64_t>(gap);
    if (at >= count) return;  // beyond 2^53 the comparison above is rounded
    visit(at++);
  }
}

/// The same for all pairs v < u of {0, …, nodes − 1}, in O(nodes + hits).
template <class Visit>
void visit_pairs_at_random(std::int64_t nodes, double p, Random& random, Visit visit) {
  std::int64_t u = 1, row_start = 0;  // row u holds the pairs (0, u), …, (u − 1, u)
  visit_at_random(nodes * (nodes - 1) / 2, p, random, [&](std::int64_t pair) {
    while (pair >= row_start + u) row_start += u++;
    visit(pair - row_start, u);
  });
}

}  // namespace gdkm
