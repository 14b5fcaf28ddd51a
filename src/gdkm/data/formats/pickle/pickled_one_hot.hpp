#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/data/formats/pickle/pickle.hpp"

namespace gdkm {

/// Classes stored as one-hot rows: the column of the 1, or −1 for a row of zeros.
struct OneHot {
  std::vector<std::int32_t> label;
  std::int64_t classes = 0;
};

/// The one-hot matrix at the root of a pickle. A row with anything but zeros and at most one 1 is an
/// InputError that names it.
OneHot pickled_one_hot(const Pickle& pickle);

}  // namespace gdkm
