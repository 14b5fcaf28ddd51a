#include "gdkm/data/formats/pickle/pickled_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "gdkm/data/formats/pickle/pickle_classes.hpp"
#include "gdkm/data/formats/shared/checked_matrix.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr Index largest = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t most_dimensions = 64;  // as in numpy

NpyHeader array_header(const Pickle& pickle, const PickleArray& array, const std::string& where) {
  NpyHeader out;
  out.shape = pickled_shape(pickle, array.shape, where);
  out.fortran_order = array.is_fortran;
  const auto* dtype = pickle.get<PickleDtype>(array.dtype);
  if (dtype == nullptr || dtype->kind.empty()) refuse("{}: has no element type; {}", where, pickle_remedy);
  out.descr = dtype->order + pickle_shown(dtype->kind);
  return out;
}

const PickleArray& expect_array(const Pickle& pickle, PickleId id, const std::string& where) {
  const auto* array = pickle.get<PickleArray>(id);
  if (array == nullptr || array->data == no_pickle_value)
    refuse("{}: is not a numpy array; {}", where, pickle_remedy);
  return *array;
}

/// Decodes UTF-8 of characters below 256.
std::vector<std::byte> recode(std::string_view text, const std::string& where) {
  std::vector<std::byte> out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    auto value = static_cast<unsigned>(static_cast<std::uint8_t>(text[k]));
    if (value >= 0x80) {
      const bool is_pair =
          (value == 0xC2 || value == 0xC3) && k + 1 < text.size() && (text[k + 1] & 0xC0) == 0x80;
      if (!is_pair) refuse("{}: its bytes are not Latin-1; {}", where, pickle_remedy);
      value = (value & 3u) << 6 | (static_cast<unsigned>(text[++k]) & 0x3Fu);
    }
    out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

std::vector<std::byte> raw(std::string_view view) {
  std::vector<std::byte> out(view.size());
  std::transform(view.begin(), view.end(), out.begin(), [](char c) { return static_cast<std::byte>(c); });
  return out;
}

std::vector<std::byte> array_bytes(const Pickle& pickle, PickleId data, const std::string& where) {
  if (const auto* bytes = pickle.get<PickleBytes>(data)) {
    return bytes->is_recoded ? recode(bytes->view, where) : raw(bytes->view);
  }
  const auto* text = pickle.get<PickleText>(data);
  if (text == nullptr || text->is_unicode)
    refuse("{}: its elements are not stored as bytes; {}", where, pickle_remedy);
  return raw(text->view);
}

PickleId member(const Pickle& pickle, const PickleDict& state, const char* name) {
  const auto found = pickle.find(state, name);
  if (found) return *found;
  refuse("{}: its csr_matrix has no '{}'; {}", pickle.where(), name, pickle_remedy);
}

template <class T>
std::vector<T> numbers(const Pickle& pickle, const PickleDict& state, const char* name) {
  const NpyArray array =
      pickled_array(pickle, member(pickle, state, name), fmt::format("{}: array '{}'", pickle.where(), name));
  if (array.shape().size() != 1)
    refuse("{}: has shape {}, not one dimension; {}", array.where, shape_text(array.shape()), pickle_remedy);
  return array.as<T>();
}

}  // namespace

std::vector<std::int64_t> pickled_shape(const Pickle& pickle, PickleId id, const std::string& where) {
  const auto* tuple = pickle.get<PickleTuple>(id);
  if (tuple == nullptr || tuple->items.size() > most_dimensions)
    refuse("{}: its shape is not a short tuple; {}", where, pickle_remedy);
  std::vector<std::int64_t> out;
  for (const PickleId item : tuple->items) {
    const auto* extent = pickle.get<std::int64_t>(item);
    if (extent == nullptr || *extent < 0)
      refuse("{}: its shape does not consist of integers >= 0; {}", where, pickle_remedy);
    out.push_back(*extent);
  }
  return out;
}

