#pragma once

#include <cstddef>
#include <utility>

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// Sums over nodes, or over labelled items. Sets `sums` to 0, calls work(terms…), which adds to them what the
/// nodes of this process contribute, block by block, and then adds up the terms of all ranks. Within `work`
/// the sums are not known yet, and primitives refuse to take terms for them.
template <class T, std::size_t count, class Work>
void sum_over_nodes(Backend<T>& backend, const View<T> (&sums)[count], const Work& work) {
  View<T> terms[count];
  for (std::size_t k = 0; k < count; ++k) {
    terms[k] = sums[k].in(Space::terms);
    if (!terms[k].empty()) backend.fill(terms[k], T(0));
  }
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    work(terms[k]...);
  }
  (std::make_index_sequence<count>());
  backend.total(terms);
}

}  // namespace gdkm
