#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// How nodes are to be split: by fractions, or so many per class.
struct SplitSpec {
  double train = 0.6, val = 0.2;                // of the labelled nodes; the rest tests
  std::int64_t per_class = 0;                   // training nodes of every class; 0 where fractions hold
  std::int64_t val_count = 0, test_count = -1;  // beside per_class; -1 for all the rest
};

/// Reads `60/20/20` (percent, or fractions that add up to 1; after two, the rest tests) or
/// `per-class=20,val=500,test=1000` (no val: none; no test: all the rest). An InputError says what is wrong.
SplitSpec parse_split_spec(std::string_view text);

/// How the text of a specification would be written.
std::string to_string(const SplitSpec& spec);

/// `count` random splits; split s depends on (seed, s) alone. Fractions are stratified, as in random_splits.
/// Per class, val and test are drawn from all nodes that do not train. An InputError where a class, or the
/// rest, has too few.
std::vector<Split> make_splits(const SplitSpec& spec, const std::vector<std::int32_t>& label,
                               std::uint64_t seed, int count);

}  // namespace gdkm
