#pragma once

#include <algorithm>
#include <vector>

#include "gdkm/layers/item_rows.hpp"
#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// Items that follow each other, whose log-likelihood is multiplied by the same weight.
struct WeightRun {
  Index count = 0;
  double weight = 1;
};

/// Training items and their classes, on the device.
struct Labels {
  ItemRows row;
  Buffer<std::int32_t> label;
  std::vector<WeightRun> weights = {};  // of all items, in order; empty where every item weighs 1
  Buffer<std::int32_t> number = {};     // of these items among those of all ranks; empty: 0, 1, …
  Index count() const { return row.count(); }
  /// Numbers of the items from `first` on.
  RowNumbers numbers(Index first) const {
    return {first, number.size() == 0 ? nullptr : number.data() + first};
  }
};

/// Training items and their regression targets, items × outputs.
template <class T>
struct Targets {
  ItemRows row;
  Matrix<T> value;
  std::vector<WeightRun> weights = {};  // as of Labels
  Index count() const { return row.count(); }
};

/// Calls work(at, count, weight, value) for the stretches of items [first, first + rows) that weigh the same,
/// `at` counted from `first`; it adds to `value`, and total += weight · value. `part` is a 1×1 scratch.
/// Primitives know no weights of items: one call for each weight is exact, and weights are few. (Those of
/// classes are; those of items may be many, which is slow.)
template <class T, class Work>
void by_weight(Backend<T>& backend, const std::vector<WeightRun>& weights, Index first, Index rows,
               View<T> part, View<T> total, const Work& work) {
  if (weights.empty()) return work(Index{0}, rows, T(1), total);
  Index begin = 0;
  for (const WeightRun& run : weights) {
    const Index from = std::max(begin, first), to = std::min(begin + run.count, first + rows);
    begin += run.count;
    if (from >= to) continue;
    const View<T> sum = part.in(total.space);
    backend.fill(sum, T(0));
    work(from - first, to - from, static_cast<T>(run.weight), sum);
    backend.add(static_cast<T>(run.weight), sum, T(1), total);
  }
}

}  // namespace gdkm
