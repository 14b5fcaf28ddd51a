#pragma once

#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

/// The columns of a tile: of the widths that are compiled, the one that leaves the fewest columns empty. Of two
/// the wider one, because a tile reads all of the left factor.
inline int tile_width(Index columns) {
  int best = 128;
  Index fewest = -1;
  for (const int width : {128, 104, 80}) {
    const Index covered = (columns + width - 1) / width * width;
    if (fewest < 0 || covered < fewest) {
      fewest = covered;
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
