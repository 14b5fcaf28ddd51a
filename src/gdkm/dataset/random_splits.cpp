#include "gdkm/dataset/random_splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

/// Takes `fraction` of a growing total, so that the rounding errors of the classes do not add up.
class Quota {
 public:
  explicit Quota(double fraction) : fraction_(fraction) {}
  std::size_t next(std::size_t members) {
    seen_ += members;
    const auto due = static_cast<std::size_t>(std::floor(fraction_ * static_cast<double>(seen_) + 0.5));
    const std::size_t share = due - given_;
    given_ = due;
    return share;
  }

 private:
  double fraction_;
  std::size_t seen_ = 0, given_ = 0;
};

}  // namespace

std::vector<Split> random_splits(const std::vector<std::int32_t>& label, double train_fraction,
                                 double val_fraction, int count, std::uint64_t seed) {
  if (!(train_fraction > 0) || !(val_fraction >= 0) || train_fraction + val_fraction > 1 + 1e-12) {
    throw InputError(
        fmt::format("random splits: cannot use the fractions train={} and val={}; use train > 0, val >= 0 "
                    "and a sum of at most 1",
                    train_fraction, val_fraction));
  }
  std::vector<std::vector<std::int32_t>> members;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] < 0) continue;
    if (static_cast<std::size_t>(label[i]) >= members.size()) members.resize(label[i] + 1u);
    members[label[i]].push_back(static_cast<std::int32_t>(i));
  }
  std::vector<Split> out(static_cast<std::size_t>(std::max(count, 0)));
  for (std::size_t s = 0; s < out.size(); ++s) {
    Random random(Stream{seed, Purpose::split, static_cast<std::uint32_t>(s)});
    Quota train(train_fraction), val(val_fraction);
    Split& split = out[s];
    for (auto nodes : members) {
      shuffle(nodes, random);
      const std::size_t trained = std::min(train.next(nodes.size()), nodes.size());
      const std::size_t selected = std::min(val.next(nodes.size()), nodes.size() - trained);
      const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(trained);
      const auto second = first + static_cast<std::ptrdiff_t>(selected);
      split.train.insert(split.train.end(), nodes.begin(), first);
      split.val.insert(split.val.end(), first, second);
      split.test.insert(split.test.end(), second, nodes.end());
    }
    if (split.train.empty()) {
      throw InputError(
          fmt::format("random splits: train={} leaves no labelled node to train on; use a larger fraction",
                      train_fraction));
    }
    for (auto* part : {&split.train, &split.val, &split.test}) std::sort(part->begin(), part->end());
  }
  return out;
}

}  // namespace gdkm
