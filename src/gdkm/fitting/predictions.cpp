#include "gdkm/fitting/predictions.hpp"

#include <algorithm>

namespace gdkm {

Index Predictions::predicted_class(Index item) const {
  return std::max_element(row(item), row(item) + outputs) - row(item);
}

}  // namespace gdkm
