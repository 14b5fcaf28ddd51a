#pragma once

#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

/// The columns of a tile: of the widths that are compiled, the one with the least work. Every tile reads and
/// splits all of the left factor, which takes as long as some forty columns.
inline int tile_width(Index columns) {
  int best = 0;
  Index least = 0;
  for (const int width : {128, 104, 80}) {
    const Index work = (columns + width - 1) / width * (width + 40);
    if (best == 0 || work < least) {
      least = work;
      best = width;
    }
  }
  return best;
}

/// Calls action.template operator()<width>().
template <class Action>
void with_width(int width, Action action) {
  if (width == 128) return action.template operator()<128>();
  if (width == 104) return action.template operator()<104>();
  action.template operator()<80>();
}

}  // namespace gdkm::cuda
