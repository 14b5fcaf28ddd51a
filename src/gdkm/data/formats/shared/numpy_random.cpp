#include "gdkm/data/formats/shared/numpy_random.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

/// As NumPy does: draws as many bits as `limit` has until the result is not above it. `limit` is at least 1.
std::uint32_t NumpyRandomState::at_most(std::uint32_t limit) {
  const std::uint32_t mask = ~std::uint32_t{0} >> std::countl_zero(limit);
  while (true) {
    const auto draw = static_cast<std::uint32_t>(bits_()) & mask;
    if (draw <= limit) return draw;
  }
}

std::vector<std::int64_t> NumpyRandomState::permutation(std::int64_t n) {
  assert(n >= 0 && n <= std::int64_t{1} << 32);
  std::vector<std::int64_t> out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), std::int64_t{0});
  for (std::size_t k = out.size(); k > 1; --k)
    std::swap(out[k - 1], out[at_most(static_cast<std::uint32_t>(k - 1))]);
  return out;
}

std::vector<Split> numpy_random_splits(const std::vector<std::int32_t>& label, double a, double b,
                                       int count) {
  check_fractions(a, b);
  std::vector<std::int32_t> labelled;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] >= 0) labelled.push_back(static_cast<std::int32_t>(i));
  }
  const std::size_t nodes = labelled.size();
  const auto share = [&](double fraction) {
    return static_cast<std::size_t>(std::floor(fraction * static_cast<double>(nodes)));
  };
  const std::size_t trained = std::min(share(a), nodes), selected = std::min(share(b), nodes - trained);
  if (trained == 0) {
    refuse("random splits: train={} of {} labelled nodes leaves none to train on; use a larger fraction", a,
           nodes);
  }
  std::vector<Split> out(static_cast<std::size_t>(std::max(count, 0)));
  for (std::size_t s = 0; s < out.size(); ++s) {
    NumpyRandomState random(static_cast<std::uint32_t>(s));
    const auto order = random.permutation(static_cast<std::int64_t>(nodes));
    for (std::size_t k = 0; k < nodes; ++k) {
      auto& part = k < trained ? out[s].train : k < trained + selected ? out[s].val : out[s].test;
      part.push_back(labelled[static_cast<std::size_t>(order[k])]);
    }
    for (auto* part : {&out[s].train, &out[s].val, &out[s].test}) std::sort(part->begin(), part->end());
  }
  return out;
}

}  // namespace gdkm
