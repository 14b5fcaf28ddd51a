#pragma once

#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

/// The widest tile that is compiled for factors of one part: two cover 400 columns. Factors of two parts
/// would need more shared memory and registers than there are.
inline constexpr int widest_of_one_part = 200;

/// The columns of a tile: of the widths that are compiled, the one with the least work. Every tile reads and
/// splits all of the left factor, which takes as long as some forty columns, or a hundred of one part.
inline int tile_width(Index columns, int parts) {
  int best = 0;
  Index least = 0;
  for (const int width : {widest_of_one_part, 128, 104, 80}) {
    if (parts > 1 && width == widest_of_one_part) continue;
    const Index work = (columns + width - 1) / width * (width + (parts > 1 ? 40 : 100));
    if (best == 0 || work < least) {
      least = work;
      best = width;
    }
  }
  return best;
}

/// Calls action.template operator()<width>() for a width of two or more parts.
template <class Action>
void with_width(int width, Action action) {
  if (width == 128) return action.template operator()<128>();
  if (width == 104) return action.template operator()<104>();
  action.template operator()<80>();
}

}  // namespace gdkm::cuda
