#pragma once

#include <utility>
#include <vector>

#include "gdkm/support/random.hpp"

namespace gdkm {

/// A random order (Fisher–Yates). The standard's shuffle differs between libraries; this one does not.
template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[random.below(k)]);
}

}  // namespace gdkm
