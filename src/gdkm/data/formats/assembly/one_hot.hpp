#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/data/formats/pickle/pickle.hpp"

namespace gdkm {

/// Classes that were stored as rows of zeros with a one: the place of the one, or −1 for a row of zeros.
struct OneHot {
  std::vector<std::int32_t> label;
  std::int64_t classes = 0;
};

/// The matrix that a pickle consists of. Anything but one 1 among zeros is an InputError that names the row.
OneHot pickled_one_hot(const Pickle& pickle);

}  // namespace gdkm
