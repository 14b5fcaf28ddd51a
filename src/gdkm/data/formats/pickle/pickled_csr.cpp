#include "gdkm/data/formats/pickle/pickled_csr.hpp"

#include <fmt/format.h>

#include <limits>

#include "gdkm/data/formats/pickle/pickled_array.hpp"
#include "gdkm/data/formats/shared/checked_features.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

constexpr const char* remedy = "fetch the published file, or pickle it again";
constexpr Index largest = std::numeric_limits<std::int32_t>::max();

PickleId member(const Pickle& pickle, const PickleDict& state, const char* name) {
  const auto found = pickle.find(state, name);
  if (found) return *found;
  throw InputError(fmt::format("{}: its csr_matrix has no '{}'; {}", pickle.where(), name, remedy));
}

template <class T>
std::vector<T> numbers(const Pickle& pickle, const PickleDict& state, const char* name) {
  const NpyArray array =
      pickled_array(pickle, member(pickle, state, name), fmt::format("{}: array '{}'", pickle.where(), name));
  if (array.shape().size() != 1) {
    throw InputError(fmt::format("{}: has shape {}, not one dimension; {}", array.where,
                                 shape_text(array.shape()), remedy));
  }
  return array.as<T>();
}

}  // namespace

Csr pickled_csr(const Pickle& pickle) {
  const auto* csr = pickle.get<PickleCsr>(pickle.root());
  const auto* state = csr == nullptr ? nullptr : pickle.get<PickleDict>(csr->state);
  if (state == nullptr) {
    throw InputError(fmt::format("{}: is not a scipy.sparse.csr_matrix; {}", pickle.where(), remedy));
  }
  const auto shape = pickled_shape(pickle, member(pickle, *state, "_shape"), pickle.where());
  if (shape.size() != 2 || shape[0] > largest || shape[1] > largest) {
    throw InputError(fmt::format("{}: its csr_matrix has shape {}; use two numbers up to {}", pickle.where(),
                                 shape_text(shape), largest));
  }
  const auto where = [&](const char* array) { return fmt::format("{}: array '{}'", pickle.where(), array); };
  return checked_csr({shape[0], shape[1], numbers<Index>(pickle, *state, "indptr"),
                      numbers<Index>(pickle, *state, "indices"), numbers<double>(pickle, *state, "data"),
                      where("indptr"), where("indices"), where("data"), remedy});
}

}  // namespace gdkm
