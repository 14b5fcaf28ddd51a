#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The numbers of `numpy.random.RandomState(seed)`, from which many published splits are drawn. NumPy
/// guarantees that they never change.
class NumpyRandomState {
 public:
  explicit NumpyRandomState(std::uint32_t seed) : bits_(seed) {}

  /// 0..n−1 in random order, equal to `permutation(n)`; n is at most 2³².
  std::vector<std::int64_t> permutation(std::int64_t n);

 private:
  std::uint32_t at_most(std::uint32_t limit);

  std::mt19937 bits_;
};

/// Random splits of the labelled nodes, not stratified. Split s orders the m nodes by
/// `RandomState(s).permutation(m)`: the first ⌊a·m⌋ train, the next ⌊b·m⌋ validate, the rest test. Impossible
/// fractions, and an empty training part, are InputErrors.
std::vector<Split> numpy_random_splits(const std::vector<std::int32_t>& label, double a, double b, int count);

}  // namespace gdkm
