#include "gdkm/data/formats/pickle/pickled_csr.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "gdkm/data/formats/pickle/pickled_array.hpp"
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

void check_value(const std::string& where, Index row, Index col, double value) {
  if (std::fabs(value) <= std::numeric_limits<float>::max()) return;
  throw InputError(
      fmt::format("{}: row {}, column {} is {}; replace it by a finite number", where, row, col, value));
}

void check_row_starts(const std::string& where, const std::vector<Index>& start, Index rows,
                      std::size_t entries) {
  if (static_cast<Index>(start.size()) != rows + 1) {
    throw InputError(fmt::format("{}: array 'indptr' has {} entries, {} rows need {}; {}", where,
                                 start.size(), rows, rows + 1, remedy));
  }
  for (Index r = 0; r < rows; ++r) {
    if (start[r + 1] >= start[r]) continue;
    throw InputError(fmt::format("{}: array 'indptr' falls from {} to {} at row {}; {}", where, start[r],
                                 start[r + 1], r, remedy));
  }
  if (start.front() != 0 || start.back() != static_cast<Index>(entries)) {
    throw InputError(fmt::format("{}: array 'indptr' runs from {} to {}, but must run from 0 to {}; {}",
                                 where, start.front(), start.back(), entries, remedy));
  }
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
  const auto start = numbers<Index>(pickle, *state, "indptr");
  const auto cols = numbers<Index>(pickle, *state, "indices");
  const auto values = numbers<double>(pickle, *state, "data");
  check_row_starts(pickle.where(), start, shape[0], cols.size());
  if (values.size() != cols.size()) {
    throw InputError(fmt::format("{}: array 'data' has {} values for {} columns in 'indices'; {}",
                                 pickle.where(), values.size(), cols.size(), remedy));
  }
  std::vector<Triplet> entries;
  entries.reserve(cols.size());
  for (Index r = 0; r < shape[0]; ++r) {
    for (Index k = start[r]; k < start[r + 1]; ++k) {
      if (cols[k] < 0 || cols[k] >= shape[1]) {
        throw InputError(fmt::format("{}: array 'indices': entry {} (row {}) names column {} of {}; {}",
                                     pickle.where(), k, r, cols[k], shape[1], remedy));
      }
      check_value(pickle.where(), r, cols[k], values[k]);
      if (values[k] != 0) {
        entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(cols[k]), values[k]});
      }
    }
  }
  const Csr summed = csr_from_triplets(shape[0], shape[1], std::move(entries));
  Csr out;
  out.rows = summed.rows;
  out.cols = summed.cols;
  for (Index r = 0; r < summed.rows; ++r) {  // sums of repeated entries may vanish, or be too large
    for (Index k = summed.row_start[r]; k < summed.row_start[r + 1]; ++k) {
      check_value(pickle.where(), r, summed.col[k], summed.value[k]);
      if (summed.value[k] == 0) continue;
      out.col.push_back(summed.col[k]);
      out.value.push_back(summed.value[k]);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

}  // namespace gdkm
