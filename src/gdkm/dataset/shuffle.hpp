#pragma once

#include <utility>
#include <vector>

#include "gdkm/support/random.hpp"

namespace gdkm {

/// Shuffles the items (Fisher–Yates). Unlike std::shuffle, the result is the same with every standard
/// library.
template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[random.below(k)]);
}

}  // namespace gdkm
