#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The numbers of `numpy.random.RandomState(seed)`, which many published splits are drawn from: NumPy has
/// promised never to change them.
class NumpyRandomState {
 public:
  explicit NumpyRandomState(std::uint32_t seed) : bits_(seed) {}

  /// 0..n−1 in random order, as `permutation(n)` gives them; n is at most 2³².
  std::vector<std::int64_t> permutation(std::int64_t n);

 private:
  std::uint32_t at_most(std::uint32_t limit);

  std::mt19937 bits_;
};

/// Random splits of the labelled nodes, not stratified: they are put in the order of
/// `RandomState(s).permutation(m)` for split s; the first ⌊a·m⌋ train, the next ⌊b·m⌋ select, the rest test.
/// InputError where the fractions are impossible or nothing would be left to train on.
std::vector<Split> numpy_random_splits(const std::vector<std::int32_t>& label, double a, double b, int count);

}  // namespace gdkm
