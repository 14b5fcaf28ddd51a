#pragma once

#include <algorithm>
#include <vector>

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
  Buffer<std::int32_t> row, label;
  std::vector<WeightRun> weights = {};  // of all items, in order; empty where every item weighs 1
  Index count() const { return static_cast<Index>(row.size()); }
};

/// Training items and their regression targets, items × outputs.
template <class T>
struct Targets {
  Buffer<std::int32_t> row;
  Matrix<T> value;
  std::vector<WeightRun> weights = {};  // as of Labels
  Index count() const { return static_cast<Index>(row.size()); }
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
    backend.fill(part, T(0));
    work(from - first, to - from, static_cast<T>(run.weight), part);
    backend.add(static_cast<T>(run.weight), part, T(1), total);
  }
}

}  // namespace gdkm
