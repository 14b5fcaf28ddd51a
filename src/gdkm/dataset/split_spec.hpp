#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// How to split nodes: by fractions, or by a number per class.
struct SplitSpec {
  double train = 0.6, val = 0.2;                // of the labelled nodes; the rest tests
  std::int64_t per_class = 0;                   // training nodes per class; 0: use the fractions
  std::int64_t val_count = 0, test_count = -1;  // with per_class; -1: all the rest
};

/// Parses `60/20/20` (percent, or fractions that sum to 1), `67/33` (train and test, where a fifth of the
/// training part validates) or `per-class=20,val=500,test=1000` (val defaults to none, test to all the rest).
/// An InputError says what is wrong.
SplitSpec parse_split_spec(std::string_view text);

/// The text of a specification.
std::string to_string(const SplitSpec& spec);

/// Stratified random splits of the labelled nodes: of m nodes round(train·m) train, round(val·m) validate and
/// the rest test, and every class is divided in the same proportions, to within one node. Split s depends
/// only on (seed, s). Impossible fractions, and an empty training part, are InputErrors.
std::vector<Split> random_splits(const std::vector<std::int32_t>& label, double train_fraction,
                                 double val_fraction, int count, std::uint64_t seed);

/// Throws an InputError unless train > 0, val >= 0 and their sum is at most 1.
void check_fractions(double train, double val);

/// `count` random splits; split s depends only on (seed, s). Fractions are stratified, as in random_splits.
/// With per-class, val and test are drawn from all nodes that do not train. Too few nodes are an InputError.
std::vector<Split> make_splits(const SplitSpec& spec, const std::vector<std::int32_t>& label,
                               std::uint64_t seed, int count);

}  // namespace gdkm