NpyArray pickled_array(const Pickle& pickle, PickleId id, const std::string& where) {
  const PickleArray& array = expect_array(pickle, id, where);
  NpyArray out;
  out.where = where;
  out.header = array_header(pickle, array, where);
  if (std::string_view("biuf").find(out.header.descr[1]) == std::string_view::npos)
    refuse("{}: expected numbers, got '{}'; {}", where, out.header.descr, pickle_remedy);
  const std::size_t expected = npy_data_size(where, out.header);
  out.bytes = array_bytes(pickle, array.data, where);
  if (out.bytes.size() != expected) {
    refuse("{}: shape {} of '{}' needs {} bytes, but has {}; {}", where, shape_text(out.shape()),
           out.header.descr, expected, out.bytes.size(), pickle_remedy);
  }
  return out;
}

std::vector<PickleId> pickled_objects(const Pickle& pickle, PickleId id, const std::string& where) {
  const PickleArray& array = expect_array(pickle, id, where);
  const NpyHeader header = array_header(pickle, array, where);
  const auto* list = pickle.get<PickleList>(array.data);
  if (header.descr[1] != 'O' || list == nullptr)
    refuse("{}: expected an array of objects, got '{}'; {}", where, header.descr, pickle_remedy);
  std::size_t size = 1;
  bool fits = true;
  for (const auto extent : header.shape) {
    fits = fits && !__builtin_mul_overflow(size, static_cast<std::size_t>(extent), &size);
  }
  if (!fits || size != list->items.size()) {
    refuse("{}: has shape {}, but {} objects; {}", where, shape_text(header.shape), list->items.size(),
           pickle_remedy);
  }
  return list->items;
}

Csr pickled_csr(const Pickle& pickle) {
  const auto* csr = pickle.get<PickleCsr>(pickle.root());
  const auto* state = csr == nullptr ? nullptr : pickle.get<PickleDict>(csr->state);
  if (state == nullptr) refuse("{}: is not a scipy.sparse.csr_matrix; {}", pickle.where(), pickle_remedy);
  const auto shape = pickled_shape(pickle, member(pickle, *state, "_shape"), pickle.where());
  if (shape.size() != 2 || shape[0] > largest || shape[1] > largest) {
    refuse("{}: its csr_matrix has shape {}; use two numbers up to {}", pickle.where(), shape_text(shape),
           largest);
  }
  const auto where = [&](const char* array) { return fmt::format("{}: array '{}'", pickle.where(), array); };
  return checked_csr({shape[0], shape[1], numbers<Index>(pickle, *state, "indptr"),
                      numbers<Index>(pickle, *state, "indices"), numbers<double>(pickle, *state, "data"),
                      where("indptr"), where("indices"), where("data"), pickle_remedy});
}

OneHot pickled_one_hot(const Pickle& pickle) {
  const NpyArray array = pickled_array(pickle, pickle.root(), pickle.where());
  const auto& shape = array.shape();
  if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0) {
    refuse("{}: has shape {}; store one row per node and one column per class", array.where,
           shape_text(shape));
  }
  if (shape[0] > largest || shape[1] > largest) {
    refuse("{}: has shape {}, which is too large; use a part of it", array.where, shape_text(shape));
  }
  const auto value = array.as<std::int64_t>();
  OneHot out{std::vector<std::int32_t>(static_cast<std::size_t>(shape[0]), -1), shape[1]};
  for (std::int64_t r = 0; r < shape[0]; ++r) {
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      const auto found = value[r * shape[1] + c];
      if (found == 0) continue;
      if (found != 1)
        refuse("{}: row {}, column {}: expected 0 or 1, got {}; correct it", array.where, r, c, found);
      if (out.label[r] >= 0) {
        refuse("{}: row {} has a 1 in columns {} and {}; give each node one class", array.where, r,
               out.label[r], c);
      }
      out.label[r] = static_cast<std::int32_t>(c);
    }
  }
  return out;
}

Pickle read_object_npy(Text text) {
  const auto bytes = std::as_bytes(std::span(text.bytes));
  const NpyHeader header = parse_npy_header(text.where, bytes);
  if (header.descr.find('O') == std::string::npos) {
    refuse("{}: expected an array of Python objects, got '{}'; fetch the published file", text.where,
           header.descr);
  }
  return read_pickle(std::move(text), header.length);
}

}  // namespace gdkm
