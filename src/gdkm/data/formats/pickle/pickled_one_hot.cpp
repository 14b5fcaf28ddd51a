#include "gdkm/data/formats/pickle/pickled_one_hot.hpp"

#include <fmt/format.h>

#include <limits>

#include "gdkm/data/formats/pickle/pickled_array.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

OneHot pickled_one_hot(const Pickle& pickle) {
  const NpyArray array = pickled_array(pickle, pickle.root(), pickle.where());
  const auto& shape = array.shape();
  if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0) {
    throw InputError(fmt::format("{}: has shape {}; store one row per node and one column per class",
                                 array.where, shape_text(shape)));
  }
  if (shape[0] > std::numeric_limits<std::int32_t>::max() ||
      shape[1] > std::numeric_limits<std::int32_t>::max()) {
    throw InputError(fmt::format("{}: has shape {}, which is too large; use a part of it", array.where,
                                 shape_text(shape)));
  }
  const auto value = array.as<std::int64_t>();
  OneHot out{std::vector<std::int32_t>(static_cast<std::size_t>(shape[0]), -1), shape[1]};
  for (std::int64_t r = 0; r < shape[0]; ++r) {
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      const auto found = value[r * shape[1] + c];
      if (found == 0) continue;
      if (found != 1) {
        throw InputError(fmt::format("{}: row {}, column {}: expected 0 or 1, got {}; correct it",
                                     array.where, r, c, found));
      }
      if (out.label[r] >= 0) {
        throw InputError(fmt::format("{}: row {} has a 1 in columns {} and {}; give each node one class",
                                     array.where, r, out.label[r], c));
      }
      out.label[r] = static_cast<std::int32_t>(c);
    }
  }
  return out;
}

}  // namespace gdkm
